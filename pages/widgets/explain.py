"""Numbers on cards, and each explained: its meaning, working, uncertainty, the same in Python."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import streamlit as st

from evalcore.metrics import catalog
from evalcore.metrics.metric import Estimate, Family, Metric
from evalcore.options import Options
from evalcore.results import Decisions, Estimates
from evalread.dataset import Dataset
from evalview import ASSETS, sentences, text
from evalview.escape import html, markdown, visible
from evalview.explained import arithmetic, lookup
from evalview.explained.cards import Card, card_html, chain, facts, terms, written
from evalview.explained.concepts import legend
from evalview.explained.snippets import Snippets, calibration_code, snippets
from pages import contents
from pages.session import current, explanations, findings
from pages.widgets import tables


def score_cards(cards: Sequence[Card], explain: Callable[[Card], None], *, key: str) -> None:
    """Show cards side by side, two by two on a phone; `explain` fills what opens from each."""
    with st.container(key=f"cards-{key}"):
        for card in cards:
            with st.container(key=f"card-{key}-{card.metric.key}"):
                st.html(card_html(card))
                with st.popover("Explain", type="tertiary"):
                    explain(card)


@dataclass(frozen=True)
class Behind:
    """What stands behind a number: how it is worked out, and the Python that gives it."""

    working: arithmetic.Working | None = None
    code: Snippets = field(default_factory=lambda: MappingProxyType({}))


def explain(card: Card, more: Behind) -> None:
    """Explain the number on a card, and show the way to the glossary."""
    metric, estimate = card.metric, card.estimate
    st.markdown(f"**{markdown(metric.name)}.** {markdown(metric.summary)}")
    work_out(metric, more.working)
    if metric.misleads:
        st.markdown(f"**Beware.** {markdown(metric.misleads)}")
    told = "".join(f"<li>{fact}</li>" for fact in facts(metric, estimate))
    st.html(f'<ul class="eb-facts">{told}</ul>')
    show_code(more.code)
    if name := lookup.name_of(metric):
        st.page_link(
            contents.page("glossary"),
            label="Look it up in the glossary",
            query_params=explanations.address(name),
        )


def stands_behind(
    dataset: Dataset, model: str, where: str, metric: Metric, estimate: Estimate
) -> Behind:
    """Return what stands behind a number; `where` is "ranking" or, say, "decisions.labels"."""
    return Behind(
        explanations.working(dataset, model, where, metric, estimate),
        snippets(metric, estimate, explanations.place(dataset, model, where)),
    )


def behind_clustering(dataset: Dataset, name: str, metric: Metric, estimate: Estimate) -> Behind:
    """Return what stands behind a number of a clustering."""
    place = explanations.clustering_place(dataset, name, metric.family.value)
    return Behind(
        explanations.clustering_working(dataset, name, metric, estimate),
        snippets(metric, estimate, place),
    )


def behind_average(
    dataset: Dataset, model: str, where: str, name: str, metric: Metric, estimate: Estimate
) -> Behind:
    """Return what stands behind a mean over classes, of decisions kept at `where`."""
    part = explanations.Part(model, where, name)
    place = explanations.place(dataset, model, where, f"averages[{name!r}]")
    working = explanations.average_working(dataset, part, metric) if estimate.defined else None
    return Behind(working, snippets(metric, estimate, place))


def behind_class(
    dataset: Dataset, model: str, way: str, name: str, metric: Metric, estimate: Estimate
) -> Behind:
    """Return what stands behind a number of one class against all others."""
    part = explanations.Part(model, GROUPS.get(metric.family, f"decisions.{way}"), name)
    group = "class_ranking" if part.where == "ranking" else "per_class"
    place = explanations.place(dataset, model, part.where, f"{group}[{name!r}]")
    working = (
        explanations.class_working(dataset, part, metric, estimate) if estimate.defined else None
    )
    return Behind(working, snippets(metric, estimate, place))


def behind_calibration(
    dataset: Dataset, model: str, options: Options, row: str, metric: Metric, estimate: Estimate
) -> Behind:
    """Return what stands behind a number of a class's probabilities, or of the likeliest's."""
    part = explanations.Part(model, "probability", row if row in dataset.classes else "")
    place = explanations.place(dataset, model, part.where, part.name)
    return Behind(
        explanations.calibration_working(dataset, part, metric, estimate, options),
        MappingProxyType({"evalcore": calibration_code(metric, place, options)}),
    )


def work_out(metric: Metric, working: arithmetic.Working | None) -> None:
    """Show the formula and, where there is one, its working with the live counts."""
    st.latex(metric.formula)
    if symbols := legend(metric):
        st.caption("; ".join(f"${symbol}$ {meaning}" for symbol, meaning in symbols.items()))
    if working is None:
        return
    if working.at is not None:
        st.caption(f"With these rows, at the threshold {text.threshold(working.at)}:")
    if working.parts is not None:
        st.html(terms(working.parts))
    if working.steps[1:] or working.formula != metric.formula:
        st.latex(chain(working, metric))


def show_code(code: Snippets) -> None:
    """Show Python in a tab for each package; it works on all rows, so not of those selected."""
    if not code or current.view().selected:
        return
    for tab, lines in zip(st.tabs(list(code)), code.values(), strict=True):
        with tab:
            st.code(lines, language="python", wrap_lines=True)


Rows = Mapping[str, Estimates]
"""The numbers of a table, by row."""

GROUPS = {Family.RANKING: "ranking", Family.PROBABILITY: "probability", Family.VALUES: "values"}

SCRIPT = ASSETS / "sheet.js"
_SHEET = st.components.v2.component("sheet", js=SCRIPT.read_text("utf-8"))


def explain_number(
    clicked: tables.Picked | None, rows: Rows, behind: Callable[[str, Metric, Estimate], Behind]
) -> None:
    """Explain the number of a table that was clicked, if any was.

    `behind` gives what stands behind the number of a row.
    """
    if clicked is not None:
        found = rows[clicked.row].get(clicked.metric.key, tables.UNKNOWN)
        _open(clicked, found, behind(clicked.row, clicked.metric, found))


def all_models(
    dataset: Dataset, rows: Rows, metrics: Sequence[Metric], *, way: str = "", where: str = ""
) -> None:
    """Show those metrics of all models that any has; a number that is clicked is explained.

    `where` an evaluation keeps them, if it is one place; `way` says which decisions they are of.
    """
    known = [metric for metric in metrics if any(metric.key in found for found in rows.values())]
    places = findings.places(dataset, way, current.options(dataset))
    shown = known[: tables.SIDE_BY_SIDE]
    clicked = tables.ranked_table(rows, shown, of="model", key="models", places=places)

    def behind(model: str, metric: Metric, found: Estimate) -> Behind:
        kept = where or GROUPS.get(metric.family, f"decisions.{way}")
        return stands_behind(dataset, model, kept, metric, found)

    explain_number(clicked, rows, behind)


def _open(clicked: tables.Picked, found: Estimate, more: Behind) -> None:
    with st.container(border=True, key=f"clicked-{clicked.metric.key}"):
        st.button(
            "Close", type="tertiary", key=f"close-{clicked.table}",
            shortcut="Esc", on_click=tables.unselect, args=(clicked.table,)
        )  # fmt: skip
        st.html(
            f'<p class="eb-note">{html(visible(clicked.row))}</p><p class="eb-value">'
            f"<b>{html(written(clicked.metric, found))}</b>"
            f" <small>{html(text.interval(found))}</small></p>"
        )
        with st.container(key=f"sheet-{clicked.table}"):
            number = f"{clicked.row} {clicked.metric.key}"
            _SHEET(data={"table": clicked.table, "number": number}, key=f"giveway-{clicked.table}")
        explain(Card(clicked.metric, found), more)


@dataclass(frozen=True, eq=False)
class Group:
    """Metrics of one kind.

    Attributes:
        place: Where an evaluation keeps them: "ranking", "decisions.threshold".
        metrics: All of them, by key.
        keys: Those to show, in this order.
    """

    place: str
    metrics: Estimates
    keys: Sequence[str]


def model_cards(
    dataset: Dataset, model: str, groups: Sequence[Group], facts: sentences.Facts, *, key: str
) -> None:
    """Show the numbers of a model, each with its sentence and what opens from it."""
    shown = {name: group for group in groups for name in group.keys if name in group.metrics}

    def explained(card: Card) -> None:
        where = shown[card.metric.key].place
        explain(card, stands_behind(dataset, model, where, card.metric, card.estimate))

    score_cards([_card(name, group, facts) for name, group in shown.items()], explained, key=key)


def _card(key: str, group: Group, facts: sentences.Facts) -> Card:
    metric, estimate = catalog.by_key()[key], group.metrics[key]
    return Card(metric, estimate, facts.sentence(key), facts.rows_behind(key))


def decided_cards(
    dataset: Dataset, model: str, way: str, made: Decisions, keys: Sequence[str]
) -> None:
    """Show what decisions made in one way are worth, of a yes-or-no question."""
    group = Group(f"decisions.{way}", made.metrics, keys)
    model_cards(dataset, model, [group], facts_of(dataset, made, made.metrics), key=way)


def facts_of(dataset: Dataset, made: Decisions, *known: Estimates) -> sentences.BinaryFacts:
    """Return what sentences on the cards of a yes-or-no question speak of."""
    negative, positive = dataset.classes
    counts, truth = made.confusion.binary(), dataset.roles.truth
    return sentences.BinaryFacts(positive, negative, counts, known, truth)
