"""Counterfactual probes: the same item asked in several variants, to see whether the variant changes the answer."""
