"""A run of the probe that somebody wants: who is asked what about which texts, and what it may cost."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.llm.budget import Limit
from evaluation.probes.detection import Mode
from evaluation.probes.dreaddit import PROBE, TEMPLATES, load_template
from evaluation.probes.dreaddit.items import Duplicates
from evaluation.probes.settings import ProbeSettings
from evaluation.probes.templates import Template, parse_template
from evaluation.runs.storage import InputFile
from evaluation.runs.systems import System

OWN = "own"


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """`template` is asked of models only; baselines keep the study's."""

    system: System
    settings: ProbeSettings
    template: Template
    files: Sequence[InputFile]
    duplicates: Duplicates = Duplicates.KEEP
    limit: Limit = field(default_factory=Limit)
    name: str = ""

    @property
    def title(self) -> str:
        return self.name or f"{self.system.title} on {' and '.join(Path(file.name).stem for file in self.files)}"

    def as_json(self) -> dict[str, Any]:
        """Complete enough to repeat the run."""
        contents: dict[str, Any] = {
            "system": self.system.as_json(),
            "probe": {
                "name": PROBE.name,
                "settings": self.settings.as_json(),
                "duplicates": self.duplicates.value,
                "template": _template_json(self.template),
            },
            "budget": self.limit.as_json(),
        }
        if self.system.is_asked:
            contents["question"] = {"digest": self.settings.question_digest, "template_sha256": self.template.digest}
            contents["account"] = f"probe:{secrets.token_hex(8)}"  # under which it pays; a run that goes on keeps it
        return contents

    def digest(self, sha256s: Sequence[str]) -> str:
        """Tells whether a plan is the one that was checked by a dry run. `sha256s` are those of the files."""
        contents = self.as_json() | {"account": "", "files": list(sha256s)}
        return hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()[:16]


def _template_json(template: Template) -> dict[str, str]:
    """Own words are stored; those that come along are known by their name and hash."""
    text = "" if template.name in TEMPLATES else template.text
    return {"name": template.name, "sha256": template.digest, "text": text}


def stored_settings(probe: Mapping[str, Any]) -> ProbeSettings:
    contents = probe["settings"]
    return ProbeSettings(**contents | {"mode": Mode(contents["mode"])})


def stored_template(probe: Mapping[str, Any]) -> Template:
    """The template with the words of today: compare its digest with the stored one. Raises TemplateUnusable."""
    contents = probe["template"]
    if contents["name"] in TEMPLATES:
        return load_template(contents["name"])
    return parse_template(contents["text"], contents["name"])
