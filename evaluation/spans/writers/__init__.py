"""Write spans and matches to files: our JSON lines, and the ECHR study's detailed evaluation."""

from evaluation.spans.writers.jsonl import span_lines
from evaluation.spans.writers.study_details import detailed_evaluation, summarise

__all__ = ["detailed_evaluation", "span_lines", "summarise"]
