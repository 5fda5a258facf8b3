"""All versions of the prompt: shipped files, and what admins wrote."""

from evaluation.inference.prompts import CURRENT, SHIPPED, Prompt, load_prompt
from evaluation.models import PromptVersion

NUL = "\x00"  # Postgres refuses it in a query
GONE = "There is no prompt “{name}”. There are: {names}."


class PromptGone(Exception):
    """No prompt has this name. The message lists those that exist."""


def prompt_named(name: str = CURRENT) -> Prompt:
    """1 query for a prompt that an admin wrote, otherwise none. Raises PromptGone."""
    if name in SHIPPED:
        return load_prompt(name)
    version = None if NUL in name else PromptVersion.objects.filter(name=name).first()
    if version is None:
        raise PromptGone(GONE.format(name=name, names=", ".join(prompt_names())))
    return load_prompt(version.name, version.contents)


def prompt_names() -> list[str]:
    """Newest first; what was shipped stands last. 1 query."""
    own = PromptVersion.objects.order_by("-pk").values_list("name", flat=True)
    return [*own, *reversed(SHIPPED)]
