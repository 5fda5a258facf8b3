"""Read published predictions and the human labels beside them."""

from evaluation.inference.readers.contents import UnreadablePredictions
from evaluation.inference.readers.reader import read_predictions
from evaluation.inference.readers.vocabulary import Format

__all__ = ["Format", "UnreadablePredictions", "read_predictions"]
