"""What can be guessed without a model: the floor that every model has to beat."""

from evaluation.inference.baselines.predictions import BASELINES, VERSION, UnknownBaseline, predict
from evaluation.inference.baselines.records import BaselineProfile, Hint

__all__ = ["BASELINES", "VERSION", "BaselineProfile", "Hint", "UnknownBaseline", "predict"]
