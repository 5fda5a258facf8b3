"""Show the account name behind a pseudonym to an admin who gives a reason."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from annotator.comments.profiles import readable_profiles
from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.corpora.forms.profiles import AccountNameForm
from annotator.corpora.services import account_names as services
from profiles.encryption import WrongKey

WRONG_KEY = (
    "This name was encrypted with a different key from the one the site uses now, so it can’t be shown. "
    "Ask whoever runs the site to set TELLTALE_ACCOUNT_KEY to the key the corpus was loaded with. Nothing was recorded."
)
NO_NAME = "No account name is stored for this profile. Nothing was recorded."


@admin_required
@require_POST
@never_cache
def see_account_name(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """Show the name once: it appears in no URL, and browsers do not cache the page."""
    profile = get_object_or_404(readable_profiles(request.user), pk=profile_id)
    form, name, problem = AccountNameForm(request.POST), "", ""
    try:
        if form.is_valid():
            reason = form.cleaned_data["reason"]
            name = services.see_account_name(profile, reason=reason, by=request.user, request=request)
    except WrongKey:
        problem = WRONG_KEY
    except services.NoNameKept:
        problem = NO_NAME
    context = {"profile": profile, "form": form, "account_name": name, "problem": problem}
    template = "annotator/corpora/_account_name.html" if request.htmx else "annotator/corpora/account_name.html"
    return render(request, template, context, status=422 if form.errors or problem else 200)
