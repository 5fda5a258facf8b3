"""Answers as codes: which of them mean the same, attribute by attribute. No database."""
