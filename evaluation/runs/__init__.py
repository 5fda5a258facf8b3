"""Evaluation runs of every kind: request, do in a worker, list, compare, repeat, delete. `kinds` names what differs."""
