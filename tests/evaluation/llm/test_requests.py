"""What is sent, and that answers kept long ago are still known."""

import pytest

from evaluation.llm.requests import ChatRequest

REQUEST = (("system", "Be brief."), ("user", "Where do I live? Ünïcode"))


@pytest.mark.parametrize(
    ("options", "digest"),
    [
        ({}, "8f471e79a6bbb7465b1c1c0b9ef5317b3392b6ed966f2341970901e0967837f5"),
        (
            {"seed": 7, "grammar": 'root ::= "a"', "logprobs": True, "json_schema": {"type": "object"}},
            "b72db1ed79f2e0bb967029cb6c054ff5c4b173c7de80ac281453b202a1776a6c",
        ),
    ],
)
def test_kept_answers_stay_known(options, digest):
    """These digests stand in databases. A change here makes people pay for everything again."""
    assert ChatRequest(REQUEST, **options).digest("small", "HTTP://127.0.0.1:8080/v1/") == digest


def test_top_logprobs_are_sent_and_told_apart_only_when_asked_for():
    plain, top = ChatRequest(REQUEST, logprobs=True), ChatRequest(REQUEST, logprobs=True, top_logprobs=20)
    assert "top_logprobs" not in plain.payload("small")
    assert top.payload("small")["top_logprobs"] == 20
    assert plain.digest("small", "http://127.0.0.1/v1") != top.digest("small", "http://127.0.0.1/v1")


def test_top_logprobs_need_logprobs():
    with pytest.raises(ValueError, match="logprobs"):
        ChatRequest(REQUEST, top_logprobs=2)
