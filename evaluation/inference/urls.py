from django.urls import path

from evaluation.inference.views import creation, prompts

inference_urls = [
    path("evaluations/new/model/", creation.new_inference, name="new_inference"),
    path("evaluations/prompts/", prompts.inference_prompts, name="inference_prompts"),
    path("evaluations/prompts/new/", prompts.new_prompt, name="new_prompt"),
]
