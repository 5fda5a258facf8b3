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
    """The batch has started, so its draw is fixed."""


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
    """None of the batch's evaluators can label any more."""


class NotEvaluators(BatchRefused):
    """At least one of the chosen people is not an active evaluator."""


class TooFewEvaluators(BatchRefused):
    """Too few evaluators per profile, or quotas that are too low."""


class SelfTakeover(BatchRefused):
    """A person can't take over their own profiles."""


class AlreadyAssigned(BatchRefused):
    """The annotator has had the profile before. Labelling is blind, and nobody labels a profile twice."""


class NotAPool(BatchRefused):
    """The batch was drawn for people by name."""


class SkipHandled(BatchRefused):
    """The skip has already been handled."""
