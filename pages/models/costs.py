"""Costs: which threshold is cheapest?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.curves import costs as curves_of_costs
from evalcore.curves.costs import Choice, ClassCosts, CostCurve, Decided, DecisionCurve, UnitCosts
from evalcore.outcomes import ClassOutcomes, Floats
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from evalcore.text import counted
from evalread.dataset import Dataset, Task
from evalview import conclusions, escape, figures, headlines, sentences, text, words
from evalview.conclusions import LACKING, rates
from evalview.figures import confusion, theme
from evalview.figures.costs import NO_INTERVAL, Marked, around, average, brought, prevalences
from evalview.lab import optimum
from evalview.lab.optimum import Certainty
from evalview.sharing import CLASSES_AT_MOST, MOST_CASES, NOTHING_SAID
from evalview.text import low_to_high, percent, threshold as written
from pages.session import cache, computed, costs as costs_session, current
from pages.widgets import chart, guard, inputs, tables

WHAT = "Cost per case, by true class (rows) and decision (columns); negative costs are gains."

BESIDE, MARGIN = 40, 7
"""Letters that have room beside what comes of costs; a column takes so many besides its name."""


def page() -> None:
    """Show the costs to fill in, and what each threshold, or way of deciding, then costs."""
    dataset = guard.need_dataset()
    top, choices = guard.top_and_choices()
    if sum(len(label) + MARGIN for label in _labels(dataset)) <= BESIDE:
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


@dataclass(frozen=True, eq=False)
class Costed:
    """What the page is about: a model, what its decisions cost, and the thresholds to compare.

    Attributes:
        share: Share of the cases that are positive where decisions are made.
        volume: How many cases come in a day.
        given: What the outcomes cost; None before that is said.
    """

    dataset: Dataset
    question: computed.Question
    model: str
    share: float
    volume: int
    given: UnitCosts | None

    @property
    def table(self) -> ScoreTable:
        """The scores of the model."""
        return costs_session.tables(self.question)[self.model]

    @property
    def has_both(self) -> bool:
        """Whether there are rows of both classes."""
        return bool(self.table.positives and self.table.negatives)

    @property
    def best(self) -> Choice | None:
        """The cheapest threshold; None before costs are given."""
        return costs_session.best(self.question, self.model, self.given) if self.given else None

    @property
    def at(self) -> float:
        """The threshold in use."""
        return current.threshold(self.dataset, self.model)

    @property
    def counts(self) -> BinaryCounts:
        """What the threshold in use does to the rows."""
        return self.table.at(self.at)


def of_thresholds(dataset: Dataset, room: Room) -> None:
    """Show what each threshold costs, for a yes-or-no question with scores."""
    question = computed.question_of(dataset)
    model = current.model_among(dataset, question.tables)
    table = question.tables[model].scores
    with room.choices:
        ask_share(dataset, NOTHING_SAID.share(table))
        volume = ask_volume(dataset)
        inputs.pick_model(dataset)  # Last: its width is not known beforehand.
    with room.left, st.container(key="costs-typed"):
        guard.section("Costs", WHAT)
        ask_costs(dataset)
    share, given = current.use(dataset).share(table), costs_session.given(dataset, table)
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
    each_at_its_cheapest(it)
    if given is not None:
        certainty(it, given, scene)
    worth(it, scene)


def of_classes(dataset: Dataset, room: Room) -> None:
    """Show what ways of deciding cost, for several classes with probabilities."""
    able = [name for name, told in dataset.models.items() if told.scored]
    with room.choices:
        volume = ask_volume(dataset)
        model = inputs.pick_model(dataset, among=able)  # Last: its width is not known beforehand.
    with room.left:
        guard.section("Costs", WHAT)
        costs, shares = ask_costs(dataset), ask_shares(dataset)
    made = costs_of_classes(dataset, model, costs, shares)
    with room.top:
        guard.headline(*conclusions.of_class_costs(made, words.spoken(dataset, model)))
    with room.right:
        guard.section(f"In a day with {volume:,} cases")
        ways_compared(made, shares, volume)
    side_by_side(dataset, volume)
    matrices(made, dataset.roles.truth)


def of_labels(dataset: Dataset, room: Room) -> None:
    """Show what the labels of a file cost: there is no threshold to choose."""
    with room.choices:
        if len(dataset.classes) == 2:
            ask_share(dataset, costs_session.share_of_all(dataset))
        volume = ask_volume(dataset)
        model = inputs.pick_model(dataset)
    with room.left:
        guard.section("Costs", WHAT)
        ask_costs(dataset)
        if len(dataset.classes) > 2:
            ask_shares(dataset)
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
    cost, _, ends = around(known[name].cost, known[name].interval, low_to_high).partition(" (")
    told = "" if "no interval" in ends else f"95% interval of that average: {ends[:-1]}."
    return f"{who} costs{most} {cost} per case", told


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
    rows = [
        conclusions.cost_row(name, one, volume) for name, one in made.items() if one is not None
    ]
    if not rows:
        return
    guard.section("Every model, with its current decisions")
    tables.show(pd.DataFrame(rows), hide_index=True, key="every", alt="What every model costs")
    weighted = f" {words.WEIGHTED}" if len(dataset.classes) == 2 else ""
    st.caption(f"{_brackets(dataset)}{weighted}")


def _brackets(dataset: Dataset) -> str:
    use = current.use(dataset)
    is_stated = (use.prevalence, use.shares) != (None, None)
    return f"Brackets: 95% intervals {words.allowing_for(dataset.roles.group, stated=is_stated)}."


def each_at_its_cheapest(it: Costed) -> None:
    """Show what every model costs at its own cheapest threshold, and how sure the order is."""
    if (found := costs_session.compared(it.dataset)) is None:
        return
    made, scores = found.comparison, costs_session.tables(it.question)
    chosen = {
        name: text.shortest_threshold(scores[name], at) if at <= scores[name].threshold[0] else inf
        for name, at in found.thresholds.items()
    }
    guard.section("Every model, at its own cheapest threshold", conclusions.of_cheapest(made))
    rows = pd.DataFrame(sentences.cheapest_rows(made, chosen))
    tables.show(rows, hide_index=True, key="cheapest", alt="Models at their cheapest thresholds")
    st.caption(
        "A threshold chosen on these rows flatters its model: on new ones it costs somewhat more. "
        f"{_brackets(it.dataset)}"
    )


QUESTION = "Which threshold is cheapest?"


def finding(it: Costed) -> tuple[str, str]:
    """Return the cheapest threshold, and what it saves."""
    best, who = it.best, words.spoken(it.dataset, it.model)
    if not it.has_both:
        return QUESTION, _one_sided(it)
    if it.given is None or best is None:
        return QUESTION, _open(it.dataset)
    here = float(it.given.expected(*rates(it.counts)))
    if np.ptp(expected(it.question, it.given)[it.model].y) == 0:
        return "With these costs no threshold is cheaper than another", average(here)
    other = it.table.at(best.threshold)
    alike = (it.counts.tp, it.counts.fp) == (other.tp, other.fp)
    return headlines.of_cheapest(best, who, it.at, here, alike=alike)


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


def certainty(it: Costed, given: UnitCosts, scene: theme.Scene) -> None:
    """Show how sure the cheapest threshold is, and what judging it on its own rows hides."""
    found = certainty_of(it.question, it.model, given)
    tested = conclusions.of_certainty(found, it.dataset.roles.unit)
    guard.section("How sure is that threshold?", tested)
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
            pd.DataFrame(conclusions.estimates_of_cost(found)),
            hide_index=True,
            key="judged",
            alt="The cost per case, estimated in several ways",
        )
        between = " The true cost mostly lies between the bootstrap’s and the other half’s."
        known = f"{_assumed(it)} Brackets: 95% intervals with that share known."
        st.caption(f"{known}{between if found.halves else ''}")


def worth(it: Costed, scene: theme.Scene) -> None:
    """Show when acting on the probabilities pays, and how far an alert can be trusted."""
    share = it.share
    guard.section("Without naming costs", "What the model is worth, and what an alert means.")
    made = decision_curves(it.question, share)
    alerts, rest = curves_of_costs.predictive_values(it.counts, prevalences(share))
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


COST_DAY_FEW = 10
"""With fewer rows of a class than this the choice of a threshold is a guess."""


def day(it: Costed) -> None:
    """Show what a day brings at the threshold in use, at the cheapest, and without a model."""
    table, best = it.table, it.best
    guard.section(
        f"In a day with {it.volume:,} cases{brought(*rates(it.counts), it.share, it.volume)}",
        _about(it),
    )
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
    told = {
        name: conclusions.of_a_day(counts, it.share, it.volume, it.given)
        for name, counts in rows.items()
    }
    frame = pd.DataFrame(told).rename_axis("threshold").reset_index()
    with st.expander("All numbers per day, with intervals", expanded=False):
        tables.show(frame, hide_index=True, key="day", alt="Numbers per day at each threshold")
        st.caption(f"{_assumed(it)} Brackets: 95% intervals. {words.WEIGHTED}")


def _use(dataset: Dataset, model: str, threshold: float) -> None:
    current.explore(dataset, model, threshold, own=current.view().own is not None)


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


def ways_compared(made: ClassCosts, shares: Floats | None, volume: int) -> None:
    """Show what both ways of deciding cost."""
    both = zip(WAYS, (made.likeliest, made.cheapest), strict=True)
    frame = pd.DataFrame(
        [{"decided": way, **conclusions.cost_cells(one, volume)} for way, one in both]
    )
    tables.show(frame, hide_index=True, key="ways", alt="Cost of both ways of deciding")
    st.caption(
        "The cheapest class has the lowest expected cost by the probabilities, which must be "
        f"calibrated for that: see Probabilities. {conclusions.about_shares(shares)} "
        "Brackets: 95% normal intervals."
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
    share = computed.effective_share(question, model)
    return optimum.certainty_of(question.tables[model], unit_costs, share)


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
    outcomes, size = dataset.models[model], len(dataset.classes)
    assert isinstance(outcomes, ClassOutcomes)
    given = None if shares is None else np.array(shares)
    return ClassCosts.of(outcomes, np.array(costs).reshape(size, size), given)


TRUTH = "truth"

MATRIX, HEADING, FEWEST_LETTERS = 1130, 52, 5
"""Pixels of a table at 1440, and of a heading around its letters; so few that 12 classes fit."""

ONE_ROW = 69
"""Pixels of a heading, a row and the lines around them, the last of which is cut off otherwise."""


def ask_costs(dataset: Dataset) -> Floats:
    """Show the (K, K) costs to edit, row = truth, column = decision; return them."""
    if len(dataset.classes) > CLASSES_AT_MOST:
        st.caption(f"With more than {CLASSES_AT_MOST} classes every mistake costs 1.")
        return costs_session.COSTS.now(dataset)
    table, high = costs_session.COSTS, tables.ROW * (len(dataset.classes) + 1) + tables.LINES
    return _edited(dataset, table, "true ↓ called →", _labels(dataset), height=high, format="%g")


def ask_shares(dataset: Dataset) -> Floats | None:
    """Show the shares of several classes to edit; return (K,), None for those of the rows."""
    if len(dataset.classes) > CLASSES_AT_MOST:
        return None
    row = ["% of all cases"]
    cells = {"min_value": 0, "format": "%.2f"}
    _edited(dataset, costs_session.SHARES, "how common", row, height=ONE_ROW, **cells)
    if not costs_session.same_shares(dataset):
        first = words.spoken(dataset, next(iter(dataset.models)))
        st.caption(
            f"Shares in the rows of {escape.markdown(first)}. Until you change them, each model "
            "counts by the shares of its own rows."
        )
    return costs_session.shares(dataset)


def ask_share(dataset: Dataset, share: float | None) -> None:
    """Ask how common the class is where decisions are made; that of the rows if not told.

    `share` is None where models have rows of their own, with other shares.
    """
    known = "as in each model’s rows" if share is None else f"{100 * share:.4g}, as in these rows"
    st.session_state[costs_session.SHARE] = current.use(dataset).prevalence
    st.number_input(
        f"{words.class_of(dataset.roles.truth, dataset.classes[1])} in use, %",
        min_value=0.0,
        max_value=100.0,
        value=None,
        placeholder=known,
        format="%.4g",
        key=costs_session.SHARE,
        on_change=costs_session.take,
        args=(costs_session.SHARE,),
        width=250,
        help="Test files often hold more of this class than real use does. The rates of these "
        "rows are weighted by the share entered here.",
    )


def ask_volume(dataset: Dataset) -> int:
    """Ask how many cases come in a day."""
    st.session_state[costs_session.VOLUME] = current.use(dataset).cases
    st.number_input(
        "Cases per day",
        min_value=1,
        max_value=int(MOST_CASES),
        key=costs_session.VOLUME,
        on_change=costs_session.take,
        args=(costs_session.VOLUME,),
        width=160,
    )
    return current.use(dataset).cases


def _edited(
    dataset: Dataset,
    table: costs_session.Typed,
    head: str,
    rows: Sequence[str],
    *,
    height: int,
    **cells: Any,
) -> Floats:
    """Show numbers to edit, a column for each class, names of rows under `head`; return them."""
    base, key = table.begun(dataset)
    order = _order(dataset)
    # The rows of costs are classes too; those of shares are not.
    down = order if len(base) == len(order) else [0]
    shown = [str(code) for code in order]
    frame = pd.DataFrame(base[np.ix_(down, order)], columns=shown)
    frame.insert(0, TRUTH, rows)
    most = max(FEWEST_LETTERS, (MATRIX // (len(order) + 1) - HEADING) // tables.LETTER)
    columns = {
        code: st.column_config.NumberColumn(
            text.abbreviate(label, most), required=True, help=escape.markdown(label), **cells
        )
        for code, label in zip(shown, _labels(dataset), strict=True)
    }
    st.data_editor(
        frame,
        hide_index=True,
        num_rows="fixed",
        disabled=[TRUTH],
        key=key,
        placeholder="type here",
        column_config={
            TRUTH: st.column_config.TextColumn(head, pinned=len(order) > 2),
            **columns,
        },
        height=height,
        on_change=table.take,
        args=(down,),
    )
    return table.now(dataset)


def _order(dataset: Dataset) -> list[int]:
    """Return the classes in the order of every confusion matrix: the positive of two first."""
    count = len(dataset.classes)
    return [1, 0] if count == 2 else list(range(count))


def _labels(dataset: Dataset) -> list[str]:
    order = _order(dataset)
    most = 13 if len(order) == 2 else 24  # two stand beside a figure, in half the width
    return [escape.visible(text.abbreviate(dataset.classes[code], most)) for code in order]
