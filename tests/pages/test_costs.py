"""The page about costs: what it finds, what it writes into the address, odd files."""

import json
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, confusion_matrix

from evalcore.curves.costs import ClassCosts
from evalcore.evaluate import evaluate
from evalcore.evaluation.decisions import cells_of, of_whole
from evalcore.metrics.decisions import mean_cost, weighted_accuracy
from evalcore.options import Options
from evalread.dataset import Choices
from evalread.loading import load
from evalview import text
from evalview.lab.optimum import usual_costs
from tests.pages.conftest import Opened, go, grouped, words

SAMPLES = Path(__file__).resolve().parents[2] / "assets" / "samples"
BAD = {
    "one class": "truth,m_score\nyes,0.9\nyes,0.4\nyes,0.7\n",
    "constant": "truth,m_score\nyes,0.5\nno,0.5\nno,0.5\nyes,0.5\n",
    "three rows": "truth,m_score\nyes,0.9\nno,0.4\nno,0.7\n",
    "all ties": "truth,m_score\n" + "yes,0.25\nno,0.25\n" * 6,
    "logits": "truth,m_score\n"
    + "".join(f"{'yes' if k % 3 else 'no'},{k - 8.5}\n" for k in range(20)),
    "huge": "truth,m_score\nyes,1e300\nno,-1e300\nno,0.5\nyes,3e299\n",
    "no weight": "truth,m_score,weight\nyes,0.9,0\nno,0.4,1\nno,0.2,0\n",
}


def figures(at) -> list[str]:
    specs = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]
    return [json.dumps(spec) for spec in specs]


def table(at, column: str):
    return next(shown.value for shown in at.dataframe if column in shown.value.columns)


def test_a_day_is_what_the_rows_say(loaded: Opened) -> None:
    at = loaded("costs", costs="0,1,10,-2", prevalence="5", volume="20000", shown="random forest")
    assert not at.exception
    content = (SAMPLES / "breast_cancer.csv").read_bytes()
    told = load([("f.csv", content)]).models["random forest"]
    (tn, fp), (fn, tp) = confusion_matrix(told.truth, told.score >= 0.5)
    tpr, fpr = tp / (tp + fn), fp / (fp + tn)
    alerts = 20_000 * (0.05 * tpr + 0.95 * fpr)
    cost = 20_000 * (0.05 * (10 - 12 * tpr) + 0.95 * fpr)
    day = table(at, "threshold").set_index("threshold").T
    assert day["alerts"].iloc[0].split(" ")[0] == f"{round(alerts):,}"
    assert day["cost"].iloc[0].split(" ")[0] == f"{round(cost):,}"
    assert day["missed"].tolist()[-2:] == ["1,000", "0"]
    right = (0.05 * 12 * tpr + 0.95 * (1 - fpr)) / (0.05 * 12 + 0.95)
    assert day["weighted accuracy"].iloc[0].split(" ")[0] == f"{right:.1%}"
    assert f"{round(alerts):,} alerts, {round(1000 * (1 - tpr)):,} missed" in words(at)


def test_the_weighted_accuracy_of_the_rows_is_that_of_scikit_learn(loaded: Opened) -> None:
    at = loaded("costs", costs="0,1,10,-2", shown="random forest")
    content = (SAMPLES / "breast_cancer.csv").read_bytes()
    told = load([("f.csv", content)]).models["random forest"]
    weight = np.where(told.truth == 1, 12, 1)
    right = accuracy_score(told.truth, told.score >= 0.5, sample_weight=weight)
    day = table(at, "threshold").set_index("threshold").T
    assert day["weighted accuracy"].iloc[0].split(" ")[0] == f"{right:.1%}"


def test_the_cheapest_threshold_is_used_on_request(loaded: Opened) -> None:
    at = loaded("costs", costs="0,1,10,0", shown="random forest")
    cheapest = at.button(key="use").label.split(" ")[1]
    at.button(key="use").click().run()
    assert not at.exception
    assert float(at.query_params["threshold"]) == pytest.approx(float(cheapest), abs=1e-4)
    assert "The threshold in use" in words(at)


