#!/usr/bin/env python
"""Run a management command, with the embedded servers if it needs them."""

import os
import sys

from annotator.embedded.commands import run

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")
    run(sys.argv)
