"""Files of other tasks are named; a file that only looks like one is not."""

import json

import pytest

from evalcore.errors import EvalError
from evalread.dataset import NO_CHOICES, Choices
from evalread.detection.kinds import KINDS, FileKind
from evalread.detection.roles import detect
from evalread.loading import read

from .files import codes, csv, loaded, refused

IDS = [f"{kind.code}: {kind.found}" for kind in KINDS]


def kind_of(head: str, choices: Choices = NO_CHOICES) -> EvalError | None:
    """Return the refusal of a file with this head; None where it is no file of another kind."""
    table = read(*csv(head.replace(";", "\n") + "\n"))
    try:
        detect(table, choices)
    except EvalError as error:
        return error
    return None


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_an_example_of_a_kind_is_named_so(kind: FileKind) -> None:
    error = kind_of(kind.example)
    assert error is not None
    assert error.code == kind.code
    assert error.message.startswith(kind.says.partition("{0}")[0])
    assert error.message.endswith(kind.remedy)


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_what_looks_like_a_kind_is_not_taken_for_it(kind: FileKind) -> None:
    error = kind_of(kind.counter)
    assert error is None or not error.message.startswith(kind.says.partition("{0}")[0])


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_who_names_the_truth_is_not_stopped(kind: FileKind) -> None:
    name = kind.example.split(";")[0].split(",")[0]
    error = kind_of(kind.example, Choices(truth=name))
    assert error is None or not any(
        error.message.startswith(other.says.partition("{0}")[0] or name) for other in KINDS
    )


def test_a_file_of_nothing_but_names_of_models_is_refused() -> None:
    assert refused("model\na\nb\nc\n").code == "no-truth"


OFFERING = [kind for kind in KINDS if kind.truths != "0 0"]


@pytest.mark.parametrize("kind", OFFERING, ids=lambda kind: kind.found)
def test_what_can_be_judged_by_itself_is_offered_and_read(kind: FileKind) -> None:
    error = kind_of(kind.example)
    assert error is not None
    for offer in error.offers:
        assert offer.choice == "truth"
        assert kind_of(kind.example, Choices(truth=str(offer.value))) is None


def test_a_refusal_names_the_columns_that_tell_the_kind() -> None:
    error = refused("model,acc_mean,acc_std\na,0.8,0.01\nb,0.9,0.02\n")
    assert error.code == "finished-metrics"
    assert '"acc_mean", "acc_std"' in error.message


W = ("sick", "well")
READABLE = {
    "an accelerometer": "acc_x,acc_y,acc_z,class,rf_pred;{a},{b},{a},{w},{v}",
    "a stay before death": "time_in_hospital,died,prob_died;{k},{n},{a}",
    "an empty column beside the truth": "category,diagnosis,pred;,{w},{v}",
    "right or wrong beside labels": "diagnosis,model_call,type;{w},{v},{t}",
    "epochs and losses beside labels": "y_true,y_pred,epoch,loss;{w},{v},{k},{a}",
    "a loss of each row": "target,prob,loss;{n},{a},{b}",
    "places of blobs": "x,y,width,height,label,pred;{a},{b},{a},{b},{w},{v}",
}


@pytest.mark.parametrize("row", READABLE.values(), ids=READABLE.keys())
def test_predictions_beside_columns_of_other_kinds_are_read(row: str) -> None:
    header, cells = row.split(";")
    rows = [
        cells.format(
            k=k % 14, n=k % 2, w=W[k % 2], v=W[k % 3 % 2], t=["TP", "FP", "FN", "TN"][k % 4],
            a=round(0.05 + (k * 37 % 90) / 100, 2), b=round(0.07 + (k * 53 % 90) / 100, 2),
        )
        for k in range(60)
    ]  # fmt: skip
    assert loaded("\n".join([header, *rows]) + "\n").models


SUMMARIES = [
    {"accuracy": 0.9, "f1": 0.8, "n": 100},
    {"cat": {"precision": 0.9, "recall": 0.8, "support": 50}, "accuracy": 0.9},
    {"accuracy": 0.84, "labels": ["a", "b"], "mistakes": [[["a", "b"], 8], [["b", "a"], 5]]},
]


@pytest.mark.parametrize("found", SUMMARIES)
def test_a_summary_in_json_is_no_table(found: object) -> None:
    assert refused(("s.json", json.dumps(found).encode())).code == "finished-metrics"


def test_metrics_beside_predictions_in_json_do_not_stand_in_the_way() -> None:
    found = {"accuracy": 0.7, "labels": [1, 0, 1], "preds": [1, 0, 0]}
    assert loaded(("p.json", json.dumps(found).encode())).roles.truth == "labels"
    records = {"accuracy": 0.7, "predictions": [{"y": k % 2, "p": 0.1 * k} for k in range(9)]}
    assert loaded(("p.json", json.dumps(records).encode())).roles.truth == "y"


RUN = "=== Run information ===\n\nScheme:       weka.classifiers.trees.J48 -C 0.25\n"


def test_the_report_of_a_run_of_weka_is_read_for_its_predictions() -> None:
    error = refused(("w.txt", (RUN + "\n=== Summary ===\n\nKappa  0.5\n").encode()))
    assert error.code == "report"
    assert "Output predictions" in error.message
    rows = "".join(f"  {k}  1:yes  {1 + k % 2}:{'yno'[k % 2]}  0.{60 + k}\n" for k in range(1, 9))
    text = "=== Predictions on test data ===\n\ninst#  actual  predicted  prediction\n" + rows
    data = loaded(("w.txt", (RUN + text + "\n=== Summary ===\n\nKappa  0.5\n").encode()))
    assert data.rows == 8


def test_forecasts_can_be_sliced_by_horizon_and_series() -> None:
    rows = "".join(f"s{k % 3},{1 + k % 4},{k}.5,{k}.75\n" for k in range(40))
    data = loaded("series,horizon,actual,forecast\n" + rows)
    (told,) = [notice for notice in data.notices if notice.code == "forecasts"]
    assert [(offer.choice, offer.value) for offer in told.offers] == [
        ("group", "series"),
        ("group", "horizon"),
    ]
    assert "forecasts" not in codes(loaded("shop,wave,actual,forecast\n" + rows))


def test_status_beside_time_is_survival_data() -> None:
    rows = "".join(f"{k * 7 % 40}.5,{1 + k % 2},0.{k + 10}\n" for k in range(40))
    assert refused("time,status,marker\n" + rows).code == "survival"
    assert loaded("time,status,status_score\n" + rows, truth="status").roles.truth == "status"
