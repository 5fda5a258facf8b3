"""Read a model's answer. Change PARSER with every rule: kept answers are then read again, without asking again."""

from evaluation.inference.parser.replies import PARSER, Reply, parse_reply

__all__ = ["PARSER", "Reply", "parse_reply"]
