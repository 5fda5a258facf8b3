"""Score what language models infer about people against what people inferred."""
