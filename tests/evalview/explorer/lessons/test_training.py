"""Models trained in the browser: they say what scikit-learn's say; schemes deal as they should."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy import stats
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from evalcore.intervals.closed import wilson
from evalview.course import rows
from evalview.course.lessons import lessons
from evalview.lab.splits import TEST, Splits, left_out_error
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

SAID = """([kind, rows, asked, times]) => {
    const model = trained(kind, rows, times ?? undefined);
    return asked.map((one) => [...model(one)]);
}"""
PLAN = {"kind": "nearest neighbours", "dial": 1, "folds": 5, "seed": 3}
SCHEMES = next(one for one in lessons()["splitting"].settings if one.key == "scheme").options


def made(seed: int, n: int = 60, classes: int = 3) -> dict[str, Any]:
    """Return rows drawn at random, with a truth that depends on their features."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, 4)) * [1, 10, 0.1, 3]
    score = features[:, 0] + features[:, 1] / 10 + 0.5 * rng.normal(size=n)
    truth = np.digitize(score, np.linspace(-1, 1, classes - 1)) if classes else score
    names = [f"c{at}" for at in range(classes)]
    group = (np.arange(n) // 4).tolist()
    told = {"features": features.tolist(), "truth": truth.tolist(), "classes": names}
    return told | {"group": group}


def model_of(kind: str, dial: int, classes: int) -> Any:
    if kind == "decision tree":
        tree = DecisionTreeClassifier if classes else DecisionTreeRegressor
        return tree(max_depth=dial, random_state=0)
    near = KNeighborsClassifier if classes else KNeighborsRegressor
    return make_pipeline(StandardScaler(), near(dial))


@pytest.mark.parametrize("classes", [0, 2, 3])
@pytest.mark.parametrize("dial", [1, 2, 5, 20])
def test_neighbours_say_what_scikit_learns_say(classes: int, dial: int, module: Load) -> None:
    told, other = made(1, classes=classes), made(2, classes=classes)
    said = module("training").evaluate(SAID, ["nearest neighbours", told, other["features"], None])
    model = model_of("nearest neighbours", dial, classes).fit(told["features"], told["truth"])
    theirs = model.predict(other["features"])
    assert [one[dial - 1] for one in said] == pytest.approx(theirs.tolist())


@pytest.mark.parametrize("dial", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_trees_of_numbers_say_what_scikit_learns_say(seed: int, dial: int, module: Load) -> None:
    # Of few rows several splits can be equally good, and scikit-learn then draws one.
    told, other = made(seed, 200, classes=0), made(9, classes=0)
    said = module("training").evaluate(SAID, ["decision tree", told, other["features"], None])
    model = model_of("decision tree", dial, 0).fit(told["features"], told["truth"])
    theirs = model.predict(other["features"])
    assert [one[dial - 1] for one in said] == pytest.approx(theirs.tolist())


@pytest.mark.parametrize("classes", [2, 3])
def test_a_tree_of_classes_is_as_pure_as_scikit_learns(classes: int, module: Load) -> None:
    told = made(5, 200, classes=classes)
    said = module("training").evaluate(SAID, ["decision tree", told, told["features"], None])
    found = np.array(said)
    for dial in (1, 2):
        model = model_of("decision tree", dial, classes).fit(told["features"], told["truth"])
        assert found[:, dial - 1].tolist() == model.predict(told["features"]).tolist()
    assert found[:, -1].tolist() == told["truth"]


@pytest.mark.parametrize("kind", ["decision tree", "nearest neighbours"])
def test_a_row_that_trains_twice_counts_as_two(kind: str, module: Load) -> None:
    told, page = made(4, 30, classes=0), module("training")
    times = np.random.default_rng(0).integers(0, 3, 30)
    places = np.repeat(np.arange(30), times)
    asked = made(7, 20, classes=0)["features"]
    copied = told | {
        name: [told[name][at] for at in places] for name in ("features", "truth", "group")
    }
    by_times = page.evaluate(SAID, [kind, told, asked, times.tolist()])
    by_copies = page.evaluate(SAID, [kind, copied, asked, None])
    assert np.array(by_times) == pytest.approx(np.array(by_copies))


def roles_of(page: Page, scheme: str, told: Mapping[str, Any], folds: int, seed: int) -> np.ndarray:
    asked = [scheme, dict(told), folds, seed]
    return np.array(page.evaluate("([scheme, ...rest]) => roundsOf(scheme, ...rest)", asked))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("folds", "seed"), [(2, 0), (5, 3), (15, 999)])
def test_every_scheme_deals_as_it_says(scheme: str, folds: int, seed: int, module: Load) -> None:
    told = made(seed, 60, classes=2)
    role = roles_of(module("schemes"), scheme, told, folds, seed)
    tested = (role == 0).sum(axis=0)
    if "fold" in scheme or scheme == "leave-one-out":
        assert (tested == 1).all()
        assert len(role) == (60 if scheme == "leave-one-out" else folds)
        sizes = (role == 0).sum(axis=1)
        assert sizes.max() - sizes.min() <= (4 if scheme == "group k-fold" else 1)
    if scheme == "bootstrap":
        assert (role.sum(axis=1) == 60).all()
        assert np.mean(role == 0) == pytest.approx((1 - 1 / 60) ** 60, abs=0.02)
    if "hold-out" in scheme:
        assert (np.abs((role == 0).sum(axis=1) - 15) <= 1).all()
    if scheme == "group k-fold":
        group = np.array(told["group"])
        assert all(not set(group[one == 0]) & set(group[one > 0]) for one in role)
    if scheme.startswith("stratified"):
        cases = np.array([np.array(told["truth"])[one == 0].sum() for one in role])
        assert cases.max() - cases.min() <= 1


def test_schemes_that_the_rows_do_not_allow_say_why(module: Load) -> None:
    page = module("schemes")

    def why(scheme: str, told: Mapping[str, Any], folds: int) -> str:
        return page.evaluate("(asked) => refused(...asked)", [scheme, dict(told), folds])

    numeric, few = made(0, classes=0), made(0, 30, 2) | {"truth": [0] * 28 + [1] * 2}
    assert why("stratified k-fold", numeric, 5) == "numbers have no classes to keep in proportion"
    assert why("stratified hold-out", few, 5) == "the rarest class has 2, fewer than 5 folds"
    assert why("group k-fold", numeric | {"group": None}, 5) == "no rows belong together"
    assert why("group k-fold", numeric, 16) == "groups: 15, fewer than 16 folds"
    assert not why("k-fold", numeric, 20)


@pytest.mark.parametrize("classes", [0, 2])
def test_estimates_and_intervals_are_those_of_their_sources(classes: int, module: Load) -> None:
    page, told = module("schemes"), made(6, 60, classes)
    features, truth = np.array(told["features"]), np.array(told["truth"])
    for scheme in ("hold-out", "k-fold", "repeated hold-out", "bootstrap"):
        found = page.evaluate(
            """([scheme, ...rest]) => {
                const { roles, tested, error, low, high } = estimated(scheme, ...rest);
                return { roles, tested, error, ends: [low, high].map(String) };
            }""",
            [scheme, told, PLAN],
        )
        role = np.array(found["roles"], dtype=np.int16)
        losses = np.array([_loss(features, truth, one, classes) for one in role])
        tests = role == TEST
        means = [losses[at][one].mean() for at, one in enumerate(tests)]
        assert found["tested"] == pytest.approx(means)
        if scheme == "bootstrap":
            splits = Splits("bootstrap", role, np.zeros(len(role), dtype=np.int64))
            assert found["error"] == pytest.approx(left_out_error(splits, losses))
            assert found["ends"] == ["NaN", "NaN"]
            continue
        assert found["error"] == pytest.approx(np.mean(means))
        low, high = _ends(means, losses[0][tests[0]], tests.sum() / (role > 0).sum(), classes)
        assert list(map(float, found["ends"])) == pytest.approx([max(0, low), high], abs=1e-9)


def _loss(features: np.ndarray, truth: np.ndarray, role: np.ndarray, classes: int) -> np.ndarray:
    train = np.repeat(np.arange(len(role)), role)
    model = model_of("nearest neighbours", 1, classes).fit(features[train], truth[train])
    off = np.abs(model.predict(features) - truth)
    return (off > 0).astype(float) if classes else off


def _ends(means: list[float], own: np.ndarray, share: float, classes: int) -> tuple[float, float]:
    """Return Student's interval with the variance of Nadeau and Bengio (2003), worked out here."""
    rounds = len(means)
    if rounds == 1 and classes:
        made = wilson(own.sum(), len(own), 0.95)
        return float(made.low), float(made.high)
    if rounds == 1:
        low, high = stats.t.interval(0.95, len(own) - 1, own.mean(), stats.sem(own))
        return low, high
    error = np.sqrt((1 / rounds + share) * np.var(means, ddof=1))
    low, high = stats.t.interval(0.95, rounds - 1, np.mean(means), error)
    return low, high


@pytest.mark.parametrize(
    ("same", "out", "none", "rate", "plus"),
    [
        (0.0, 0.3, 0.5, 0.6, 0.2434),  # R = .3 / .5, w = .632 / (1 - .368 × .6) = .8112
        (0.2, 0.2, 0.5, 0.0, 0.2),  # nothing is over-fitted: both forms are the error
        (0.0, 0.5, 0.5, 1.0, 0.5),  # no better than at random: w = 1
        (0.0, 0.7, 0.5, 1.0, 0.5),  # worse than at random counts as at random
    ],
)
def test_632_and_632_plus_by_hand(
    same: float, out: float, none: float, rate: float, plus: float, module: Load
) -> None:
    found = module("schemes").evaluate("(asked) => weighed(...asked)", [same, out, none])
    assert found["rate"] == pytest.approx(rate)
    assert found["plus632"] == pytest.approx(plus, abs=1e-4)
    assert found["point632"] == pytest.approx(0.368 * same + 0.632 * out)


@pytest.mark.parametrize("name", rows.SAMPLES)
def test_rows_for_use_and_rows_aside_share_neither_row_nor_group(name: str, module: Load) -> None:
    told = dict(rows.sent(name))
    told["truth"] = list(range(len(told["truth"])))  # so that each row can be told from others
    found = module("schemes").evaluate("(asked) => dealtApart(...asked)", [told, 7, 120])
    used, aside = found["used"], found["aside"]
    assert sorted([*used["truth"], *aside["truth"]]) == told["truth"]
    assert len(used["truth"]) <= 120
    if used["group"]:
        assert not set(used["group"]) & set(aside["group"])


def test_visits_of_one_patient_hide_the_error_and_groups_show_it(module: Load) -> None:
    page = module("splitting")
    for seed in (0, 1, 2):
        found = numbers(page, "splitting", seed=seed)
        errors = {one["scheme"]: one["error"] for one in found["made"]}
        assert found["same"] == 0
        assert errors["k-fold"] < 0.1 < 0.25 < errors["group k-fold"]
        assert errors["group k-fold"] == pytest.approx(found["aside"], abs=0.13)
        assert found["same"] < found["point632"] < found["plus632"] <= found["leftOut"]


def test_no_information_is_the_loss_over_all_pairs(module: Load) -> None:
    found = numbers(module("splitting"), "splitting", rows="illness")
    used = found["used"]
    model = model_of("nearest neighbours", 1, 0).fit(used["features"], used["truth"])
    pairs = np.abs(model.predict(used["features"])[:, np.newaxis] - np.array(used["truth"])).mean()
    assert found["none"] == pytest.approx(pairs)


def test_a_scheme_that_rows_do_not_allow_is_not_withdrawn_in_silence(blank: Page) -> None:
    staged = Staged(blank, "splitting")
    assert "Group k-fold comes nearest this time." in staged.says
    blank.get_by_role("button", name="stratified k-fold").click()
    blank.get_by_role("button", name="illness").click()
    assert staged.says.startswith(
        "Stratified k-fold is not possible (numbers have no classes to keep in proportion). K-fold"
    )


def test_a_deep_tree_learns_its_rows_by_heart_and_more_rows_help(module: Load) -> None:
    page = module("overfitting")
    deep, plain = (numbers(page, "overfitting", rows="tumours", dial=dial) for dial in (20, 1))
    assert deep["same"] == 0 < plain["same"]
    assert deep["gap"] > plain["gap"]
    first, last = deep["sizes"][0]["test"][4], deep["sizes"][-1]["test"][4]
    assert (deep["sizes"][0]["size"], deep["sizes"][-1]["size"]) == (10, 80)
    assert last < first
    one = numbers(page, "overfitting", model="nearest neighbours", dial=1)
    assert one["same"] == 0 < one["gap"]


def test_the_validation_curve_is_scikit_learns(module: Load) -> None:
    state = {"rows": "illness", "model": "nearest neighbours", "seed": 2}
    found = numbers(module("overfitting"), "overfitting", **state)
    page = module("schemes")
    used = page.evaluate(
        "([rows, seed]) => dealtApart(rows, seed, 100).used", [dict(rows.sent("illness")), 2]
    )
    role = roles_of(page, "k-fold", used, 10, 2)
    x, y = np.array(used["features"]), np.array(used["truth"])
    for dial in (1, 7, 20):
        model = model_of("nearest neighbours", dial, 0)
        errors = [
            np.abs(model.fit(x[one == 1], y[one == 1]).predict(x[one == 0]) - y[one == 0]).mean()
            for one in role
        ]
        assert found["folds"]["test"][dial - 1] == pytest.approx(np.mean(errors))
