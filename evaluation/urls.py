"""Routes of all pages of the app, feature by feature."""

from evaluation.agreement.urls import agreement_urls
from evaluation.defences.urls import defence_urls
from evaluation.inference.judge.urls import judge_urls
from evaluation.inference.second_look.urls import second_look_urls
from evaluation.inference.urls import inference_urls
from evaluation.llm.urls import endpoint_urls
from evaluation.probes.urls import probe_urls
from evaluation.proposals.urls import proposal_urls
from evaluation.runs.urls import run_urls
from evaluation.spans.urls import span_urls

app_name = "evaluation"
urlpatterns = [
    *agreement_urls, *defence_urls, *endpoint_urls, *inference_urls, *judge_urls, *probe_urls, *proposal_urls,
    *run_urls, *second_look_urls, *span_urls,
]  # fmt: skip
