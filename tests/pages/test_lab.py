"""The lab: models trained on a table that comes along or is uploaded, and opened as data."""

import time
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalview.lab import experiments, tables
from evalview.lab.splits import Plan
from pages.session import reading, store
from tests.pages.conftest import words as shown

Opened = Callable[..., AppTest]
QUICK = MappingProxyType({"scheme": "k-fold", "folds": "3"})


def read(at: AppTest) -> str:
    """Return every text of the page, as it reads: without marks that keep text from being code."""
    return "\n".join((shown(at), *(told.value for told in (*at.error, *at.warning)))).translate(
        {ord("\\"): None, 0x2060: None}
    )


def one(at: AppTest, name: str) -> str:
    """Return the only value of a parameter of the address."""
    told = at.query_params[name]
    return told if isinstance(told, str) else "".join(told)


def finished(at: AppTest, key: str = "train") -> AppTest:
    """Begin to train and wait for what comes of it."""
    at.button(key=key).click().run()
    end = time.monotonic() + 50
    while any((button.key or "") == f"stop-{key}" for button in at.button):
        assert time.monotonic() < end
        time.sleep(0.2)
        at.run()
    assert not at.exception
    return at


def test_models_are_trained_and_open_as_data_on_the_summary(empty: Opened) -> None:
    at = empty("lab", rows="iris", trained=["naive Bayes", "decision tree"], **QUICK)
    assert not at.exception
    assert "150 rows: species (3 classes) is predicted from 4 features" in read(at).replace(
        "\\", ""
    )
    finished(at)
    assert "errs least" in read(at)
    at.button(key="open-lab").click().run()
    assert not at.exception
    assert "lab: iris, 3-fold" in read(at)
    token = one(at, "data")
    assert store.files(token) is not None
    found = reading.reading(token, at.session_state["view"].choices).dataset
    assert found is not None
    assert list(found.models) == ["naive Bayes", "decision tree"]
    assert found.fold is not None


def test_features_are_shuffled_once_that_is_asked_for(empty: Opened) -> None:
    at = finished(empty("lab", rows="iris", trained="naive Bayes", **QUICK))
    assert "Permutation importance" not in read(at)
    finished(at, "shuffle")
    assert "of 4 features clearly matter" in read(at)


def test_training_stops_at_once_and_can_begin_again(empty: Opened) -> None:
    at = empty("lab", rows="digits", trained="gradient boosting", scheme="k-fold", folds="50")
    at.button(key="train").click().run()
    at.button(key="stop-train").click().run()  # the training would take minutes
    assert any(button.key == "train" for button in at.button)
    assert not any(button.key == "open-lab" for button in at.button)


def table(n: int = 40, target: Callable[[int], str] = lambda at: "ab"[at % 2]) -> bytes:
    lines = ["id,size,<b>kind</b>,target"]
    lines += [f"{at + 1},{'' if at == 5 else at * 0.7:},{'xy'[at % 3 == 0]},{target(at)}"
              for at in range(n)]  # fmt: skip
    return "\n".join(lines).encode()


def own(empty: Opened, content: bytes, **address: str) -> AppTest:
    return empty("lab", rows="own", table=store.keep([("mine.csv", content)]), **QUICK | address)


def test_a_table_of_ones_own_is_trained_on(empty: Opened) -> None:
    at = own(empty, table(), trained="naive Bayes")
    assert not at.exception
    assert at.selectbox(key="target").value == "target"
    told = read(at)
    assert "is predicted from 2 features" in told
    assert "id: names the rows" in told
    assert "1 cell missing" in told
    finished(at)
    at.button(key="open-lab").click().run()
    assert "lab: mine.csv, 3-fold" in read(at)


def test_a_table_is_removed_with_all_that_was_trained_on_it(empty: Opened) -> None:
    at = finished(own(empty, table(), trained="naive Bayes"))
    token = one(at, "table")
    assert store.files(token) is not None
    at.button(key="remove-table").click().run()
    assert store.files(token) is None
    assert not at.exception
    assert "table" not in at.query_params


