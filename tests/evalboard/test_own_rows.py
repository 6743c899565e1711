"""Models with rows of their own, on the command line."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tests.evalboard.said import Run


def rows(n: int, right: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return a test of n rows, of which so many are right."""
    truth = rng.permutation(np.arange(n) % 5 < 2).astype(int)
    wrong = np.arange(n) >= right
    return pd.DataFrame({"truth": truth, "prediction": np.where(wrong, 1 - truth, truth)})


@pytest.fixture
def tests() -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(0)
    return {"north": rows(60, 45, rng), "south": rows(80, 50, rng)}


@pytest.fixture
def two_files(tests: dict[str, pd.DataFrame], tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{name}.csv" for name in tests]
    for path, test in zip(paths, tests.values(), strict=True):
        test.to_csv(path, index=False)
    return paths


@pytest.fixture
def long_file(tests: dict[str, pd.DataFrame], tmp_path: Path) -> list[Path]:
    path = tmp_path / "long.csv"
    both = pd.concat([test.assign(model=name) for name, test in tests.items()])
    both.sample(frac=1, random_state=0).to_csv(path, index=False)
    return [path]


@pytest.mark.parametrize("given", ["two_files", "long_file"])
def test_they_are_compared_as_independent_samples(
    run: Run, given: str, request: pytest.FixtureRequest
) -> None:
    tree = run("compare", *request.getfixturevalue(given), "--json", "--metric", "accuracy").json

    assert (tree["design"], tree["n"]) == ("independent", 140)
    assert tree["primary"] == "two_proportion_z"
    values = {name: model["accuracy"]["value"] for name, model in tree["models"].items()}
    assert values == {"north": 0.75, "south": 0.625}
    test = next(test for test in tree["tests"] if test["name"] == "two_proportion_z")
    expected = stats.chi2_contingency([[45, 15], [50, 30]], correction=False)
    assert test["p_value"] == pytest.approx(expected.pvalue)
    assert test["statistic"] ** 2 == pytest.approx(expected.statistic)
    refused = {refusal["name"]: refusal["why"] for refusal in tree["not_applicable"]}
    assert "rows of its own" in refused["mcnemar_exact"]


@pytest.mark.parametrize("given", ["two_files", "long_file"])
def test_each_is_evaluated_on_its_own_rows(
    run: Run, given: str, request: pytest.FixtureRequest
) -> None:
    tree = run("evaluate", *request.getfixturevalue(given), "--json").json

    assert {name: model["n"] for name, model in tree["models"].items()} == {
        "north": 60,
        "south": 80,
    }
    assert tree["roles"]["model"] == ("file" if given == "two_files" else "model")
    assert "Each model has its own rows; models are compared as independent samples." in [
        notice["message"] for notice in tree["notices"]
    ]
    assert tree["source"]["rows"] == 140


def test_models_on_the_same_rows_name_no_column_of_models(run: Run, file: Path) -> None:
    assert "model" not in run("evaluate", file, "--json").json["roles"]


def test_an_open_case_names_the_options_that_settle_it(
    run: Run, tests: dict[str, pd.DataFrame], tmp_path: Path
) -> None:
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for seed, path in enumerate(paths):
        tests["north"].sample(frac=1, random_state=seed).to_csv(path, index=False)
    said = run("inspect", *paths)

    assert said.code == 2
    assert "--own-rows" in said.err
    assert '--model ""' in said.err
    assert "2 models" in run("inspect", *paths, "--own-rows").out
    assert "120 rows · 1 model" in run("inspect", *paths, "--model", "").out
