"""Costs: which threshold is cheapest?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.curves import costs as curves_of_costs
from evalcore.curves.costs import ClassCosts, CostCurve, Decided, DecisionCurve
from evalcore.evaluation.condense import MOST_FOLDS
from evalcore.intervals import bootstrap, closed
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.outcomes import Floats
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.costs import UnitCosts
from evalcore.text import counted
from evalread.dataset import Dataset, Task
from evalview import escape, figures, text, words
from evalview.figures import confusion, theme
from evalview.figures.costs import NO_INTERVAL, Marked, around, cases, money
from evalview.lab import optimum
from evalview.text import low_to_high, percent, score, size, threshold as written
from pages.models import cost_case
from pages.models.cost_case import Costed, rates
from pages.session import cache, computed, costs as costs_session, current
from pages.widgets import chart, guard, inputs, tables

WHAT = "Cost per case, by true class (rows) and decision (columns); negative costs are gains."

FEW = 4
"""So many classes have room for their costs beside what comes of them."""


def page() -> None:
    """Show the costs to fill in, and what each threshold, or way of deciding, then costs."""
    dataset = guard.need_dataset()
    top, choices = guard.top_and_choices()
    if len(dataset.classes) <= FEW:
        left, right = st.columns([3, 5], gap="medium")
    else:
        left, right = st.container(), st.container()
    room = Room(top, choices, left, right)
    if not any(told.scored for told in dataset.models.values()):
        of_labels(dataset, room)
    elif dataset.roles.task is Task.BINARY:
        of_thresholds(dataset, room)
    else:
        of_classes(dataset, room)


class Room(NamedTuple):
    """Where the parts of the page stand."""

    top: DeltaGenerator
    choices: DeltaGenerator
    left: DeltaGenerator
    right: DeltaGenerator


def of_thresholds(dataset: Dataset, room: Room) -> None:
    """Show what each threshold costs, for a yes-or-no question with scores."""
    question = computed.question_of(dataset)
    model = current.model_among(dataset, question.tables)
    table = question.tables[model].scores
    with room.choices:
        cost_case.ask_share(dataset, costs_session.share(table))
        volume = cost_case.ask_volume(dataset)
        inputs.pick_model(dataset)  # Last: its width is not known beforehand.
    with room.left, st.container(key="costs-typed"):
        guard.section("Costs", WHAT)
        cost_case.ask_costs(dataset)
    share, given = costs_session.in_use(dataset, table), costs_session.given(dataset, table)
    it = Costed(dataset, question, model, share, volume, given)
    scene = chart.of_models(dataset, model)
    with room.top:
        guard.headline(*finding(it))
    if not it.has_both:
        return
    with room.right:
        day(it)
    curves(it, scene)
    side_by_side(dataset, volume)
    if given is not None:
        certainty(it, given, scene)
    worth(it, scene)


def of_classes(dataset: Dataset, room: Room) -> None:
    """Show what ways of deciding cost, for several classes with probabilities."""
    able = [name for name, told in dataset.models.items() if told.scored]
    with room.choices:
        volume = cost_case.ask_volume(dataset)
        model = inputs.pick_model(dataset, among=able)  # Last: its width is not known beforehand.
    with room.left:
        guard.section("Costs", WHAT)
        costs, shares = cost_case.ask_costs(dataset), cost_case.ask_shares(dataset)
    made = costs_of_classes(dataset, model, costs, shares)
    with room.top:
        guard.headline(*finding_of_classes(made, words.spoken(dataset, model)))
    with room.right:
        guard.section(f"In a day with {volume:,} cases")
        ways_compared(made, shares, volume)
    side_by_side(dataset, volume)
    matrices(made, dataset.roles.truth)


def of_labels(dataset: Dataset, room: Room) -> None:
    """Show what the labels of a file cost: there is no threshold to choose."""
    with room.choices:
        if len(dataset.classes) == 2:
            cost_case.ask_share(dataset, costs_session.share_of_all(dataset))
        volume = cost_case.ask_volume(dataset)
        model = inputs.pick_model(dataset)
    with room.left:
        guard.section("Costs", WHAT)
        cost_case.ask_costs(dataset)
        if len(dataset.classes) > 2:
            cost_case.ask_shares(dataset)
    with room.top:
        guard.headline(*finding_of_labels(dataset))
    with room.right:
        side_by_side(dataset, volume)
    if (made := costs_session.decided(dataset, model)) is not None:
        _matrix(made, "by its own labels", "decided-labels", dataset.roles.truth)


def finding_of_labels(dataset: Dataset) -> tuple[str, str]:
    """Return which model costs least, and how sure its cost is."""
    made = {name: costs_session.decided(dataset, name) for name in dataset.models}
    known = {name: one for name, one in made.items() if one is not None and not isnan(one.cost)}
    if not known:
        return "What do these decisions cost?", _open(dataset) or LACKING
    name = min(known, key=lambda each: known[each].cost)
    who = words.at_start(words.spoken(dataset, name))
    most = " least on these rows:" if len(known) > 1 else ""
    ends = around(known[name].interval, low_to_high).strip("()")
    told = f"95% interval of that average: {ends}." if "no interval" not in ends else ""
    return f"{who} costs{most} {size(known[name].cost)} per case", told


LACKING = "A class with a share of all cases has no rows here."


def _open(dataset: Dataset) -> str:
    """Say which cost has to be told first; "" for none."""
    if not np.isnan(costs_session.COSTS.now(dataset)).any():
        return ""
    missed = words.class_of(dataset.roles.truth, dataset.classes[1])
    lead = f"That depends on the cost of missing {missed}: fill in the empty cell."
    return f"{lead} A false alarm costs 1 unless you change it."


def side_by_side(dataset: Dataset, volume: int) -> None:
    """Show what the decisions of every model cost, as they are made now."""
    made = {name: costs_session.decided(dataset, name) for name in dataset.models}
    rows = [_cost_row(dataset, name, one, volume) for name, one in made.items() if one is not None]
    if not rows:
        return
    guard.section("Every model, with its current decisions")
    tables.show(pd.DataFrame(rows), hide_index=True, key="every", alt="What every model costs")
    weighted = (
        " Weighted accuracy counts each case by how much more a mistake on it costs than "
        "the right decision."
    )
    two = len(dataset.classes) == 2
    st.caption(f"Brackets: 95% intervals, unadjusted.{weighted if two else ''}")


def _cost_row(dataset: Dataset, name: str, made: Decided, volume: int) -> dict[str, str]:
    judged = costs_session.judged(dataset, made)
    row = {"model": escape.visible(text.abbreviate(name, 40)), **_cost_cells(made, volume)}
    row["cost of all rows"] = money(judged["total_cost"].value)
    if "weighted_accuracy" in judged:
        row["weighted accuracy"] = _weighted(judged["weighted_accuracy"])
    return row


QUESTION = "Which threshold is cheapest?"
PREVALENCES = 1 / (1 + np.exp(-np.linspace(-7, 3, 81)))


def finding(it: Costed) -> tuple[str, str]:
    """Return the cheapest threshold, and what it saves."""
    best, who = it.best, words.spoken(it.dataset, it.model)
    if not it.has_both:
        return QUESTION, _one_sided(it)
    if it.given is None or best is None:
        return QUESTION, _open(it.dataset)
    here = float(it.given.expected(*rates(it.counts)))
    if np.ptp(expected(it.question, it.given)[it.model].y) == 0:
        return "With these costs no threshold is cheaper than another", _average(here)
    if np.isinf(best.threshold):
        said = f"Flagging nothing is cheapest with {who}"
    else:
        said = f"The cheapest threshold of {who} is {written(best.threshold)}"
    if here <= best.cost:
        same = (it.counts.tp, it.counts.fp) == _flagged(it, best.threshold)
        told = "gives the same decisions" if same else "costs as little"
        return said, f"The threshold in use, {written(it.at)}, {told}. {_average(here)}"
    lead = f"{_average(best.cost)[:-1]}, against {size(here)} now, at {written(it.at)}."
    return said, lead


def _average(cost: float) -> str:
    return f"Average cost per case {size(cost)}."


def _flagged(it: Costed, threshold: float) -> tuple[float, float]:
    counts = it.table.at(threshold)
    return counts.tp, counts.fp


def _one_sided(it: Costed) -> str:
    if not it.table.n:
        return "That needs rows of both classes, and there is no row with a score."
    lacking = it.question.classes[0 if it.table.positives else 1]
    named = words.class_of(it.dataset.roles.truth, lacking)
    return f"That needs rows of both classes, and no row is {named}."


def curves(it: Costed, scene: theme.Scene) -> None:
    """Show the cost at each threshold, and which model is cheapest under which costs."""
    left, right = st.columns(2) if it.given else (st.container(), st.container())
    if it.given is not None and it.best is not None:
        drawn = certainty_of(it.question, it.model, it.given).drawn
        marked = Marked(it.best, NO_INTERVAL if drawn is None else drawn.threshold)
        made = expected(it.question, it.given)
        figure = figures.draw_expected_cost(scene, made, marked)
        with left:
            chart.show(figure, figures.expected_cost_alt(scene, made, marked), key="expected-cost")
    with right:
        curves = cost_curves(it.question)
        at = np.nan if it.given is None else it.given.probability_cost
        figure = figures.draw_cost_curve(scene, curves, curves_of_costs.cost_line(it.counts), at)
        chart.show(figure, figures.cost_curve_alt(scene, curves, at), key="cost-curve")


@dataclass(frozen=True, eq=False)
class Certainty:
    """How sure the cheapest threshold is; None where the rows do not allow to say.

    Attributes:
        drawn: Choosing again on resamples.
        halves: Choosing on one half, judging on the other.
        folds: Choosing on the other folds, judging on each, where the file has folds.
    """

    drawn: optimum.OptimumBootstrap | None
    halves: optimum.Halves | None
    folds: optimum.OutOfFold | None


def certainty(it: Costed, given: UnitCosts, scene: theme.Scene) -> None:
    """Show how sure the cheapest threshold is, and what judging it on its own rows hides."""
    found = certainty_of(it.question, it.model, given)
    guard.section("How sure is that threshold?", _surely(found))
    if found.drawn is None:
        return
    left, right = st.columns(2)
    with left:
        chart.show(
            figures.draw_optimum(scene, found.drawn),
            figures.optimum_alt(scene, found.drawn),
            key="optimum",
        )
    with right:
        tables.show(
            pd.DataFrame(_judged(it, given, found)),
            hide_index=True,
            key="judged",
            alt="The cost per case, estimated in several ways",
        )
        st.caption(
            "Brackets: 95% intervals. The true cost mostly lies between the bootstrap’s and the "
            "other half’s: with few rows resampling corrects too little, and half the rows too "
            "much. Random halves overlap, so their mean has no interval."
        )


def worth(it: Costed, scene: theme.Scene) -> None:
    """Show when acting on the probabilities pays, and how far an alert can be trusted."""
    share = it.share
    guard.section("Without naming costs", "What the model is worth, and what an alert means.")
    made = decision_curves(it.question, share)
    alerts, rest = curves_of_costs.predictive_values(it.counts, PREVALENCES)
    decided = figures.draw_decision_curve(scene, made)
    trusted = figures.draw_predictive_values(scene, alerts, rest, share)
    theme.level(decided, trusted)
    left, right = st.columns(2)
    with left:
        chart.show(decided, figures.decision_curve_alt(scene, made), key="decision")
    with right:
        chart.show(
            trusted, figures.predictive_values_alt(scene, alerts, share), key="predictive-values"
        )


def _surely(found: Certainty) -> str:
    if found.drawn is None:
        return "That needs at least one row of each class."
    if found.halves is None:
        return (
            "There is no second half to test it on: that needs two rows of each class, and "
            "independent rows."
        )
    own, other = found.halves.own, found.halves.other
    said = (
        f"Chosen on one half of the rows, a case costs {size(own)} on that half and {size(other)} "
        f"on the other (mean of {found.halves.splits} random halves)"
    )
    cheaper = ": a threshold looks cheaper on the rows it was chosen on." if other > own else "."
    return said + cheaper


def _judged(it: Costed, given: UnitCosts, found: Certainty) -> list[dict[str, str]]:
    drawn, halves, folds = found.drawn, found.halves, found.folds
    assert drawn is not None
    # Where nothing is flagged no rate is estimated, and the cost is known.
    is_known = np.isinf(drawn.chosen.threshold)
    ends = optimum.of_cost(it.counts_at(drawn.chosen.threshold), given), drawn.cost
    plain, corrected = ("" if is_known else f" {around(each)}" for each in ends)
    mended = drawn.chosen.cost + drawn.optimism
    rows = [
        (
            "on the rows it was chosen on",
            f"{size(drawn.chosen.cost)}{plain}",
            "tends to be too low",
        ),
        (
            "corrected by the bootstrap",
            f"{size(mended)}{corrected}",
            f"adds {size(drawn.optimism)}",
        ),
    ]
    if halves is not None:
        rows.append(("on the other half", size(halves.other), "chosen on half; no interval"))
    if folds is not None:
        chosen = [score(end) for end in (min(folds.thresholds), max(folds.thresholds))]
        note = f"thresholds {' to '.join(dict.fromkeys(chosen))}"
        rows.append(("out of fold", f"{size(folds.cost)} {around(folds.interval)}", note))
    return [{"judged": a, "cost of a case": b, "note": c} for a, b, c in rows]


COST_DAY_FEW = 10
"""With fewer rows of a class than this the choice of a threshold is a guess."""


def day(it: Costed) -> None:
    """Show what a day brings at the threshold in use, at the cheapest, and without a model."""
    table, best = it.table, it.best
    guard.section(f"In a day with {it.volume:,} cases{_brought(it)}", _about(it))
    rows = {f"in use, {written(it.at)}": it.counts}
    if best is not None and np.isfinite(best.threshold):
        rows[f"cheapest, {written(best.threshold)}"] = table.at(best.threshold)
        if best.threshold != it.at:
            st.button(
                f"Use {written(best.threshold)} as the threshold",
                key="use",
                on_click=_use,
                args=(it.dataset, it.model, best.threshold),
            )
    rows |= {"flag nothing": table.at(np.inf), "flag everything": table.at(-np.inf)}
    told = {name: _told_of(it, counts) for name, counts in rows.items()}
    frame = pd.DataFrame(told).rename_axis("threshold").reset_index()
    with st.expander("All numbers per day, with intervals", expanded=False):
        tables.show(frame, hide_index=True, key="day", alt="Numbers per day at each threshold")
        st.caption(
            f"{_assumed(it)} Brackets: 95% intervals. Weighted accuracy counts each case by the "
            "cost of a mistake on it."
        )


def _brought(it: Costed) -> str:
    """Return the alerts and the misses of a day, to follow a colon."""
    tpr, fpr = rates(it.counts)
    if np.isnan(tpr + fpr):
        return ""
    alerts, missed = it.share * tpr + (1 - it.share) * fpr, it.share * (1 - tpr)
    return f": {cases(it.volume * alerts)} alerts, {cases(it.volume * missed)} missed"


def _use(dataset: Dataset, model: str, threshold: float) -> None:
    current.explore(dataset, model, threshold, own=current.view().own is not None)


def _told_of(it: Costed, counts: BinaryCounts) -> dict[str, str]:
    tpr, fpr = rates(counts)
    share, many, fixed = it.share, it.volume, tpr == fpr and tpr in (0, 1)

    def around(
        by_tpr: float, by_fpr: float, start: float = 0.0, show: Callable[[float], str] = cases
    ) -> str:
        value = start + by_tpr * tpr + by_fpr * fpr
        if np.isnan(value):
            return "undefined"
        if fixed:
            return show(many * value)
        ends = closed.of_two_rates(counts, by_tpr, by_fpr)
        low, high = (show(many * (start + float(end))) for end in (ends.low, ends.high))
        return f"{show(many * value)} ({text.low_dash_high(low, high)})"

    told = {
        "alerts": around(share, 1 - share),
        "of them right": around(share, 0.0),
        "missed": around(-share, 0.0, share),
    }
    if (given := it.given) is None:
        return told
    cost = around(-given.of_finding, given.of_flagging, given.of_nothing, money)
    found = costs_session.weighted_accuracy(given, counts)
    weighted = percent(found.value) if fixed and found.defined else _weighted(found)
    return {**told, "cost": cost, "weighted accuracy": weighted}


def _weighted(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return "undefined"
    ends = text.low_dash_high(percent(found.low), percent(found.high))
    return f"{percent(found.value)} ({ends})"


def _about(it: Costed) -> str:
    rows = min(it.table.positives, it.table.negatives)
    few = (
        f" Only {counted(rows, 'row')} of one class: these numbers are rough guesses."
        if rows < COST_DAY_FEW
        else ""
    )
    return f"At the threshold in use, {written(it.at)}. {_assumed(it)}{few}"


def _assumed(it: Costed) -> str:
    sought = words.class_of(it.dataset.roles.truth, it.question.classes[1])
    return f"Assumes {percent(it.share)} are {sought}."


EITHER = "either way"
WAYS = ("for the likeliest class", "for the cheapest class")


def finding_of_classes(made: ClassCosts, who: str) -> tuple[str, str]:
    """Return what weighing the costs saves, and whether that is sure."""
    if isnan(made.saved):
        return "The cost of these decisions is unknown", LACKING
    if not made.changed:
        return (
            f"With these costs, the likeliest class of {who} is always the cheapest",
            "Change a cost to see what allowing for it would save.",
        )
    low = float(made.saved_interval.low)
    saved = f"saves {size(made.saved)} a case {around(made.saved_interval, low_to_high)}"
    lead = f"It decides {percent(made.changed)} of the cases differently, and {saved}."
    if made.saved < 0:
        lead += (
            " Less than 0 is a loss: these probabilities are not accurate enough to decide by "
            "costs."
        )
    sure = "saves" if low > 0 else "may save" if made.saved > 0 else "does not save"
    return f"Deciding by costs {sure} money with {who}", lead


def ways_compared(made: ClassCosts, shares: Floats | None, volume: int) -> None:
    """Show what both ways of deciding cost."""
    both = zip(WAYS, (made.likeliest, made.cheapest), strict=True)
    frame = pd.DataFrame([{"decided": way, **_cost_cells(one, volume)} for way, one in both])
    tables.show(frame, hide_index=True, key="ways", alt="Cost of both ways of deciding")
    st.caption(
        "The cheapest class has the lowest expected cost by the probabilities, which must be "
        f"calibrated for that: see Probabilities. {_said_of_shares(shares)} Brackets: 95% normal "
        "intervals."
    )


def matrices(made: ClassCosts, truth: str) -> None:
    """Show the confusion matrix of both ways side by side; one where they decide alike."""
    if made.changed == 0:
        _matrix(made.likeliest, EITHER, "decided-likeliest", truth)
        return
    both = zip(st.columns(2), (made.likeliest, made.cheapest), WAYS, strict=True)
    for column, decided, way in both:
        with column:
            _matrix(decided, way, f"decided-{way.split()[2]}", truth)


def _matrix(decided: Decided, way: str, key: str, truth: str) -> None:
    st.caption(f"Rows of the file, decided {way}")
    grid = confusion.arranged(decided.confusion, truth)
    figure = figures.draw_confusion_matrix(chart.look(), grid, figures.Shown.COUNTS)
    chart.show(figure, figures.confusion_matrix_alt(decided.confusion, truth), key=key)


def _said_of_shares(shares: Floats | None) -> str:
    """Return how the classes are weighed."""
    if shares is None:
        return "Class shares are those of these rows, unless you enter others."
    total = float(shares.sum())
    added = "" if abs(total - 100) < 0.05 else f", in proportion: they add up to {total:.4g}%"
    return (
        f"Each class counts by the share you entered{added}; the probabilities are adjusted to "
        "these shares first. Within a class, new cases are assumed to be like these rows."
    )


def _cost_cells(made: Decided, volume: int) -> dict[str, str]:
    known = not isnan(made.cost)
    return {
        "cost of a case": f"{size(made.cost)} {around(made.interval)}" if known else "undefined",
        "cost per day": size(volume * made.cost) if known else "undefined",
    }


DRAWN = 400
"""Rows of a score table from which a curve is drawn."""

PROBABILITIES = np.arange(1, 100) / 100
"""Where a decision curve is drawn."""


@cache.cached(entries=100)
def expected(
    question: computed.Question, unit_costs: UnitCosts
) -> Mapping[str, curves_of_costs.Banded]:
    """Return the cost at each threshold, of every model."""
    made = {}
    for name, table in costs_session.tables(question).items():
        drawn = table.thinned(
            DRAWN, keep=(costs_session.best(question, name, unit_costs).threshold,)
        )
        made[name] = curves_of_costs.expected_cost(drawn, unit_costs)
    return made


@cache.cached(entries=100)
def cost_curves(question: computed.Question) -> Mapping[str, CostCurve]:
    """Return the cost curve of every model."""
    return {
        name: CostCurve.from_table(table) for name, table in costs_session.tables(question).items()
    }


@cache.cached(entries=100)
def decision_curves(question: computed.Question, prevalence: float) -> Mapping[str, DecisionCurve]:
    """Return the decision curve of every model that gives probabilities."""
    return {
        name: DecisionCurve.from_table(found.scores, PROBABILITIES, prevalence)
        for name, found in question.tables.items()
        if found.scores and found.probability
    }


@cache.cached(entries=200)
def certainty_of(question: computed.Question, model: str, unit_costs: UnitCosts) -> Certainty:
    """Return how sure the cheapest threshold of a model is."""
    found, options = question.tables[model], Options()
    table = found.scores
    if table is None or min(table.positives, table.negatives) < 1:
        return Certainty(None, None, None)
    plan = bootstrap.Plan(options.resamples, options.level)
    share = computed.effective_share(question, model)
    rng = np.random.default_rng(options.seed)
    drawn = optimum.bootstrap_optimum(table, unit_costs, rng, plan, share=share)
    # Rows of one group would lie in both halves, which would then know each other.
    together = found.rows is not None and found.rows.unit is not None
    nothing = optimum.Halves(np.nan, np.nan, 0)
    rng = np.random.default_rng(options.seed)
    halved = nothing if together else optimum.halves(table, unit_costs, rng)
    folds = [part.scores for part in found.folds.values() if part.scores is not None]
    folded = optimum.out_of_fold(folds, unit_costs) if 2 <= len(folds) <= MOST_FOLDS else None
    return Certainty(
        drawn,
        halved if halved.splits else None,
        folded if folded is not None and np.isfinite(folded.cost) else None,
    )


def costs_of_classes(
    dataset: Dataset, model: str, costs: Floats, shares: Floats | None
) -> ClassCosts:
    """Return what deciding between several classes costs, given the shares of these in use."""
    given = None if shares is None else tuple(shares.tolist())
    return _costs_of_classes(dataset, model, tuple(costs.ravel().tolist()), given)


@cache.cached(entries=100)
def _costs_of_classes(
    dataset: Dataset, model: str, costs: tuple[float, ...], shares: tuple[float, ...] | None
) -> ClassCosts:
    outcomes = dataset.models[model]
    size = len(outcomes.classes)
    given = None if shares is None else np.array(shares)
    return ClassCosts.of(outcomes, np.array(costs).reshape(size, size), given)
