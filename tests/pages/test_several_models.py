"""Bootstrap, cross-validation and leaderboard: for every kind of data, and for odd ones."""

from html import unescape

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest

from pages.session import computed
from pages.widgets import progress
from tests.pages import conftest
from tests.pages.conftest import WHOLE, Opened, words


def html(at: AppTest) -> str:
    return unescape(conftest.html(at))


@pytest.mark.parametrize(
    ("page", "sample", "charts"),
    [
        ("bootstrap", "breast_cancer", 4),
        ("bootstrap", "digits", 4),
        ("bootstrap", "diabetes", 4),
        ("cross_validation", "breast_cancer", 2),
        ("cross_validation", "diabetes", 2),
        ("cross_validation", "folds", 2),
        ("leaderboard", "breast_cancer", 2),
        ("leaderboard", "digits", 2),
        ("leaderboard", "folds", 1),
    ],
)
def test_every_page_is_filled(loaded: Opened, page: str, sample: str, charts: int) -> None:
    at = loaded(page, sample=sample)
    assert not at.exception
    assert not at.error
    assert "<h1" in html(at)
    assert len(at.get("plotly_chart")) == charts


def one_model(folds: int = 5, odd: int | None = None) -> bytes:
    rows = [
        f"{k % 2},{fold},{0.9 - k / 25 if k < fold % 3 else 0.2 + 0.5 * (k % 2) + k / 100:.3f}"
        for fold in range(folds)
        for k in range(20)
    ]
    flipped = [f"{1 - k % 2},{odd},{0.3 + 0.4 * (k % 2)}" for k in range(20)]
    return "\n".join(["truth,fold,score", *rows, *(flipped if odd is not None else [])]).encode()


def test_one_model_with_folds_has_their_mean_and_curves(uploaded: Opened) -> None:
    at = uploaded("cross_validation", "f.csv", one_model(), **{"fold-roc": "true"})
    assert not at.exception
    assert "over 5 folds" in html(at)
    assert "Pooling the rows of all folds gives" in html(at)
    assert [chart.key for chart in at.get("plotly_chart")] == [
        "folds-alone",
        "roc-folds",
        "fold-areas",
    ]


def test_a_fold_unlike_the_others_is_pointed_out_for_one_model(uploaded: Opened) -> None:
    at = uploaded("cross_validation", "f.csv", one_model(10, odd=99), metric="accuracy")
    assert not at.exception
    assert "Fold 99 is unlike the others" in words(at)


def folds_of(datasets: int = 6, models: str = "ABCD") -> bytes:
    rows = [
        f"{m},set {d},{f},{0.7 + 0.03 * k + 0.01 * ((d * 7 + f * 3 + k) % 5)},{k + d}"
        for d in range(datasets)
        for f in range(2)
        for k, m in enumerate(models)
    ]
    return "\n".join(["model,dataset,fold,accuracy,rmse", *rows]).encode()


def test_several_data_sets_have_ranks_with_their_critical_difference(uploaded: Opened) -> None:
    at = uploaded("cross_validation", "f.csv", folds_of())
    assert not at.exception
    assert "6 data sets" in html(at)
    assert [chart.key for chart in at.get("plotly_chart")] == [
        "folds",
        "differences",
        "ranks",
        "slopes-data set",
    ]
    assert "The test: Nemenyi" in html(at)


@pytest.mark.parametrize("sample", ["breast_cancer", "folds"])
def test_where_nemenyi_does_not_apply_nothing_of_it_is_drawn(loaded: Opened, sample: str) -> None:
    at = loaded("cross_validation", sample=sample)
    assert "<b>Nemenyi</b> does not apply" in html(at)
    for page in ("cross_validation", "leaderboard"):
        charts = loaded(page, sample=sample).get("plotly_chart")
        assert "critical difference" not in "".join(chart.proto.spec for chart in charts)


@pytest.mark.parametrize("sample", ["breast_cancer", "folds"])
def test_folds_won_tied_and_lost_add_up(loaded: Opened, sample: str) -> None:
    at = loaded("cross_validation", sample=sample)
    (means,) = [table.value for table in at.dataframe if "folds won" in table.value]
    folds = {"breast_cancer": 10, "folds": 30}[sample]
    assert (means[["folds won", "tied", "lost"]].astype(float).sum(axis=1) == folds).all()
    assert means["folds won"].astype(float).sum() <= folds


@pytest.mark.parametrize("page", ["comparison", "bootstrap"])
def test_scores_of_folds_alone_are_compared_by_folds(loaded: Opened, page: str) -> None:
    at = loaded(page, sample="folds")
    assert not at.exception
    assert "are too close to call" in html(at)
    assert [chart.key for chart in at.get("plotly_chart")] == ["folds", "differences"]


