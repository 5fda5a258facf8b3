#!/usr/bin/env python
"""Run a management command, with the embedded servers if it needs them."""

import gc
import os
import sys


def main() -> None:
    gc.disable()  # until Django is loaded: what is imported stays, and the collector would look at it in vain
    from annotator.embedded.commands import run  # noqa: PLC0415 with the collector off

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")
    run(sys.argv)


if __name__ == "__main__":
    main()
