"""All that is said about one comparison, anywhere, says the same."""

import re
from itertools import combinations

import numpy as np
import pytest

from evalboard import printing, serialise
from evalcore.compare import compare, verdict
from evalcore.comparison.candidates import default_metric
from evalcore.comparison.headline import needed
from evalcore.comparison.results import Standing
from evalcore.options import Options
from evalread.loading import load
from evalview import sentences
from evalview.figures.comparison import draw_differences, draw_pairwise, pairwise_alt
from evalview.figures.theme import Scene
from evalview.words import told_apart
from pages.widgets import comparing

OPTIONS = Options(resamples=300)
KINDS = ("labels", "scores", "numbers")
USUAL = {"labels": ["accuracy"], "scores": ["roc_auc"], "numbers": ["rmse"]}


def file_of(seed):
    """Return a file of 2 to 8 models, few or many rows, equal or not, with folds or without."""
    rng = np.random.default_rng(seed)
    kind, models = KINDS[seed % 3], int(rng.integers(2, 9))
    n = int(rng.choice([6, 30, 100, 300]))
    worse = rng.choice([0.0, 0.3, 1.0]) * rng.random(models)
    truth = np.arange(n) % 2 if kind != "numbers" else rng.normal(size=n).round(3)
    shared = rng.normal(size=n)
    columns = {"truth": truth}
    for place in range(models):
        noise = (shared + rng.normal(size=n)) * (0.5 + worse[place])
        shown = truth + noise
        told = {"labels": (shown > 0.5).astype(int), "scores": shown.round(4), "numbers": shown}
        ending = {"labels": "label", "scores": "score", "numbers": "pred"}[kind]
        columns[f"m{place}_{ending}"] = told[kind]
    if seed % 5 == 0:
        columns["fold"] = np.arange(n) % 3
    rows = (",".join(map(str, row)) for row in zip(*columns.values(), strict=True))
    return load([("f.csv", "\n".join([",".join(columns), *rows]).encode())])


@pytest.fixture(scope="module", params=range(30))
def case(request):
    dataset = file_of(request.param)
    return dataset, compare(dataset, OPTIONS)


def test_every_pair_has_one_verdict_wherever_it_shows(case):
    _, made = case
    told = made.verdict
    for one, other in combinations(made.order, 2):
        pair, gap = told.between(one, other), made.gap(one, other)
        tested = made.tested(made.primary, one, other)
        apart = pair.better is not None
        assert apart != bool(set(told.letters[one]) & set(told.letters[other]))
        assert apart != any({one, other} <= set(group) for group in told.groups)
        assert not (pair.doubt and apart)
        if apart:
            assert tested.p_adjusted < 0.05
            assert gap.low * gap.high > 0
            assert pair.sure == (tested.p_adjusted < 0.01)
    behind = {name for name in made.order[1:] if told.is_ahead(made.order[0], name)}
    for name in made.order[1:]:
        assert (told.standings[name] is Standing.BEHIND) == (name in behind)
    assert (told.winner is not None) == (len(behind) == len(made.order) - 1)


def test_headline_figures_captions_and_command_line_agree(case):
    dataset, made = case
    pairs = made.verdict.pairs.values()
    apart = sum(pair.better is not None for pair in pairs)
    summary, title, above = made.summary, told_apart(made), comparing.reasons(made)[0]
    if len(pairs) == 1:
        assert ("too close to call" in summary) == (title == "The two cannot be told apart")
        assert summary.startswith("Nothing can be concluded") == title.startswith("Nothing")
        assert (": its " in above) == (title == "The two can be told apart")
    else:
        assert title == f"{apart} of {len(pairs)} pairs can be told apart"
        assert ("too close to call" in summary) <= (made.verdict.winner is None)
        assert (" than the next, " in above) <= made.verdict.is_ahead(*made.order[:2])
        assert ("chance may explain" in above) <= (made.verdict.winner is None)
    leading = [pair for pair in pairs if pair.better == made.order[0]]
    assert ("clearly" in summary) <= any(pair.sure for pair in leading)
    assert ("probably" in summary) <= any(not pair.sure for pair in leading)
    assert ("is real" in summary) <= ("probably" not in summary)
    assert title in pairwise_alt(made)
    assert summary in printing.comparison(made, explain=False)
    assert serialise.comparison(made)["standing"]["groups"] == [
        list(g) for g in made.verdict.groups
    ]
    assert verdict(dataset, OPTIONS).summary == summary


