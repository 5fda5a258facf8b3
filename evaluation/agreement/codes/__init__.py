"""Turn answers into codes that can be compared, attribute by attribute. No database."""
