"""Numbers on cards, and each explained: its meaning, working, uncertainty, the same in Python."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType

import streamlit as st

from evalcore.metrics import catalog
from evalcore.metrics.metric import Estimate, Family, Metric
from evalcore.metrics.vocabulary import Source
from evalcore.options import Options
from evalcore.results import Decisions, Estimates
from evalread.dataset import Dataset
from evalview import ASSETS, sentences, text
from evalview.escape import html, markdown, visible
from evalview.explained import arithmetic, lookup
from evalview.explained.concepts import legend
from evalview.explained.snippets import Place, calibration_code, evalcore_code, sklearn_code
from pages import contents
from pages.session import current, explanations
from pages.widgets import tables

FEW_ROWS = 30
"""Below this many rows a number says little, however it looks."""


@dataclass(frozen=True, eq=False)
class Card:
    """One number to show.

    Attributes:
        metric: Its declaration.
        estimate: The number with its interval.
        says: What it means for these rows.
        rows: How many rows it rests on; None if that is not known.
    """

    metric: Metric
    estimate: Estimate
    says: str = ""
    rows: float | None = None


def score_cards(cards: Sequence[Card], explain: Callable[[Card], None], *, key: str) -> None:
    """Show cards side by side, two by two on a phone; `explain` fills what opens from each."""
    with st.container(key=f"cards-{key}"):
        for card in cards:
            with st.container(key=f"card-{key}-{card.metric.key}"):
                st.html(card_html(card))
                with st.popover("Explain", type="tertiary"):
                    explain(card)


def card_html(card: Card) -> str:
    """Return the card as HTML; every text in it is escaped."""
    estimate = card.estimate
    number_class = "eb-number" if estimate.defined else "eb-number eb-undefined"
    parts = [
        _card_line("eb-name", card.metric.name),
        _card_line(number_class, text.number(estimate.value, text.decimals(estimate))),
        _interval(card.metric, estimate),
        _card_line("eb-says", card.says if estimate.defined else _reason(card)),
        *(_card_line("eb-flag", flag) for flag in flags(card)),
    ]
    return f'<div class="eb-score">{"".join(parts)}</div>'


def flags(card: Card) -> list[str]:
    """Return what to beware of before believing the number."""
    found = []
    if card.rows is not None and card.rows < FEW_ROWS and card.estimate.defined:
        found.append(f"rests on {text.counted(card.rows, 'row')} only")
    if card.estimate.note:
        found.append(card.estimate.note)
    return found


def _reason(card: Card) -> str:
    return card.estimate.why or card.metric.undefined_when


def _card_line(name: str, text: str) -> str:
    return f'<p class="{name}">{html(text)}</p>' if text else ""


def _interval(metric: Metric, estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    made = html(lookup.told(estimate))
    return (
        f'<p class="eb-interval" title="{made}">{_bar(metric, estimate)}'
        f'<span class="eb-hidden">{estimate.level:.0%} interval: </span>'
        f"{html(text.interval(estimate))}</p>"
    )


def _bar(metric: Metric, estimate: Estimate) -> str:
    """Return the interval within the range of the metric, if that range is finite."""
    low, value, high = (
        _position(metric, end) for end in (estimate.low, estimate.value, estimate.high)
    )
    if low is None or value is None or high is None:
        return ""
    return (
        f'<span class="eb-range" aria-hidden="true">'
        f'<i style="left:{low:.1f}%;width:{max(high - low, 1):.1f}%"></i>'
        f'<b style="left:{value:.1f}%"></b></span>'
    )


def _position(metric: Metric, value: float | None) -> float | None:
    span = metric.high - metric.low
    if value is None or not 0 < span < float("inf"):
        return None
    return min(100.0, max(0.0, 100 * (value - metric.low) / span))


Snippets = Mapping[str, str]
"""Python by the package that it shows."""


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
    dataset: Dataset, part: explanations.Part, metric: Metric, estimate: Estimate
) -> Behind:
    """Return what stands behind a mean over classes."""
    place = explanations.place(dataset, part.model, part.where, f"averages[{part.name!r}]")
    working = explanations.average_working(dataset, part, metric) if estimate.defined else None
    return Behind(working, snippets(metric, estimate, place))


def behind_class(
    dataset: Dataset, part: explanations.Part, metric: Metric, estimate: Estimate
) -> Behind:
    """Return what stands behind a number of one class against all others."""
    group = "class_ranking" if part.where == "ranking" else "per_class"
    place = explanations.place(dataset, part.model, part.where, f"{group}[{part.name!r}]")
    working = (
        explanations.class_working(dataset, part, metric, estimate) if estimate.defined else None
    )
    return Behind(working, snippets(metric, estimate, place))


def behind_calibration(
    dataset: Dataset, part: explanations.Part, metric: Metric, estimate: Estimate, options: Options
) -> Behind:
    """Return what stands behind a number of a class's probabilities, or of the likeliest's."""
    place = explanations.place(dataset, part.model, part.where, part.name)
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


def terms(parts: arithmetic.Parts) -> str:
    """Return the terms that a number is made of as a table, in HTML."""
    words_at = [isinstance(cell, str) for cell in parts.rows[0]] if parts.rows else []
    kinds = [' class="eb-word"' if is_word else "" for is_word in words_at]
    heads = "".join(f"<th{k}>{html(h)}</th>" for h, k in zip(parts.head, kinds, strict=False))
    rows = "".join(
        "<tr>"
        + "".join(f"<td{k}>{html(_cell(c))}</td>" for c, k in zip(row, kinds, strict=True))
        + "</tr>"
        for row in parts.rows
    )
    return (
        f'<div class="eb-parts"><table><caption>{html(parts.title)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: arithmetic.Cell) -> str:
    """Return a term as text; one that is no whole number never looks like one."""
    if isinstance(cell, str):
        return cell
    if not isfinite(cell):
        return text.number(cell)
    if float(cell).is_integer() and abs(cell) < 1e15:
        return text.count(cell)
    if 1e4 <= abs(cell) < 1e15:
        return f"{cell:,.1f}"
    texts = (f"{cell:.{digits}g}" for digits in (4, 6, 9, 12, 17))
    return next((text for text in texts if not float(text).is_integer()), f"{cell:.4g}")


def chain(working: arithmetic.Working, metric: Metric) -> str:
    r"""Return the working as lines of one equation, in LaTeX.

    A formula in words, which is not the one of the declaration, leads them.
    """
    in_words = [] if working.formula == metric.formula else [working.formula]
    lines = [*in_words, *(_line(step) for step in working.steps)]
    return r"\begin{aligned}" + r" \\[0.9em] ".join(f"&{line}" for line in lines) + r"\end{aligned}"


def _line(step: arithmetic.Step) -> str:
    sign = r"\approx" if step.rounded else "="
    return f"{sign} {step.latex}"


def facts(metric: Metric, estimate: Estimate) -> list[str]:
    """Return what else there is to know, as HTML: interval, range, other names, source."""
    told = []
    if estimate.low is not None:
        told.append(f"{text.interval(estimate)}: {lookup.told(estimate)}")
    if not estimate.defined and estimate.why:
        told.append(f"There is no finite value here: {estimate.why}.")
    told.append(f"{ranges(metric)}, {lookup.DIRECTIONS[metric.better]}.")
    if metric.synonyms:
        told.append(f"Also called {', '.join(metric.synonyms)}.")
    if metric.undefined_when:
        told.append(f"Undefined when {metric.undefined_when}.")
    return [*map(html, told), f"Source: {source(metric.source)}."]


def source(cited: Source) -> str:
    """Return where a formula comes from, as HTML, with its link."""
    if not cited.url.startswith(("https://", "http://")):
        return html(cited.text)
    return f'<a href="{html(cited.url)}" target="_blank">{html(cited.text)}</a>'


def ranges(metric: Metric) -> str:
    """Return the range of a metric in words."""
    return f"From {text.bound(metric.low)} to {text.bound(metric.high)}"


def snippets(metric: Metric, estimate: Estimate, place: Place) -> Snippets:
    """Return the Python that gives a number.

    That of scikit-learn only where it gives the same: it shows others where one is undefined, and
    judges all points where a sample was.
    """
    made = {"evalcore": evalcore_code(metric, place)}
    same = estimate.defined and estimate.method != "sample"
    theirs = sklearn_code(metric, place) if same else ""
    return made | ({"scikit-learn": theirs} if theirs else {})


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


def explain_model(
    dataset: Dataset, clicked: tables.Picked | None, rows: Rows, way: str = "", where: str = ""
) -> None:
    """Explain a number of the table of all models; `where` an evaluation keeps it, if known."""
    if clicked is None:
        return
    found = _estimate(clicked, rows)
    where = where or GROUPS.get(clicked.metric.family, f"decisions.{way}")
    _open(clicked, found, stands_behind(dataset, clicked.row, where, clicked.metric, found))


def explain_clustering(dataset: Dataset, clicked: tables.Picked | None, rows: Rows) -> None:
    """Explain a number of the table of all clusterings."""
    if clicked is not None:
        found = _estimate(clicked, rows)
        _open(clicked, found, behind_clustering(dataset, clicked.row, clicked.metric, found))


def explain_average(
    dataset: Dataset, clicked: tables.Picked | None, rows: Rows, model: str, way: str
) -> None:
    """Explain a mean over classes of decisions made in one way."""
    if clicked is not None:
        found, part = (
            _estimate(clicked, rows),
            explanations.Part(model, f"decisions.{way}", clicked.row),
        )
        _open(clicked, found, behind_average(dataset, part, clicked.metric, found))


def explain_class(
    dataset: Dataset, clicked: tables.Picked | None, rows: Rows, model: str, way: str
) -> None:
    """Explain a number of one class against all others."""
    if clicked is not None:
        where = GROUPS.get(clicked.metric.family, f"decisions.{way}")
        found, part = _estimate(clicked, rows), explanations.Part(model, where, clicked.row)
        _open(clicked, found, behind_class(dataset, part, clicked.metric, found))


def explain_calibration(
    dataset: Dataset, clicked: tables.Picked | None, rows: Rows, model: str, options: Options
) -> None:
    """Explain a number of how true the probabilities of a class, or of the likeliest, are."""
    if clicked is not None:
        found, known = _estimate(clicked, rows), clicked.row in dataset.classes
        part = explanations.Part(model, "probability", clicked.row if known else "")
        _open(clicked, found, behind_calibration(dataset, part, clicked.metric, found, options))


def _estimate(clicked: tables.Picked, rows: Rows) -> Estimate:
    return rows[clicked.row].get(clicked.metric.key, tables.UNKNOWN)


def _open(clicked: tables.Picked, found: Estimate, more: Behind) -> None:
    with st.container(border=True, key=f"clicked-{clicked.metric.key}"):
        st.button(
            "Close", type="tertiary", key=f"close-{clicked.table}",
            shortcut="Esc", on_click=tables.unselect, args=(clicked.table,)
        )  # fmt: skip
        st.html(
            f'<p class="eb-note">{html(visible(clicked.row))}</p><p class="eb-value">'
            f"<b>{html(text.number(found.value, text.decimals(found)))}</b>"
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


def facts_of(dataset: Dataset, made: Decisions, known: Estimates) -> sentences.BinaryFacts:
    """Return what sentences on the cards of a yes-or-no question speak of."""
    negative, positive = dataset.classes
    counts, truth = made.confusion.binary(), dataset.roles.truth
    return sentences.BinaryFacts(positive, negative, counts, known, truth)
