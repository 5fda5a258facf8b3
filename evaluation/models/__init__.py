from evaluation.models.agreement import AgreementJob, AgreementReport
from evaluation.models.attempts import ModelAttempt
from evaluation.models.runs import (
    ErrorItem,
    ErrorMark,
    EvaluatedDocument,
    EvaluationInput,
    EvaluationKind,
    EvaluationRun,
)

__all__ = [
    "AgreementJob",
    "AgreementReport",
    "ErrorItem",
    "ErrorMark",
    "EvaluatedDocument",
    "EvaluationInput",
    "EvaluationKind",
    "EvaluationRun",
    "ModelAttempt",
]
