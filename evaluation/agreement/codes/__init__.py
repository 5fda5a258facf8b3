"""Answers as codes: which answers mean the same, attribute by attribute. No database."""
