"""Slices: for which rows does a model do worse, and is that more than chance?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from evalcore.comparison.candidates import common_rule
from evalcore.errors import EvalError, Notice
from evalcore.evaluation.condense import decide
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate, Sample
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes
from evalcore.slices.columns import Column, chosen, parse
from evalcore.slices.groups import (
    IN,
    RATES as RATE,
    REST,
    Evened,
    Groups,
    Parted,
    evened,
    part,
    side_by_side,
)  # fmt: skip
from evalcore.slices.results import Slices
from evalcore.slices.slicing import Asked, column_of, slices
from evalcore.text import counted, listed
from evalread.attributes import date_columns
from evalread.dataset import Dataset
from evalview import escape, figures, headlines, selections, text, words
from evalview.selections import Selection
from pages.session import cache, computed, current, link, selection
from pages.widgets import chart, comparing, guard, inputs, notices, progress, tables


def page() -> None:
    """Show how a model does in the slices of columns, and where it is weakest of all."""
    dataset = guard.need_dataset(selection.columns(current.dataset()))
    top, choices = guard.top_and_choices()
    with choices:
        metric, model = comparing.pick_sliced(dataset)
    able = comparing.models_with(dataset, metric)
    if others := [name for name in dataset.models if name not in able]:
        said = escape.markdown(escape.visible(listed(others, headlines.MOST_BESIDE)))
        st.caption(f"{comparing.called(metric)} needs something these models do not give: {said}.")
    by = pick_columns(dataset)
    options = current.options(dataset)
    with guard.refusals_told():
        made = slices_of(dataset, by, metric, model, options)
        with top:
            guard.headline(*headlines.of_slices(dataset, made))
        show(dataset, made, "slices", "slice")
        treated(dataset, made, options)
        curves(dataset, made, options)
        notices.folded(tuple(dict.fromkeys((*made.notices, *weakest(dataset, made, options)))))


SOME = 3
"""Columns that are listed at first; more leave no room for their slices."""

MOST = 8
"""Columns that can be listed at once: the search below looks at all."""


def pick_columns(dataset: Dataset) -> tuple[str, ...]:
    """Show the columns to slice by; return those picked, or the first."""
    names, usual = list(dataset.free), list(dataset.free)[:SOME]
    link.pick_several("by", {name: escape.visible(name) for name in names}, usual)
    picked = st.multiselect(
        "Slice by", names, key="by", max_selections=MOST, format_func=escape.in_order
    )
    return tuple(picked or usual)


@cache.cached(entries=40)
def slices_of(
    dataset: Dataset, by: tuple[str, ...], metric: str, model: str, options: Options
) -> Slices:
    """Return every slice of the columns; of those that make none, the others."""
    able = [name for name in by if _makes_slices(dataset, name)]
    return slices(dataset, Asked(tuple(able or by), metric, model, max_columns=1), options)


def _makes_slices(dataset: Dataset, name: str) -> bool:
    try:
        column_of(dataset, name, Asked())
    except EvalError:
        return False
    return True


def show(dataset: Dataset, made: Slices, key: str, of: str) -> None:
    """Show slices as a picture and as a table, `of` what; a click selects the rows of one."""
    by = Selection(made.model)
    figure = figures.draw_slices(chart.of_all(dataset, made.model), made)
    marks = chart.Marks(figure, key, by)
    chart.show(figure, figures.slices_alt(made), key=key, on_click=marks.take)
    table = f"{key}-table"

    def take() -> None:
        if places := st.session_state[table].selection.rows:
            selection.choose(by.of(*selections.of_slice(made.slices[places[0]].rule)))

    shown = pd.DataFrame(headlines.slice_rows(made), dtype=object)
    tables.show(
        tables.inked(shown.style.format(str), "slice"),
        hide_index=True,
        column_config={
            **tables.below_headings(shown),
            **{name: tables.roomy(shown[name]) for name in ("slice", "worse?")},
        },
        on_select=take,
        selection_mode="single-row",
        key=table,
        alt=f"{find(made.metric).name} by {of}",
    )
    st.caption(
        f"{escape.markdown(made.method[:1].upper() + made.method[1:])}. Difference: the slice "
        "minus the rest. Pick a slice in the picture or in the table to see its rows on every page."
    )


def weakest(dataset: Dataset, made: Slices, options: Options) -> Sequence[Notice]:
    """Search all columns for the weakest slices, and show those that hold on other rows.

    Returns what must be known of the columns.
    """
    count = len(dataset.free)
    guard.section(
        "Weak spots",
        f"In {counted(count, 'column')}{' and their pairs' if count > 1 else ''}: slices that look "
        "weak on half of the rows are tested on the other half, so chance findings do not count.",
    )
    found = searched(dataset, made, options)
    if found is None:
        return ()
    said = (
        f"{counted(len(found.confirmed), 'weak spot')} confirmed of "
        f"{counted(found.searched, 'slice')} searched (seed {found.seed})."
        if found.confirmed
        else f"{counted(found.searched, 'slice')} searched (seed {found.seed}). {found.takes}"
    )
    st.write(escape.markdown(said))
    if found.slices:
        show(dataset, found, "weak-spots", "weak spot")
    return found.notices


PATIENCE = 1.0
"""Seconds for which the page waits for the search before it shows how far that is."""

STOPPED = "search_stopped"


def searched(dataset: Dataset, made: Slices, options: Options) -> Slices | None:
    """Return the weakest slices; None while the search goes on beside the page, or was stopped."""
    requests, who = computed.requests(), current.view().data or ""
    key = (dataset.digest, "slices", made.metric, made.model, repr(options))
    if requests.found(key) is None and st.session_state.get(STOPPED) == key:
        st.caption("The search was stopped.")
        st.button("Search", on_click=st.session_state.pop, args=(STOPPED, None))
        return None
    if requests.found(key) is None:
        asked = Asked(None, made.metric, made.model)
        requests.begin(who, key, lambda progress: slices(dataset, asked, options, progress))
    found: Slices | None = requests.wait(who, key, PATIENCE)
    if found is None:
        told, stop = partial(requests.progress, who, key), partial(_stop, who, key)
        progress.of_request(told, stop, "of the slices searched", key="stop-searching")
    return found


def _stop(who: str, key: computed.Key) -> None:
    st.session_state[STOPPED] = key
    computed.requests().stop(who, key)


ONE, EACH = "one", "each"


def curves(dataset: Dataset, made: Slices, options: Options) -> None:
    """Show the ROC curve of a slice beside that of the rest, and what thresholds come to there."""
    rows = dataset.models[made.model]
    if not isinstance(rows, BinaryOutcomes) or rows.score is None or not made.slices:
        return
    if (room := guard.opened("ROC curve of a slice", key="curves")) is None:
        return
    with room:
        labels = {one.text: escape.visible(text.abbreviate(one.text, 60)) for one in made.slices}
        picked = inputs.list_box("Slice", labels, key="curve-of", width=320)
        ways = {ONE: "one for both", EACH: "one each, for as many found"}
        way = inputs.pick_one("Threshold", ways, key="slice-threshold")
        with guard.refusals_told():
            found = parted(dataset, picked, made.model, options)
            _show_curves(dataset, made.model, found, picked, way)


@cache.cached(entries=40)
def parted(dataset: Dataset, rule: str, model: str, options: Options) -> Parted:
    """Return a model in the slice of a rule, and in the rest of its rows."""
    rows, inside = dataset.models[model], chosen(parse(rule), dataset.columns)
    assert isinstance(rows, BinaryOutcomes)
    inside = inside if rows.rows is None else inside[rows.rows - 1]
    return part(rows, inside, replace(options, threshold=options.threshold_of(model)))


def _show_curves(dataset: Dataset, model: str, found: Parted, rule: str, way: str) -> None:
    shared = current.threshold(dataset, model)
    thresholds = [shared, shared] if way == ONE else [*found.evened.thresholds.values()]
    scene = replace(
        chart.of_models(dataset, model),
        names=(IN, REST),
        chosen=IN,
        called=f"{words.spoken(dataset, model)} where {text.abbreviate(rule, 40)}",
        threshold=thresholds[0],
    )
    left, right = st.columns([3, 2])
    with left:
        figure = figures.draw_roc(scene, found.tables, found.areas)
        chart.show(figure, figures.roc_alt(scene, found.areas), key="slice-roc")
    with right:
        sample, told = Sample(Options.level), []
        for name, at in zip((IN, REST), thresholds, strict=True):
            counts = found.tables[name].at(at)
            rates = {
                RATES[key]: _interval(RATE[key].estimate(counts, sample))
                for key in ("recall", "fpr", "precision")
            }
            short = text.shortest_threshold(found.tables[name], at)
            told.append({"rows": name, "threshold": text.threshold(short), **rates})
        tables.written_cell(told, "rows", key="slice-rates", alt="Rates in the slice")
        if way == EACH:
            st.caption(f"Thresholds were {found.evened.note}.")


RATES: Mapping[str, str] = {
    "selection_rate": "called positive",
    "recall": "recall",
    "fpr": "false positive rate",
    "precision": "precision",
    "calibration": "probability minus share",
}
GAPS: Mapping[str, str] = {
    "demographic_parity_difference": "called positive (demographic parity)",
    "equal_opportunity_difference": "recall (equal opportunity)",
    "equalized_odds_difference": "recall or false positive rate (equalised odds)",
    "predictive_parity_difference": "precision (predictive parity)",
}


def treated(dataset: Dataset, made: Slices, options: Options) -> None:
    """Show the groups of a column side by side by their rates, of a yes-or-no question."""
    if not isinstance(dataset.models[made.model], BinaryOutcomes) or not made.columns:
        return
    with st.expander("Are groups treated equally?"):
        dated = date_columns(dataset)  # periods are no groups, unless there is nothing else
        of = {*made.columns} - {*dated} or {*made.columns}
        names = {name: escape.visible(name) for name in made.columns if name in of}
        column = inputs.list_box("Groups of", names, key="groups-of")
        with guard.refusals_told():
            groups = grouped(dataset, column, made.model, options)
            _show_groups(groups)
            _show_evened(dataset, column, made.model, options)


@cache.cached(entries=40)
def grouped(dataset: Dataset, column: str, model: str, options: Options) -> Groups:
    """Return the groups of a column side by side."""
    rows = dataset.models[model]
    assert isinstance(rows, BinaryOutcomes)
    decided = decide(rows, common_rule({model: rows}), options.threshold_of(model))
    return side_by_side(rows, decided, _parts(dataset, column, rows), options)


@cache.cached(entries=40)
def made_even(dataset: Dataset, column: str, model: str, rate: str, options: Options) -> Evened:
    """Return a threshold for each group that makes a rate alike."""
    rows = dataset.models[model]
    assert isinstance(rows, BinaryOutcomes)
    own = replace(options, threshold=options.threshold_of(model))
    return evened(rows, _parts(dataset, column, rows), rate, own)


def _parts(dataset: Dataset, column: str, rows: BinaryOutcomes) -> Column:
    return column_of(dataset, column, Asked((column,))).on(rows.rows)


def _show_groups(groups: Groups) -> None:
    shown = [
        {
            "group": escape.visible(one.condition.text),
            "rows": f"{one.n:,.6g}",
            **{RATES[name]: _interval(one.rates[name]) for name in RATES if name in one.rates},
        }
        for one in groups.groups
    ]
    tables.written_cell(shown, "group", key="groups", alt="Rates by group")
    apart = [
        {"Largest difference in": label, "": _interval(groups.gaps[name])}
        for name, label in GAPS.items()
    ]
    tables.text_table(apart, alt="How far groups are apart")
    st.caption(
        "A difference shows that groups are treated differently, not why. Which of these should "
        "be equal is a question of values: if groups differ in their share of positives, they "
        "cannot all be equal."
    )


def _interval(estimate: Estimate) -> str:
    return text.with_interval(estimate, text.low_dash_high)


def _show_evened(dataset: Dataset, column: str, model: str, options: Options) -> None:
    if not dataset.models[model].scored:
        return
    labels = {name: RATES[name] for name in ("recall", "fpr", "selection_rate")}
    rate = inputs.pick_one("Equalise with a threshold for each group", labels, key="alike")
    found = made_even(dataset, column, model, rate, options)
    shown = [
        {
            "group": escape.visible(name),
            "threshold": text.threshold(threshold),
            "now": _interval(found.before[name]),
            "then": text.number(found.after[name].value),
        }
        for name, threshold in found.thresholds.items()
    ]
    tables.written_cell(shown, "group", key="evened", alt="A threshold for each group")
    st.caption(
        f"Target: {text.number(found.target)}, as over all rows. Accuracy over all rows goes from "
        f"{_interval(found.accuracy_before)} to {text.number(found.accuracy_after.value)}; about "
        f"{counted(found.changed, 'decision')} change. Thresholds were {found.note}."
    )
