"""The prompt that models get: read every version, and write a new one."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from evaluation.inference import services
from evaluation.inference.forms.prompts import PromptForm
from evaluation.inference.prompt_store import PromptGone, prompt_named, prompt_names
from evaluation.inference.prompts import Prompt
from profiles.attributes import Attribute

WRITTEN = "“{name}” was saved. New runs can use it."


@admin_required
@require_safe
def inference_prompts(request: AnnotatorRequest) -> HttpResponse:
    """All versions, and the words of the chosen one; without a choice, of the newest."""
    names = prompt_names()
    prompt = _chosen(request.GET.get("name") or names[0])
    spoken = [(Attribute(name).label, *prompt.attributes[name]) for name in Attribute.values]
    context = {"names": names, "prompt": prompt, "spoken": spoken, "tab": prompt.name}
    return render(request, "evaluation/inference/prompts.html", context)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_prompt(request: AnnotatorRequest) -> HttpResponse:
    """A new version begins with the words of an earlier one."""
    prompt = _chosen(request.GET.get("from") or prompt_names()[0])
    form = PromptForm(request.POST if request.method == "POST" else None, prompt=prompt)
    if form.is_valid():
        try:
            version = services.write_prompt(form.contents(), by=request.user, request=request)
        except services.PromptRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, WRITTEN.format(name=version.name))
            return redirect(f"{reverse('evaluation:inference_prompts')}?name={version.name}")
    status = 422 if form.is_bound else 200
    return render(request, "evaluation/inference/new_prompt.html", {"form": form, "prompt": prompt}, status=status)


def _chosen(name: str) -> Prompt:
    try:
        return prompt_named(name)
    except PromptGone as error:
        raise Http404 from error