def test_the_reason_names_the_better_one_where_the_verdict_does_and_what_does_not_confirm_it(case):
    _, made = case
    said, (best, other, *_) = sentences.reason(made), made.order
    pair, gap = made.verdict.between(best, other), made.gap(best, other)
    if pair.doubt:
        assert said == sentences.difference(made) == ""
        return
    assert said.startswith(f"{best} ") == (pair.better is not None)
    assert ("probably" in said) == (pair.better is not None and not pair.sure)
    assert ("does not confirm it" in said) == bool(pair.alone)
    by_itself = "taken by itself, this interval excludes 0; the test"
    assert (by_itself in said) == (pair.alone == "interval")
    adjusted = f"the test, adjusted for {len(made.verdict.pairs)} pairs, does not confirm it"
    assert (adjusted in said) == (pair.alone == "interval" and len(made.order) > 2)
    numbers = [float(each.replace("−", "-")) for each in re.findall(r"−?\d+\.\d+", said)]
    far, low, high = numbers
    assert far == pytest.approx(abs(gap.difference), rel=0.05, abs=1e-3)
    assert low <= far <= high
    assert high - low == pytest.approx(gap.high - gap.low, rel=0.05)
    assert (low > 0) == bool(pair.better or pair.alone == "interval")


def test_a_difference_has_a_colour_only_where_the_verdict_says_that_it_is_shown(case):
    _, made = case
    scene = Scene(names=tuple(made.models))
    grey, told = scene.look.secondary, made.verdict
    drawn = {trace.y[0]: trace for trace in draw_differences(scene, made).data if trace.x[0:1]}
    dots = [t for t in draw_differences(scene, made).data if t.mode == "markers"]
    pairs = [(one, other) for one, other in combinations(made.order, 2) if made.gap(one, other)]
    assert len(drawn) == len(dots) <= len(pairs)
    for dot, (one, other) in zip(dots, pairs, strict=False):
        color = dot.marker.color
        shown = told.between(one, other).better is not None
        assert color == (scene.style(one).color if shown else grey)
        gap = made.gap(one, other)
        assert dot.x[0] == pytest.approx(gap.difference)
        value = made.models[one].value - made.models[other].value
        assert gap.difference == pytest.approx(value)


def test_the_columns_of_the_pairs_have_the_names_of_the_models(case):
    _, made = case
    if made.primary:
        axis = draw_pairwise(Scene(names=tuple(made.models)), made).layout.xaxis
        assert [name.replace("<br>", " ") for name in axis.ticktext] == list(made.order)


def test_the_words_of_the_summary_say_what_the_verdict_says(case):
    dataset, made = case
    beside = {"labels": ["accuracy"], "scores": ["accuracy"], "numbers": ["mae"]}
    kind = next(kind for kind in KINDS if default_metric(dataset) in USUAL[kind])
    others = [verdict(dataset, OPTIONS, metric=key) for key in beside[kind] if key != made.metric]
    said, told = sentences.verdict(made, others), made.verdict
    leader = told.order[0]
    if said is None:
        assert made.summary.startswith(("Nothing", "All scores")) or "identical" in made.summary
        return
    headline, besides = said
    assert ("too close to call" in headline) == (told.winner is None)
    assert ("No single best" in headline) <= any(
        other.verdict.is_ahead(name, leader) for other in others for name in told.order
    )
    if "clearly better" in headline or "probably better" in headline:
        assert told.winner == leader
        assert headline.startswith(leader)
        sure = all(told.between(leader, name).sure for name in told.order[1:])
        assert ("clearly" in headline) == sure
        assert not any(other.verdict.is_ahead(n, leader) for other in others for n in told.order)
    for name in told.order[1:]:
        named = re.search(rf"\b{name}\b", besides.partition(";")[0])
        if named and "better than" in besides:
            assert told.is_ahead(leader, name)
    level = [name for name in told.order if not told.is_ahead(leader, name)]
    if "both" in headline:
        assert len(level) == 2 or (told.winner and len(told.order) == 3)


def test_what_is_promised_of_rows_fits_the_verdict(case):
    _, made = case
    said, best = needed(made), made.order[:2]
    if "Nothing can be concluded" in made.summary:
        assert said == ""
        assert made.corrected is None
    if said:
        assert made.sample_size.pairs == len(made.verdict.pairs)
        assert ("To show" in said) <= (not made.verdict.is_ahead(*best))
        asked = re.search(r"about ([\d,]+) rows would be needed", said)
        assert asked is None or int(asked[1].replace(",", "")) > made.n * 0.9
    assert ("A true difference of" in made.summary) <= bool(said)


def test_the_best_model_is_never_corrected_to_look_better(case):
    _, made = case
    if made.corrected is not None:
        shown = made.models[made.corrected.model].value
        lower = made.better.value == "lower"
        assert made.corrected.model == made.order[0]
        assert made.corrected.value > shown if lower else made.corrected.value < shown
        assert sum(one.code == "best-of-many" for one in made.notices) == 1
