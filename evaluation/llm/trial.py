"""Try an endpoint with a few tiny requests, none of which has anybody's texts, and say in words what came back."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from evaluation.llm.connection import Connection, Outcome, Trouble
from evaluation.llm.endpoints import Endpoint
from evaluation.llm.requests import ChatAnswer, ChatRequest, Problem

SECONDS = 10.0  # for each request; those after the first go out together
WORD = "telltale"  # nobody says it unless a schema or a grammar makes them
HELLO = (("user", "Say hello."),)
SCHEMA = {
    "type": "object", "properties": {"word": {"type": "string", "enum": [WORD]}}, "required": ["word"],
    "additionalProperties": False,
}  # fmt: skip
YES, NO, UNKNOWN = "yes", "no", "unknown"
ANSWERS = "The model answers: it took {seconds:.1f} s."
EMPTY = (
    "The endpoint answered in {seconds:.1f} s, but without text. Reasoning models may need more tokens than this test "
    "allows."
)
TROUBLES = {
    Trouble.NOBODY: "Nothing is listening at this address. Check the address and port, and that the server is running.",
    Trouble.UNTRUSTED: "No encrypted connection could be made: the certificate isn't trusted, or the server has none.",
    Trouble.SLOW: f"No answer came within {SECONDS:.0f} s. The server may be loading its model: try again soon.",
    Trouble.BUSY: "The endpoint reports too many requests. Try again later, or lower the rate below.",
    Trouble.BROKEN: "The server returned an error. It may still be loading its model: try again soon.",
    Trouble.NOT_CHAT: "Something responds there, but not in OpenAI's chat format. The address often ends in /v1.",
}
PROBLEMS = {
    Problem.WRONG_KEY: "The endpoint rejects the key. Enter another one.",
    Problem.UNKNOWN_MODEL: "The endpoint doesn't know this model or this address. The address often ends in /v1.",
    Problem.REDIRECTED: "The endpoint redirects requests, which Telltale doesn't follow. Enter the final address.",
    Problem.BAD_REQUEST: "The endpoint doesn't accept the request. It may use another version of the chat format.",
    Problem.TOO_LARGE: "The response is far too large for an answer. Check the address.",
    Problem.CONTEXT_OVERFLOW: "The endpoint says that “Say hello.” is too long for the model. Check its settings.",
    Problem.REFUSED_BY_SERVER: "The endpoint's filter refused to answer “Say hello.”",
}


@dataclass(frozen=True, slots=True)
class Trial:
    """What came back. What the endpoint honours is only known if it answers at all."""

    sentence: str
    is_good: bool
    schema: str = UNKNOWN
    grammar: str = UNKNOWN
    logprobs: str = UNKNOWN


def try_endpoint(endpoint: Endpoint) -> Trial:
    """At most four requests, one try each."""
    brief = replace(endpoint, timeout=min(endpoint.timeout, SECONDS))
    hello = _ask(brief, ChatRequest(HELLO, max_tokens=16))
    trial = _read_hello(hello)
    if not trial.is_good:
        return trial
    with ThreadPoolExecutor(3) as pool:
        schema, grammar, logprobs = pool.map(lambda extra: _is_honoured(brief, *extra), _EXTRAS)
    return replace(trial, schema=schema, grammar=grammar, logprobs=logprobs)


def _ask(endpoint: Endpoint, request: ChatRequest) -> Outcome:
    with Connection(endpoint) as connection:
        return connection.ask(request)


def _read_hello(outcome: Outcome) -> Trial:
    answer, seconds = outcome.answer, max(outcome.answer.seconds, 0.1)
    if outcome.trouble:
        return Trial(TROUBLES[outcome.trouble], is_good=False)
    if answer.problem == Problem.EMPTY:
        return Trial(EMPTY.format(seconds=seconds), is_good=True)
    if answer.problem:
        return Trial(PROBLEMS[Problem(answer.problem)], is_good=False)
    return Trial(ANSWERS.format(seconds=seconds), is_good=True)


def _is_honoured(endpoint: Endpoint, request: ChatRequest, test: Callable[[ChatAnswer], bool]) -> str:
    """Yes, no, or unknown if no answer came that would tell."""
    outcome = _ask(endpoint, request)
    if outcome.answer.problem == Problem.BAD_REQUEST:
        return NO
    if outcome.trouble or outcome.answer.problem:
        return UNKNOWN
    return YES if test(outcome.answer) else NO


def _keeps_schema(answer: ChatAnswer) -> bool:
    """Without its spaces, of which some servers send many until the answer is cut off."""
    return "".join(answer.text.split()).startswith(f'{{"word":"{WORD}"')


def _keeps_grammar(answer: ChatAnswer) -> bool:
    return answer.text.strip() == WORD


def _has_logprobs(answer: ChatAnswer) -> bool:
    return bool(answer.logprobs) and all(
        isinstance(entry, dict) and "logprob" in entry for entry in answer.logprobs or ()
    )


_EXTRAS = (
    (ChatRequest(HELLO, max_tokens=48, json_schema=SCHEMA), _keeps_schema),
    (ChatRequest(HELLO, max_tokens=16, grammar=f'root ::= "{WORD}"'), _keeps_grammar),
    (ChatRequest(HELLO, max_tokens=4, logprobs=True, top_logprobs=2), _has_logprobs),
)
