"""What tests of language models write: lm-evaluation-harness."""

from collections.abc import Sequence
from dataclasses import replace

from evalcore.errors import EvalError, Notice
from evalcore.intake.labels import plain_if_numbers
from evalcore.intake.model import Table
from evalcore.intake.profile import profile
from evalcore.intake.signatures import Signature
from evalcore.intake.stacked import stacked_settings
from evalcore.intake.translate import (
    parsed,
    rewrite,
    said,
    text,
    with_columns,
)
from evalcore.intake.wording import listed

_ANSWERS = {"0": "wrong", "1": "right"}


def _right_or_wrong(table: Table) -> Table:
    """Turn a metric of 0 and 1 into the answers "right" and "wrong", beside what should be."""
    metrics = _binary_metrics(table)
    answered = rewrite(
        table.columns[metrics[0]],
        metrics[0],
        lambda cell: _ANSWERS.get(plain_if_numbers([cell])[0], cell),
    )
    due = text(["right"] * table.n)
    plain = with_columns(table, {"due": due, "answered": answered}, drop=["target"])
    settings = ["filter"] if "filter" in table.columns else []
    stacked = stacked_settings(plain, settings, ["doc_id"], lambda _: "")
    hints = replace(stacked.hints, truth="due", positive="right")
    return _with_metric(replace(stacked, hints=hints), metrics)


def _binary_metrics(table: Table) -> list[str]:
    """Return the metrics that are 0 or 1 in each row; at least one, or the file tells nothing."""
    declared = parsed(table.columns["metrics"][0].as_py()) if "metrics" in table.columns else []
    names = [n for n in declared if n in table.columns] if isinstance(declared, list) else []
    binary = [name for name in names if profile(table, name).holds_only({"0", "1"})]
    if not binary:
        told = listed(names, 4) or "none"
        raise EvalError(
            "no-right-or-wrong",
            f"No metric of the file is 0 or 1 for each question, so that nothing is right or wrong "
            f"(metrics: {told}). Run the harness with one such as acc or exact_match.",
        )
    return binary


def _with_metric(table: Table, metrics: Sequence[str]) -> Table:
    others = f"; {listed(metrics[1:], 3)} would tell it too" if len(metrics) > 1 else ""
    told = f'An answer is right where "{metrics[0]}" is 1{others}.'
    return said(table, Notice("right-or-wrong", told))


LANGUAGE: tuple[Signature, ...] = (
    Signature(
        tool="lm-evaluation-harness",
        columns="`doc_id, target, filtered_resps, filter, metrics, METRIC`",
        says="each row tells only whether the answer was right; each `filter` is a model",
        needs=("doc_id", "target", "filtered_resps"),
        translate=_right_or_wrong,
        label="answered",
        rows="doc_id",
    ),
)