BAD = {
    "one class": (table(target=lambda at: "a"), 'is the class "a" in every row'),
    "three rows": (table(3), "3 rows, which is too few"),
    "5,000 texts": (table(5_000, lambda at: f"text {at}"), "5,000 distinct values"),
    "no features": (b"x,target\n" + b"1,a\n1,b\n" * 10, "x: the same in every row"),
    "zeros alone": (b"x,y,target\n" + b"0,0,a\n0,0,b\n" * 10, "y: the same in every row"),
    "one column": (b"target\n" + b"a\nb\n" * 10, "has no column besides the one to predict"),
    "one row": (table(1), "1 row, which is too few: training and testing need at least 10"),
    "no target": (b"x,target\n" + b"1,\n2,\n" * 10, "a value in 0 rows, which is too few"),
    "huge numbers": (table(target=lambda at: f"{at}e200"), "numbers beyond 1e100"),
    "a header": (b"x,y,target\n", "a header (3 columns) but no data rows"),
    "nothing": (b"", "The file is empty (0 bytes)"),
}


@pytest.mark.parametrize("case", list(BAD))
def test_bad_input_is_said_plainly(empty: Opened, case: str) -> None:
    content, said = BAD[case]
    at = own(empty, content, target="target")
    assert not at.exception
    assert at.error
    assert said in read(at)


def test_a_thousand_columns_are_trained_on(empty: Opened) -> None:
    rng = np.random.default_rng(0)
    lines = [",".join([*(f"x{at}" for at in range(1000)), "target"])]
    lines += [",".join([*map("{:.3f}".format, rng.normal(size=1000)), "ab"[at % 2]])
              for at in range(40)]  # fmt: skip
    at = own(empty, "\n".join(lines).encode(), trained="naive Bayes", target="target")
    assert "More features than rows" in read(at)
    finished(at)
    assert any(button.key == "open-lab" for button in at.button)


def test_a_scheme_that_the_rows_do_not_allow_is_said(empty: Opened) -> None:
    rare = table(target=lambda at: "rare" if at == 3 else "b")
    at = finished(own(empty, rare, scheme="stratified k-fold"))
    assert "has 1 row, and stratified k-fold needs 3" in read(at)


def test_a_table_that_is_gone_is_said(empty: Opened) -> None:
    at = empty("lab", rows="own", table="nothing-there")
    assert not at.exception
    assert "no longer here" in read(at)
    assert at.get("file_uploader")


@pytest.mark.parametrize(
    "scheme",
    [{"scheme": "k-fold", "folds": "3", "times": "3"}, {"scheme": "bootstrap", "times": "8"}],
)
@pytest.mark.parametrize(("rows", "score"), [("iris", "accuracy"), ("diabetes", "absolute error")])
def test_scores_of_rounds_are_compared_by_folds(
    empty: Opened, scheme: dict[str, str], rows: str, score: str
) -> None:
    models = ["nearest neighbours", "decision tree"]
    at = finished(empty("lab", rows=rows, trained=models, **scheme))
    at.button(key="open-rounds").click().run()
    assert not at.exception
    assert score in read(at).lower()
    found = reading.reading(one(at, "data"), at.session_state["view"].choices).dataset
    assert found is not None
    scored = found.fold_scores
    assert scored is not None
    assert set(scored.models) == set(models)
    rounds = 9 if scheme["scheme"] == "k-fold" else 8
    assert scored.score.shape == (2, rounds)
    table = tables.BUNDLED[rows]()
    plan = Plan(folds=3, repeats=3 if rounds == 9 else 8)
    made = experiments.run(table, models, experiments.divided(table, scheme["scheme"], plan))
    wanted = [made.trials(name).tested for name in scored.models]
    if table.classes:
        wanted = [1 - loss for loss in wanted]
    np.testing.assert_allclose(np.sort(scored.score), np.sort(wanted), rtol=1e-9)
