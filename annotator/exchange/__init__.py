"""Labels as files: what leaves Telltale, and what comes in from other studies or another Telltale."""
