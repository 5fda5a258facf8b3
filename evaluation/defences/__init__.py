"""Defences: what masking or rewriting protects from an attack by inference, and what it costs in text."""
