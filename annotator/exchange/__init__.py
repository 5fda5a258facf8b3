"""Exports of labels, and imports from other studies or another Telltale."""