def test_optimism_is_stated_and_judged_out_of_fold(loaded: Opened) -> None:
    at = loaded("costs", costs="0,1,10,0")
    judged = table(at, "judged")
    assert judged["judged"].tolist() == [
        "on the rows it was chosen on",
        "corrected by the bootstrap",
        "on the other half",
        "out of fold",
    ]
    costs = [float(text.split(" ")[0]) for text in judged["cost of a case"]]
    assert costs[0] < min(costs[1:])
    assert "looks cheaper on the rows it was chosen on" in words(at)


def test_a_threshold_that_is_chosen_anew_leads_the_other_pages(loaded: Opened) -> None:
    at = loaded("costs", threshold="0.3", decided="labels", costs="0,1,1,0")
    go(at, "confusion")
    assert "own labels say." in words(at)
    go(at, "costs")
    at.button(key="use").click().run()
    assert "decided" not in at.query_params
    go(at, "confusion")
    assert "when the score is at least 0.402." in words(at)
    at.button_group(key="way_picked").set_value("labels").run()
    assert at.query_params["decided"] == "labels"
    assert "own labels say." in words(at)


def test_costs_that_make_no_sense_are_left_alone(loaded: Opened) -> None:
    for said in ("1,2", "a,b,c,d", "0,1,inf,0", "0,1e300,1,0"):
        at = loaded("costs", costs=said)
        assert not at.exception
        assert "costs" not in at.query_params
        shown = at.dataframe[0].value.drop(columns="truth").to_numpy(float)
        np.testing.assert_array_equal(shown, usual_costs(2)[::-1, ::-1])


def test_costs_are_kept_when_the_page_is_left(loaded: Opened) -> None:
    at = loaded("costs", costs="0,2,7,0")
    go(at, "overview")
    go(at, "costs")
    assert at.query_params["costs"] == "0,2,7,0"


def test_what_decisions_cost_has_the_interval_that_the_command_has_by_groups(
    uploaded: Opened,
) -> None:
    rng = np.random.default_rng(5)
    rows = ["customer,churned,m_score"]
    for customer in range(150):
        truth = customer % 3 == 0
        for _ in range(4):
            rows.append(f"c{customer},{int(truth)},{0.35 * truth + 0.6 * rng.random():.4f}")
    content = "\n".join(rows).encode()
    at = uploaded("costs", "f.csv", content, group="customer", costs="0,1,10,0", threshold="0.3")
    frames = [frame.value for frame in at.dataframe]
    (every,) = [frame for frame in frames if "weighted accuracy" in frame]
    dataset = load([("f.csv", content)], Choices(group="customer"))
    options = Options(threshold=0.3)
    made = evaluate(dataset, options).models["m"].decisions["threshold"].confusion
    cells = cells_of(dataset.models["m"], "threshold", options)
    own = of_whole(mean_cost([[0, 1], [10, 0]]), made, options, cells)
    shown = f"{text.size(own.value)} ({text.size(own.low)} – {text.size(own.high)})"
    assert every["cost of a case"].tolist() == [shown]
    right = of_whole(weighted_accuracy((10, 10, 1, 1)), made, options, cells)
    shown = f"{text.percent(right.value)} ({text.percent(right.low)} – {text.percent(right.high)})"
    assert every["weighted accuracy"].tolist() == [shown]
    assert "by groups of customer" in words(at)
    stated = uploaded("costs", "f.csv", content, group="customer", costs="0,1,10,0", prevalence="9")
    assert "at the stated shares of the classes" in words(stated)


def test_the_share_of_right_alerts_is_the_precision(loaded: Opened) -> None:
    at = loaded("costs", threshold="0.31", shown="random forest")
    file = SAMPLES / "breast_cancer.csv"
    dataset = load([(file.name, file.read_bytes())])
    found = evaluate(dataset, Options(threshold=0.31)).models["random forest"]
    precision = found.decisions["threshold"].metrics["precision"].value
    said = unescape(words(at))
    assert f"Where 37.3% are malignant, {text.percent(precision)} of the alerts are right" in said