def many(models: int, rows: int = 60) -> bytes:
    rng = np.random.default_rng(0)
    truth = np.arange(rows) % 2
    columns = {"truth": truth} | {
        f"model {k}_score": (truth * 0.3 + rng.random(rows)).round(3) for k in range(models)
    }
    return pd.DataFrame(columns).to_csv(index=False).encode()


@pytest.mark.parametrize("page", ["comparison", "leaderboard"])
def test_sixty_models_are_compared_with_their_names(uploaded: Opened, page: str) -> None:
    at = uploaded(page, "f.csv", many(61))
    assert not at.exception
    assert "<h1" in html(at)
    assert "of 60 pairs can be told apart" in html(at) or "has the best ROC AUC" in html(at)


def test_by_all_metrics_the_headline_counts_where_each_model_leads(loaded: Opened) -> None:
    at = loaded("leaderboard")
    said = "random forest has the best value by 4 of 5 metrics, logistic regression by 1"
    assert said in html(at)
    assert at.multiselect(key="metrics").label == "Metrics (sorted by the first)"
    at.multiselect(key="metrics").set_value(["roc_auc"]).run()
    assert "logistic regression has the best ROC AUC" in html(at)


def test_another_metric_of_the_folds_can_be_picked(uploaded: Opened) -> None:
    for page in ("comparison", "cross_validation"):
        at = uploaded(page, "f.csv", folds_of())
        before = html(at)
        at.selectbox(key="metric").set_value("rmse").run()
        assert not at.exception
        assert html(at) != before
        assert "root mean squared error" in html(at).lower()


@pytest.mark.parametrize(
    ("numbers", "first", "last"),
    [
        ("leads", "○", ""),
        ("values", "○ 0.954", "0.941"),
        ("intervals", "0.954 (0.934 – 0.967) a", "0.941 (0.918 – 0.958) b"),
    ],
)
def test_cells_show_who_leads_values_or_intervals_with_letters(
    loaded: Opened, numbers: str, first: str, last: str
) -> None:
    at = loaded("leaderboard", numbers=numbers)
    styled = at.dataframe[0].proto.arrow_data.styler.display_values
    shown = pa.ipc.open_stream(styled).read_pandas()["ROC AUC"].str.strip()
    assert [shown.iloc[0], shown.iloc[-1]] == [first, last]


def test_of_many_values_marks_show_who_leads_until_values_are_asked_for(uploaded: Opened) -> None:
    for models, cells in ((4, "leads"), (3, "values")):
        at = uploaded("leaderboard", "f.csv", many(models))
        assert at.button_group(key="numbers").value == cells


def chances(at: AppTest) -> pd.DataFrame:
    """Return the table of how often the best is ahead."""
    (found,) = [table.value for table in at.dataframe if "against" in table.value]
    return found


def test_the_rope_is_followed_by_the_shares(loaded: Opened) -> None:
    at = loaded("bootstrap")
    before = chances(at)
    assert list(before.columns) == [
        "against",
        "difference",
        "ahead by more",
        "no difference",
        "behind by more",
    ]
    at.select_slider(key="rope_roc_auc").set_value(0.0).run()
    assert not at.exception
    after = chances(at)
    assert list(after.columns) == ["against", "difference", "ahead", "behind"]
    assert (after["ahead"] > before["ahead by more"]).all()


def test_the_rows_on_which_two_models_disagree_can_be_taken_away(loaded: Opened) -> None:
    at = loaded("comparison", disagree="true", **WHOLE)
    rows = at.dataframe[-1].value
    assert "40 rows, 7.0% of all" in " ".join(c.value for c in at.caption)
    assert len(rows) == 40
    one, other = (rows[f"{name}_score"] for name in ("logistic_regression", "random_forest"))
    assert ((one >= 0.5) != (other >= 0.5)).all()
    assert (one - other).abs().is_monotonic_decreasing
    assert "Download all 40 rows (CSV)" in [button.label for button in at.get("download_button")]


