"""A small report, made by hand, in the shape that `evaluate` returns."""

from typing import Any


def interval(value: float | None, low: float | None = None, high: float | None = None) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "bca_low": low, "bca_high": high, "reason": ""}


def scores(value: float | None) -> dict[str, Any]:
    low, high = (None, None) if value is None else (value - 0.05, value + 0.05)
    return {metric: interval(value, low, high) for metric in ("precision", "recall", "f1", "f2")}


def study_counts(**counts: int) -> dict[str, Any]:
    return {"precision": 0.8321, "recall": 0.9021, "f1": 0.8657, "relaxed_matches": 0, "by_type": {}} | counts


def type_row(label: str, value: float | None) -> dict[str, Any]:
    return {"type": label, "gold": 40, "matched": 30, "predicted": 35, "used": 30} | scores(value)


def definition(key: str, title: str) -> dict[str, Any]:
    return {
        "key": key, "title": title, "whose": "ours", "method": "r1", "labels": "strict", "threshold": 0.3,
        "ignore": "symmetric", "gold": 80, "matched": 60, "predicted": 70, "used": 60, "compound": 1, "merged": 2,
        "relaxed": 0, "ignored_gold": 5, "ignored_predicted": 3, "macro_f1": interval(0.61, 0.5, 0.7),
    } | scores(0.7)  # fmt: skip


def make_result(system: str = "presidio.jsonl") -> dict[str, Any]:
    semeval = {"correct": 1, "precision": 0.5, "recall": 0.25, "f1": 1 / 3}
    return {
        "system": system,
        "compat": {
            "threshold": 0.3,
            "strict": study_counts(tp=2745, fp=554, fn=298),
            "relaxed": study_counts(tp=2893, fp=393, fn=298, relaxed_matches=148, denominator_growth=148),
            "phase1": study_counts(tp=2000, fp=1200, fn=1043),
        },
        "definitions": [definition("r1-strict", "One to one"), definition("exact-strict", "Exact boundaries")],
        "by_type": [type_row("[b]PERSON", 0.85), type_row("LOC", None)],
        "macro": scores(0.6125),
        "micro": scores(0.8657),
        "sweep": [], "curve": None, "curve_reason": "The predictions have no scores.",
        "semeval": {"strict": semeval, "exact": semeval, "partial": semeval, "ent_type": semeval, "by_type": {}},
        "tokens": scores(0.9) | {"by_type": []},
        "tab": {"token_recall": interval(0.93), "mention_recall": interval(None), "by_type": {}},
        "leakage": {"characters": 100, "uncovered": 7, "rate": interval(0.07), "masked_share": None},
        "levels": {"binary": {"precision": 0.9, "recall": 0.8, "f1": 0.85}},
        "annotators": {
            "each": [], "union": semeval, "majority": semeval,
            "ceiling": [{"first": "ann1", "second": "ann2"} | semeval],
        },
        "confusion": {}, "errors": {"counts": {"missed": 1271, "wrong_type": 69}, "frequent": {}},
        "suspects": {"counts": {}},
    }  # fmt: skip


def make_report() -> dict[str, Any]:
    return {
        "format": "telltale.spans/1",
        "signature": "metric:spans|gold:tab@0123abcd|pred:presidio.jsonl@89abcdef|version:1",
        "version": 1,
        "settings": {"threshold": 0.3, "ignore": "symmetric", "scheme": "echr-study", "bootstrap": 1000, "seed": 12345},
        "gold": {
            "name": "tab.json", "format": "tab", "sha256": "0123", "documents": 113, "annotators": ["ann1", "ann2"],
            "spans": 5186, "scored_spans": 3043, "types": {"PERSON": 700}, "has_texts": True,
        },
        "systems": [{"name": "presidio.jsonl", "spans": 3299, "types": {}, "unmapped": {"URL": 3}, "details": {}}],
        "problems": [
            {
                "side": "gold", "kind": "repaired", "count": 1234, "message": "Spans moved.",
                "examples": [{"document": "001", "start": 5, "end": 9, "detail": "Moved by 2."}] * 5,
            },
            {
                "side": "presidio.jsonl", "kind": "only-in-gold", "count": 1, "message": "Not predicted.",
                "examples": [{"document": "002", "start": None, "end": None, "detail": ""}],
            },
        ],
        "warnings": [{"key": "micro-dominated", "message": "63 % of the spans are DATETIME.", "why": "Look at macro."}],
        "results": [make_result(), make_result("other.jsonl")],
        "comparisons": [
            {
                "first": "presidio.jsonl", "second": "other.jsonl", "metric": "f1",
                "difference": interval(0.0, -0.01, 0.01), "p_bootstrap": 0.5, "p_randomisation": None,
            }
        ],
    }  # fmt: skip
