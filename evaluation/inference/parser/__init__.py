"""Read a model's answer. Change PARSER_VERSION with every rule: kept answers are then read again for free."""

from evaluation.inference.parser.replies import PARSER_VERSION, Reply, parse_reply

__all__ = ["PARSER_VERSION", "Reply", "parse_reply"]
