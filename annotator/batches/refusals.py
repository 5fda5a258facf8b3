"""Why a change to a batch is refused. Nothing was changed; the message explains why, and what to do next."""


class BatchRefused(Exception):
    """The change was refused. Each reason is a class of its own."""


class OutdatedVersion(BatchRefused):
    """Another admin changed the batch first."""


class BatchClosed(BatchRefused):
    """The batch is closed."""


class NotStarted(BatchRefused):
    """The batch is a draft."""


class AlreadyStarted(BatchRefused):
    """The batch has been started, so what was drawn stands."""


class NothingToPlant(BatchRefused):
    """The known profiles that the batch asks for cannot be planted."""


class NotClosed(BatchRefused):
    """Only a closed batch can be reopened."""


class ImportedBatch(BatchRefused):
    """The batch holds judgements from a file, and has nothing to label."""


class BatchNameTaken(BatchRefused):
    """Another batch has the name."""


class NotDrawn(BatchRefused):
    """The batch was not drawn at random, so there is no draw to extend."""


class NobodyLeft(BatchRefused):
    """Nobody of the batch can label any more."""


class NotEvaluators(BatchRefused):
    """Somebody named is not an active evaluator."""


class TooFewEvaluators(BatchRefused):
    """Fewer evaluators than are to read each profile, or quotas that do not suffice."""


class SelfTakeover(BatchRefused):
    """Somebody would take over from themselves."""


class AlreadyAssigned(BatchRefused):
    """The annotator has had the profile before. Labelling is blind, and nobody labels a profile twice."""


class NotAPool(BatchRefused):
    """The batch was drawn for people by name."""


class SkipHandled(BatchRefused):
    """Somebody has dealt with the skip already."""