def test_several_classes_weigh_costs(loaded: Opened) -> None:
    costs = 1 - np.eye(10)
    costs[3] *= 20
    at = loaded("costs", sample="digits", costs=",".join(f"{c:g}" for c in costs.ravel()))
    assert not at.exception
    assert "of the cases differently, and saves" in words(at)
    assert len(at.get("plotly_chart")) == 2
    plain = loaded("costs", sample="digits")
    assert "always the cheapest" in words(plain)
    assert "those of these rows, unless you enter others" in words(plain)
    assert len(plain.get("plotly_chart")) == 1


def test_the_shares_of_several_classes_can_be_stated(loaded: Opened) -> None:
    shares = "91,1,1,1,1,1,1,1,1,1"
    at = loaded("costs", sample="digits", shares=shares)
    assert not at.exception
    assert at.query_params["shares"] == shares
    assert "of the cases differently" in words(at)
    assert "in proportion: they add up to 100%" not in words(at)
    told = load([("digits.csv", (SAMPLES / "digits.csv").read_bytes())]).models
    outcomes = told["logistic regression"]
    made = ClassCosts.of(outcomes, 1 - np.eye(10), [float(s) for s in shares.split(",")])
    shown = table(at, "decided")["cost of a case"]
    assert [float(text.split(" ")[0]) for text in shown] == pytest.approx(
        [made.likeliest.cost, made.cheapest.cost], abs=5e-4
    )
    twice = loaded("costs", sample="digits", shares="182,2,2,2,2,2,2,2,2,2")
    assert "in proportion: they add up to 200%" in words(twice)
    assert table(twice, "decided")["cost of a case"].tolist() == shown.tolist()


@pytest.mark.parametrize("shares", ["1,2", "a,0,0,0,0,0,0,0,0,0", "-1,9,9,9,9,9,9,9,9,9", "nan"])
def test_shares_that_make_no_sense_are_left_alone(loaded: Opened, shares: str) -> None:
    at = loaded("costs", sample="digits", shares=shares)
    assert not at.exception
    assert "shares" not in at.query_params
    assert "those of these rows, unless you enter others" in words(at)


def test_shares_of_nothing_are_those_of_the_rows(loaded: Opened) -> None:
    at = loaded("costs", sample="digits", shares=",".join("0" * 10))
    assert not at.exception
    assert "those of these rows, unless you enter others" in words(at)


def test_a_share_of_a_class_without_rows_is_told(uploaded: Opened) -> None:
    rows = "".join(f"{'ab'[k % 2]},0.{2 + k % 5},0.3,0.{5 - k % 5}\n" for k in range(40))
    content = f"truth,prob_a,prob_b,prob_c\n{rows}c,,,\n".encode()
    at = uploaded("costs", "f.csv", content, shares="50,40,10")
    assert not at.exception
    assert "A class with a share of all cases has no rows here." in words(at)
    assert table(at, "decided")["cost of a case"].tolist() == ["undefined"] * 2


@pytest.mark.parametrize("name", BAD)
def test_files_that_hold_too_little_say_so(uploaded: Opened, name: str) -> None:
    at = uploaded("costs", "f.csv", BAD[name].encode(), task="binary", positive="yes")
    assert not at.exception
    assert not [text for text in figures(at) if "NaN" in text]
    if name in ("one class", "no weight"):
        assert "rows of both classes" in words(at)
        assert not at.get("plotly_chart")
    else:
        assert "cheapest" in words(at)
    if name in ("logits", "huge"):
        assert any("needs probabilities" in text for text in figures(at))


def test_labels_from_the_file_are_text_in_the_editor(uploaded: Opened) -> None:
    hostile = "<b>x</b>"
    rows = "".join(f"{hostile if k % 2 else 'no'},{k / 40}\n" for k in range(40))
    at = uploaded("costs", "f.csv", f"truth,m_score\n{rows}".encode(), positive=hostile)
    assert not at.exception
    assert hostile not in "".join(html.value for html in at.get("html"))


def test_the_threshold_in_use_is_not_mixed_up_with_one_that_costs_the_same(
    uploaded: Opened,
) -> None:
    content = b"truth,m_score\nyes,0.9\nno,0.1\nyes,0.8\nno,0.2\n"
    said = words(uploaded("costs", "f.csv", content, costs="0,1,1,0"))
    assert "The cheapest threshold of m is 0.8" in said
    assert "The threshold in use, 0.5, gives the same decisions" in said
    same = words(uploaded("costs", "f.csv", content, costs="1,1,1,1"))
    assert "no threshold is cheaper than another" in same


