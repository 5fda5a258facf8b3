from evaluation.models.agreement import AgreementJob, AgreementReport
from evaluation.models.attempts import ModelAttempt
from evaluation.models.defences import DefendedText, DetectedComment
from evaluation.models.endpoints import ModelEndpoint
from evaluation.models.inference import AuditedPair, InferredCase, JudgedPair, Verdict
from evaluation.models.prompts import PromptVersion
from evaluation.models.proposals import SubredditProposal, SubredditSearch
from evaluation.models.runs import (
    ErrorItem,
    ErrorMark,
    EvaluatedDocument,
    EvaluationInput,
    EvaluationKind,
    EvaluationRun,
)
from evaluation.models.second_looks import Claim, ClaimLease, ClaimReview, ClaimVerdict, SecondLook

__all__ = [
    "AgreementJob",
    "AgreementReport",
    "AuditedPair",
    "Claim",
    "ClaimLease",
    "ClaimReview",
    "ClaimVerdict",
    "DefendedText",
    "DetectedComment",
    "ErrorItem",
    "ErrorMark",
    "EvaluatedDocument",
    "EvaluationInput",
    "EvaluationKind",
    "EvaluationRun",
    "InferredCase",
    "JudgedPair",
    "ModelAttempt",
    "ModelEndpoint",
    "PromptVersion",
    "SecondLook",
    "SubredditProposal",
    "SubredditSearch",
    "Verdict",
]
