"""Two files apart, and rows, at the command line: the text, the JSON, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from tests.evalboard.said import Run


def written(path: Path, n: int, seed: int, *, labels: bool = True) -> Path:
    rng = np.random.default_rng(seed)
    chance = rng.beta(1, 1 + seed, n)
    truth = np.where(rng.random(n) < chance, "yes", "no")
    lines = [f"{t},{p:.4f}" if labels else f"{p:.4f}" for t, p in zip(truth, chance, strict=True)]
    path.write_text("\n".join(["truth,m_score" if labels else "m_score", *lines]), "utf-8")
    return path


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return written(tmp_path / "old.csv", 400, 0)


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return written(tmp_path / "new.csv", 300, 1)


def test_shift_as_json_holds_what_the_documentation_says(run: Run, old: Path, new: Path):
    tree = run("shift", old, new, "--json").json
    assert tree["schema"] == "evalboard.shift/1"
    assert (tree["model"], tree["rows"]) == ("m", {"earlier": 400, "later": 300})
    assert (tree["labels"], tree["assumed"], tree["check"]) == (True, None, {})
    assert [*tree["truth"]] == ["yes"]
    assert [*tree["metrics"]] == ["recall", "precision", "accuracy", "roc_auc", "brier"]
    for one in (*tree["truth"].values(), *tree["metrics"].values()):
        assert {"value", "low", "high", "method"} <= one["earlier"].keys()
        assert {"value", "low", "high", "method"} <= one["later"].keys()
        gap = one["later"]["value"] - one["earlier"]["value"]
        assert one["difference"] == pytest.approx(gap)
        assert one["difference_low"] <= gap <= one["difference_high"]
        assert one["p_adjusted"] >= one["p_value"]
        assert one["test"]
    scores = tree["scores"]
    assert scores["of"] == "scores"
    assert scores["distance"]["low"] <= scores["distance"]["value"] <= scores["distance"]["high"]
    assert scores["above"]["value"] < 0.5
    assert scores["p_adjusted"] < 0.001


def test_metrics_that_are_named_are_compared_and_no_others(run: Run, old: Path, new: Path):
    tree = run("shift", old, new, "--metric", "f1", "--metric", "log_loss", "--json").json
    assert [*tree["metrics"]] == ["f1", "log_loss"]


def test_without_labels_values_are_expected_and_what_they_rest_on_is_said(
    run: Run, old: Path, tmp_path: Path
):
    bare = written(tmp_path / "bare.csv", 300, 1, labels=False)
    tree = run("shift", old, bare, "--json").json
    assert tree["labels"] is False
    assert "are calibrated" in tree["assumed"]
    assert [*tree["check"]] == ["accuracy", "recall", "precision"]
    assert tree["metrics"]["accuracy"]["p_value"] is None
    text = run("shift", old, bare).out
    assert "later, expected" in text
    assert "Estimated, not observed" in text
    assert "The same for the earlier file: accuracy" in text


def test_shift_as_text_is_a_table_with_p_values(run: Run, old: Path, new: Path):
    text = run("shift", old, new).out
    assert "share of yes" in text
    assert "m: 400 rows earlier, 300 later" in text
    assert "Kolmogorov-Smirnov" in text


@pytest.mark.parametrize(
    "words", [("--metric", "nonsense"), ("--judge", "nobody"), ("--metric", "mae")]
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(
    words: tuple[str, ...], run: Run, old: Path, new: Path
):
    left = run("shift", old, new, *words)
    assert left.code == 2
    assert left.err.strip()
    assert "Traceback" not in left.err


def test_a_later_file_without_the_columns_of_models_is_refused(run: Run, old: Path, tmp_path: Path):
    other = tmp_path / "other.csv"
    other.write_text("truth,p\nyes,0.2\nno,0.4\n", "utf-8")
    left = run("shift", old, other)
    assert left.code == 2
    assert 'no column "m_score"' in left.err
    assert run("shift", old).code == 2


def test_rows_as_json_are_ordered_with_their_cells(run: Run, old: Path):
    tree = run("rows", old, "--most", "5", "--json").json
    assert (tree["schema"], tree["model"], tree["by"]) == ("evalboard.rows/1", "m", "loss")
    assert (tree["of"], tree["total"], tree["label_errors"]) == ("log loss", 400, None)
    values = [row["value"] for row in tree["rows"]]
    assert values == sorted(values, reverse=True)
    assert len(values) == 5
    assert {"truth", "m_score"} == tree["rows"][0]["cells"].keys()


def test_doubtful_labels_come_with_how_many_of_them_are_wrong(run: Run, old: Path):
    tree = run("rows", old, "--by", "label-errors", "--json").json
    found = tree["label_errors"]
    assert {"listed", "by_chance", "wrong", "assumed"} == found.keys()
    assert {"value", "low", "high"} <= found["wrong"].keys()
    assert {row["likely"] for row in tree["rows"]} <= {"yes", "no"}
    assert "doubtful labels are wrong" in run("rows", old, "--by", "label-errors").out


@pytest.mark.parametrize("words", [("--by", "size"), ("--by", "disagreement"), ("--judge", "x")])
def test_rows_that_cannot_be_listed_are_refused(words: tuple[str, ...], run: Run, old: Path):
    left = run("rows", old, *words)
    assert left.code == 2
    assert "Traceback" not in left.err


def test_each_of_several_classes_has_numbers_of_its_own(run: Run, tmp_path: Path):
    files = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for seed, file in enumerate(files):
        rng = np.random.default_rng(seed)
        truth = rng.choice(["cat", "dog", "owl"], 300)
        said = np.where(rng.random(300) < 0.8, truth, "cat")
        lines = [f"{t},{s}" for t, s in zip(truth, said, strict=True)]
        file.write_text("\n".join(["truth,m_label", *lines]), "utf-8")
    each = run("shift", *files, "--json").json["per_class"]
    whole = [run("evaluate", file, "--json").json["models"]["m"]["per_class"] for file in files]
    assert [*each] == ["cat", "dog", "owl"]
    for label, row in each.items():
        for key in ("recall", "precision"):
            found = [one["labels"][label][key] for one in whole]
            pairs = zip(("earlier", "later"), found, strict=True)
            for period, other in pairs:
                assert row[key][period] == pytest.approx(other)
    text = run("shift", *files).out
    assert "Each class against all others; p values adjusted for these 6 numbers." in text
    assert "recall of owl" in text


def test_scores_of_rows_that_depend_on_each_other_have_no_p_value_and_the_reason(
    run: Run, old: Path, new: Path
):
    for path in (old, new):
        head, *lines = path.read_text().splitlines()
        rows = (f"{line},P{k // 4}" for k, line in enumerate(lines))
        path.write_text("\n".join([f"{head},patient_id", *rows]))
    said = run("shift", old, new, "--group", "patient_id").out
    assert "no Kolmogorov-Smirnov test: rows depend on each other" in said