LABELS = "churned,a_label,b_label\n" + "".join(
    f"{truth},{a},{b}\n" * n
    for truth, a, b, n in (
        ("yes", "yes", "yes", 30),
        ("yes", "no", "yes", 10),
        ("no", "yes", "yes", 20),
        ("no", "no", "yes", 40),
        ("no", "no", "no", 100),
    )
)


def test_labels_alone_have_costs_side_by_side(uploaded: Opened) -> None:
    """Model a misses 10 of 40 and alarms 20 of 160; b misses none and alarms 60."""
    at = uploaded("costs", "f.csv", LABELS.encode(), costs="0,1,10,0", volume="1000")
    assert not at.exception
    every = table(at, "cost of all rows").set_index("model")
    assert every["cost of all rows"].tolist() == ["120", "60"]
    assert [cell.split(" ")[0] for cell in every["cost of a case"]] == ["0.600", "0.300"]
    assert every["cost per day"].tolist() == ["600", "300"]
    # A churner weighs 10: (300 + 140) / 560, and (400 + 100) / 560.
    assert [cell.split(" ")[0] for cell in every["weighted accuracy"]] == ["78.6%", "89.3%"]
    assert "b costs least on these rows: 0.300 per case" in words(at)


def test_labels_alone_ask_what_a_miss_costs(uploaded: Opened) -> None:
    at = uploaded("costs", "f.csv", LABELS.encode())
    assert not at.exception
    assert "the cost of missing churned = yes" in words(at)
    share = next(box for box in at.number_input if "in use" in box.label)
    assert share.placeholder == "20, as in these rows"


OWN = "model,truth,label\n" + "a,yes,yes\n" * 3 + "a,no,no\n" * 9 + "b,yes,yes\n" * 8
"""Two models, each with rows of its own; right on all of them so far."""


def test_models_on_rows_of_their_own_have_no_share_in_common(uploaded: Opened) -> None:
    """25% of the rows of a are positive, 8 of 14 of those of b: each counts by its own."""
    own = OWN + "b,no,yes\n" * 6
    at = uploaded("costs", "f.csv", own.encode(), costs="0,1,10,0", own_rows="yes")
    assert not at.exception
    every = table(at, "cost of all rows").set_index("model")
    assert every["cost of all rows"].tolist() == ["0", "6"]
    assert [cell.split(" ")[0] for cell in every["cost of a case"]] == ["0", "0.429"]
    share = next(box for box in at.number_input if "in use" in box.label)
    assert share.placeholder == "as in each model’s rows"


def test_the_share_in_use_weighs_labels_too(uploaded: Opened) -> None:
    at = uploaded("costs", "f.csv", LABELS.encode(), costs="0,1,10,0", prevalence="50")
    every = table(at, "cost of all rows").set_index("model")
    # 0.5 * 10 / 40 * 10 + 0.5 * 20 / 160, and 0.5 * 60 / 160.
    assert [cell.split(" ")[0] for cell in every["cost of a case"]] == ["1.312", "0.188"]


def test_labels_of_several_classes_have_costs(uploaded: Opened) -> None:
    rows = "truth,m_label\n" + "a,a\n" * 6 + "a,b\n" * 2 + "b,b\n" * 5 + "c,a\n" * 1 + "c,c\n" * 6
    at = uploaded("costs", "f.csv", rows.encode(), costs="0,5,1,1,0,1,2,1,0")
    assert not at.exception
    every = table(at, "cost of all rows")
    assert every["cost of all rows"].tolist() == ["12"]
    assert every["cost of a case"].tolist()[0].startswith("0.600 (")
    assert "weighted accuracy" not in every


def test_the_glossary_knows_what_the_costs_page_shows(uploaded: Opened) -> None:
    for metric, value in (
        ("mean_cost", "0.3"),
        ("total_cost", "60"),
        ("weighted_accuracy", "0.89"),
    ):
        address = {"costs": "0,1,10,0", "shown": "b", "metric": metric}
        at = uploaded("glossary", "f.csv", LABELS.encode(), **address)
        assert not at.exception
        assert "only you know" not in words(at)
        assert f"<b>{value}" in words(at)


