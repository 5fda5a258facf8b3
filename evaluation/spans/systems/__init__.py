"""Run a detector over documents: Presidio here, or any other one as a command."""
