"""Columns round a prediction: which they are, and that they are no predictions themselves."""

import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalread.dataset import Choices, Task
from evalread.detection.clusters import unused
from evalread.detection.scores import AROUND, Ends, bounds, centres, end_of, quantile_of
from evalread.loading import load


def rows(header: str, wide: int) -> bytes:
    lines = (",".join(f"{k * 1.37 + c / 3:.4f}" for c in range(wide)) for k in range(40))
    return (header + "\n" + "\n".join(lines) + "\n").encode()


@pytest.mark.parametrize(
    ("header", "models"),
    [
        ("y,q05,q50,q95", {"q50"}),
        ("y,quantile_0.1,quantile_0.5,quantile_0.9", {"quantile_0.5"}),
        ("y,fit,lwr,upr", {"fit"}),
        ("y,prediction,lower,upper", {"prediction"}),
        ("y,.pred,.pred_lower,.pred_upper", {".pred"}),
        ("truth,gbm,gbm_lower,gbm_upper,rf,rf_lower,rf_upper", {"gbm", "rf"}),
        ("y,AutoARIMA,AutoARIMA-lo-95,AutoARIMA-hi-95", {"AutoARIMA"}),
        ("y,Point Forecast,Lo 80,Hi 80,Lo 95,Hi 95", {"Point Forecast"}),
        ("y,yhat,yhat_lower,yhat_upper", {"yhat"}),
    ],
)
def test_a_file_with_intervals_is_read_at_once(header: str, models: set[str]) -> None:
    dataset = load([("f.csv", rows(header, header.count(",") + 1))])
    said = {model.prediction for model in dataset.roles.models.values()}
    assert said == models
    predictions = {n: m.prediction or "" for n, m in dataset.roles.models.items()}
    found = bounds(dataset.table.names, predictions)
    assert set(found) == set(predictions)
    assert unused(dataset.table, dataset.roles) == ()
    told = {column for one in found.values() for column in one.columns} - said
    assert {dataset.roles.reasons[column] for column in told} <= {AROUND}


def test_ends_are_paired_by_the_share_in_their_names() -> None:
    names = ["y", "m", "m_lo_80", "m_hi_80", "m_lo_95", "m_hi_95", "m_hi_99"]
    assert bounds(names, {"m": "m"})["m"].ends == (
        Ends("m_lo_80", "m_hi_80", 0.8),
        Ends("m_lo_95", "m_hi_95", 0.95),
    )
    assert bounds(["y", "m", "lower", "upper"], {"m": "m"})["m"].ends == (Ends("lower", "upper"),)


@pytest.mark.parametrize("header", ["price,prediction,lower,upper", "prediction,lower,upper,price"])
def test_ends_are_no_truth(header: str) -> None:
    assert load([("f.csv", rows(header, 4))]).roles.truth == "price"


def test_which_of_several_numbers_is_the_truth_is_asked_not_refused() -> None:
    content = rows("price,prediction,lower,upper,size", 5)
    with pytest.raises(EvalError) as caught:
        load([("f.csv", content)])
    assert caught.value.code == "ambiguous"
    assert [offer.value for offer in caught.value.offers] == ["price", "size"]
    data = load([("f.csv", content)], Choices(truth="price"))
    assert [model.prediction for model in data.roles.models.values()] == ["prediction"]


def test_whole_numbers_with_ends_round_their_predictions_are_numbers() -> None:
    header = "truth,a_pred,a_lower,a_upper,b_pred,b_q10,b_q50,b_q90"
    body = "".join(f"{i},{i + 0.5},{i - 1},{i + 2},{i},{i - 1},{i},{i + 1}\n" for i in range(40))
    data = load([("f.csv", f"{header}\n{body}".encode())])
    assert data.roles.task is Task.REGRESSION
    assert set(data.models) == {"a", "b"}


def test_two_columns_that_surround_nothing_are_left_alone() -> None:
    assert bounds(["y", "a", "low", "b"], {"a": "a", "b": "b"}) == {}
    assert bounds(["y", "a", "lower"], {"a": "a"}) == {}
    assert centres(["q05", "q95"]) == []


@given(st.text(max_size=30))
def test_any_name_is_taken_without_a_fault(name: str) -> None:
    found = quantile_of(name)
    assert found is None or 0 < found[1] < 1
    end_of(name)
    bounds([name, "y"], {"m": "y"})


@pytest.mark.parametrize("name", ["follow", "q", "sq5", "p", "allow", "halo", "step_2", "0", "1.5"])
def test_ordinary_names_are_no_quantiles_and_no_ends(name: str) -> None:
    assert quantile_of(name) is None
    assert end_of(name) is None