@pytest.mark.parametrize("page", ["bootstrap", "cross_validation", "leaderboard"])
@pytest.mark.parametrize(
    "content",
    [
        b"truth,fold,a_label,b_label\n" + b"y,1,y,y\nn,2,n,n\n" * 9,
        b"truth,fold,a_score,b_score\ny,1,0.5,0.4\nn,2,0.1,0.4\n",
        b"truth,fold,a_score,b_score\ny,1,0.9,0.4\n" + b"n,1,0.1,0.4\nn,2,0.2,0.3\n" * 9,
        b"truth,fold,a_score,b_score\n" + b"y,1,0.5,\nn,1,0.1,\ny,2,,0.4\nn,2,,0.2\n" * 5,
        b"truth,fold,<img src=x>_label,[x](y)_label\n" + b"y,1,n,y\nn,2,n,n\n" * 9,
        b"model,fold,acc\nA,1,0.5\nB,1,0.6\nA,2,0.5\n",
        b"model,fold,<b>x</b>\nA,1,0.5\n<img src=x>,1,0.6\nA,2,0.5\n<img src=x>,2,0.9\n",
    ],
    ids=["identical", "two rows", "one positive", "apart", "hostile", "missing", "hostile folds"],
)
def test_odd_data_give_an_answer_or_a_reason(uploaded: Opened, page: str, content: bytes) -> None:
    at = uploaded(page, "f.csv", content)
    assert not at.exception
    assert not any("<img src" in element.value for element in at.get("html"))


def test_rows_and_folds_say_in_the_headline_which_of_them_answers(loaded: Opened) -> None:
    assert "1 of 3 pairs can be told apart" in html(loaded("comparison"))
    at = loaded("cross_validation")
    assert "Over 10 folds; " in html(at)
    assert "0 of 3 pairs can be told apart" in html(at)
    assert "Folds: would the method be better if retrained?" in words(at)


@pytest.mark.parametrize("metric", ["spearman", "kendall_tau_b"])
def test_correlations_of_ranks_are_drawn_for_few_rows_and_else_it_is_said_why_not(
    metric: str, loaded: Opened, uploaded: Opened
) -> None:
    at = loaded("bootstrap", sample="diabetes").selectbox(key="metric").set_value(metric).run()
    assert not at.exception
    assert "The interval of a model is above" not in words(at)
    lines = [f"{k % 97}.25,{k % 89}.5,{k % 83}.75" for k in range(2001)]
    many = "\n".join(["y_true,a_pred,b_pred", *lines]).encode()
    at = uploaded("bootstrap", "f.csv", many).selectbox(key="metric").set_value(metric).run()
    assert not at.exception
    assert "The interval of a model is above" in words(at)


def test_the_leaderboard_says_how_rows_were_decided_and_what_its_letters_rest_on(
    loaded: Opened, uploaded: Opened
) -> None:
    shown = words(loaded("leaderboard"))
    assert "judged on the same rows" in shown
    assert "the file's own labels are the decisions" in shown.replace("\\", "")
    scores = b"truth,a_score,b_score\n" + b"no,0.2,0.4\nyes,0.9,0.3\n" * 10
    assert "every model calls rows positive" in words(uploaded("leaderboard", "f.csv", scores))
    folds = words(loaded("leaderboard", sample="folds"))
    assert "judged on the same folds" in folds


def test_the_values_of_many_models_are_there_while_resamples_are_drawn(
    loaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[list[str]] = []
    show = progress._show_values
    monkeypatch.setattr(progress, "SOON", -1)
    monkeypatch.setattr(
        progress,
        "_show_values",
        lambda draws: (show(draws), shown.append([one.name for one in draws.candidates.models])),
    )
    at = loaded("comparison", sample="breast_cancer", metric="f1")
    assert not at.exception
    assert len(shown) == 1
    assert "being computed" not in words(at)


def labelled(models: int, classes: tuple[str, ...] = ("a", "b", "c"), rows: int = 300) -> bytes:
    """Return labels of models, each right in two rows of three."""
    rng = np.random.default_rng(1)
    truth = rng.choice(classes, rows)
    said = {
        f"m{at}_label": np.where(rng.random(rows) < 2 / 3, truth, rng.choice(classes, rows))
        for at in range(models)
    }
    return pd.DataFrame({"truth": truth, **said}).to_csv(index=False).encode()


def test_more_models_than_can_be_judged_at_once_begin_with_one_metric(uploaded: Opened) -> None:
    shown = [
        uploaded("leaderboard", "f.csv", labelled(models)).multiselect(key="metrics").value
        for models in (15, 16)
    ]
    assert [len(metrics) for metrics in shown] == [4, 1]


def test_costs_of_many_models_work_out_no_other_numbers(
    uploaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    usual = computed.decisions
    monkeypatch.setattr(
        computed, "decisions", lambda data, model, at: made.append(model) or usual(data, model, at)
    )
    at = uploaded("costs", "f.csv", labelled(30))
    assert not at.exception
    assert len(at.dataframe[-1].value) == 30
    assert len(set(made)) <= 1


def test_thousands_of_classes_have_costs(uploaded: Opened) -> None:
    names = tuple(f"class {at}" for at in range(1200))
    at = uploaded("costs", "f.csv", labelled(2, names, 2400))
    assert not at.exception
    assert not at.error
    assert "every mistake costs 1" in words(at)
    assert list(at.dataframe[0].value["model"]) == ["m0", "m1"]