def test_the_glossary_says_where_costs_are_told(loaded: Opened) -> None:
    at = loaded("glossary", metric="total_cost")
    assert "It depends on costs, which only you know." in words(at)


def test_costs_stand_in_the_order_of_the_confusion_matrix(loaded: Opened) -> None:
    at = loaded("costs", costs="0,1,10,-2")
    typed = at.dataframe[0].value
    assert typed["truth"].tolist() == ["malignant", "benign"]
    assert typed.drop(columns="truth").to_numpy(float).tolist() == [[-2, 10], [1, 0]]


def test_rows_that_depend_on_each_other_are_in_one_half(uploaded: Opened) -> None:
    at = uploaded("costs", "f.csv", grouped(), costs="0,1,5,0")
    assert not at.exception
    assert "on the other half" in table(at, "judged")["judged"].tolist()
    assert "random halves, rows of one “customer_id” together)" in words(at)


def test_rows_that_depend_on_each_other_are_named_where_no_half_is_tested(
    uploaded: Opened,
) -> None:
    rows = b"".join(b"c1,1,0.%d\n" % (5 + one) for one in range(4))
    rows += b"".join(b"c%d,0,0.%d\n" % (2 + one // 2, 1 + one) for one in range(8))
    at = uploaded(
        "costs", "f.csv", b"customer_id,truth,score\n" + rows, costs="0,1,5,0", group="customer_id"
    )
    assert not at.exception
    shown = words(at)
    assert "half of the rows, since those of one “customer_id” stay together" in shown
    assert "other half’s" not in shown


BY_HAND = (
    "y,a_score,a_label,b_score,b_label\n1,.8,0,.7,0\n1,.6,0,.3,0\n0,.4,1,.5,1\n0,.2,1,.1,1\n"
    "0,.1,0,.2,0\n"
)
"""At 0.6 a is right in every row; b finds both positives from 0.3 on, with one false alarm."""


@pytest.mark.parametrize(
    ("said", "threshold", "cost"),
    [({}, "0.3", "0.2"), ({"prevalence": "10"}, "0.7", "0.25")],  # 1 / 5; 5 * 0.1 / 2
)
def test_models_are_compared_each_at_its_cheapest_threshold(
    uploaded: Opened, said: dict[str, str], threshold: str, cost: str
) -> None:
    at = uploaded("costs", "f.csv", BY_HAND.encode(), costs="0,1,5,0", **said)
    assert not at.exception
    shown = table(at, "costs more by")
    assert shown["model"].tolist() == ["a", "b"]
    assert shown["threshold"].tolist() == ["0.6", threshold]
    assert [one.split(" ")[0] for one in shown["cost of a case"]] == ["0", cost]
    assert [one.split(" ")[0] for one in shown["costs more by"]] == ["", cost]
    assert "flatters its model" in words(at)


def test_a_model_that_is_surely_cheaper_at_its_own_threshold_is_said_to_be(
    uploaded: Opened,
) -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(600) < 0.3
    scores = [np.round(rng.normal(by * truth, 1), 3) for by in (0.5, 3)]
    lines = [f"{y:d},{a},{b}" for y, a, b in zip(truth, *scores, strict=True)]
    content = "\n".join(["y,poor_score,good_score", *lines]).encode()
    at = uploaded("costs", "f.csv", content, costs="0,1,5,0")
    assert "good costs less: its mean cost is lower by" in words(at)
    assert "at its own cheapest" not in words(uploaded("costs", "f.csv", content))


def test_a_verdict_says_that_costs_which_are_said_are_left_out_of_it(uploaded: Opened) -> None:
    at = uploaded("overview", "f.csv", BY_HAND.encode(), costs="0,1,5,0")
    assert "Judged without your costs" in words(at)
    assert "See what each model costs" in [link.label for link in at.get("page_link")]
    for said in ({}, {"costs": "0,1,,0"}):  # what a miss costs is still open
        at = uploaded("overview", "f.csv", BY_HAND.encode(), **said)
        assert "your costs" not in words(at)
