"""Glossary: what does each number, and each concept, mean?"""

from base64 import b64encode
from collections.abc import Mapping, Sequence

import streamlit as st

from evalcore.metrics.catalog import WITH_COSTS
from evalcore.metrics.metric import Estimate, Family, Metric
from evalread.dataset import Dataset
from evalview import text
from evalview.course.lessons import lessons
from evalview.escape import html, markdown
from evalview.explained import cards, lookup, pictures, snippets
from evalview.explained.concepts import Concept, concepts, find_concepts
from evalview.explained.lookup import FAMILIES, entries, search
from pages import contents
from pages.session import current, explanations, link, selection
from pages.widgets import chart, explain, guard
from pages.widgets.tables import COSTS_GIVEN, Found, found_values


def page() -> None:
    """Show what can be looked up beside what one of it means and, if a number, is here."""
    dataset = current.dataset()
    dataset = dataset and selection.within(dataset)
    guard.headline(
        "What does each number mean?",
        f"{len(entries())} numbers, each with its formula, range and source, and "
        f"{len(concepts())} concepts and tests. "
        + (
            "Drop a file of predictions, or open a sample, to see the numbers for it."
            if dataset is None
            else "The numbers are computed for these rows."
        ),
    )
    known: dict[str, Found] = found_values(dataset) if dataset is not None else {}
    with st.container(key="glossary"):
        left, right = st.columns([5, 8], gap="large")
        with left:
            shown = find(known)
            if shown:
                chosen = explanations.name(shown, {*entries(), *concepts()})
                pick(shown, known)
        with right:
            if shown and chosen in concepts():
                explain_concept(concepts()[chosen])
            elif shown:
                detail(chosen, known.get(chosen), dataset)


IDEAS = "concepts"
"""What the choice of concepts is called in an address."""
NOT_FOR, NEEDS_COSTS = "not for these data", "needs costs"


def find(known: Mapping[str, Found]) -> tuple[str, ...]:
    """Show the search box and what narrows the list; return the names found.

    Those that the data have a value for lead, unless a search ranks them.
    """
    text = st.text_input(
        "Search",
        key="find",
        type="search",
        live=True,
        placeholder="Name or synonym: sensitivity, AUC, PPV …",
        label_visibility="collapsed",
        bind="query-params",
    )
    families = {family.value: words for family, words in FAMILIES.items()} | {IDEAS: "Concepts"}
    link.pick("about", families)
    about = st.pills(
        "About",
        list(families),
        key="about",
        format_func=families.__getitem__,
        label_visibility="collapsed",
        wrap=True,
    )
    found = () if about == IDEAS else search(text or "", Family(about) if about else None)
    if not text:
        found = tuple(sorted(found, key=lambda name: name not in known))
    ideas = [one.key for one in find_concepts(text)] if text else list(concepts())
    if about not in (None, IDEAS):
        ideas = []
    if not found and not ideas:
        st.markdown("Nothing found. Try fewer letters, or another name.")
    # A search that names a concept means it, not a number whose summary has the word.
    return (*ideas, *found) if text else (*found, *ideas)


def pick(shown: Sequence[str], known: Mapping[str, Found]) -> None:
    """Show the names to pick from, each with its value on the data; none if there are no data."""
    with st.container(key="glossary-list"):
        st.radio(
            "Entries",
            shown,
            key=explanations.PICKED,
            on_change=explanations.look_up,
            format_func=lambda name: label(name, known.get(name), NOT_FOR if known else ""),
            label_visibility="collapsed",
            width="stretch",
        )


def label(name: str, found: Found | None, otherwise: str = "") -> str:
    """Return the name of an entry and its value, or what stands in its place, as Markdown."""
    if name in concepts():
        return markdown(concepts()[name].name)
    metric = entries()[name]
    called = metric.name if name == metric.key else f"{metric.name} of pairs"
    if otherwise and metric.key in WITH_COSTS:
        otherwise = NEEDS_COSTS
    value = otherwise if found is None else markdown(cards.written(metric, found.estimate))
    return markdown(called) + (f" :gray[{value}]" if value else "")


def explain_concept(one: Concept) -> None:
    """Show what a concept or a test is, and the way to where it is seen."""
    with st.container(key="glossary-detail"):
        st.html(
            f'<p class="eb-note">{one.kind.capitalize()}</p><h2 class="eb-term">{html(one.name)}'
            f'</h2><p class="eb-meaning">{html(one.text)}</p>'
        )
        _show_picture(one)
        if one.also:
            also = f"<div><dt>Also</dt><dd>{html(one.also)}</dd></div>"
            st.html(f'<dl class="eb-terms">{also}</dl>')
        if one.page:
            entry = next(entry for entry in contents.CONTENTS if entry.name == one.page)
            label = f"See it: {contents.called(entry)}"
            st.page_link(entry.page, label=label, query_params=current.address())
        for lesson in lessons().values():
            if one.key in lesson.concepts and lesson.key != one.page:
                label = f"Lesson: {lesson.title}"
                st.page_link(contents.page(lesson.key), label=label, query_params=current.address())
        if one.metric:
            see = f"See the number: {entries()[one.metric].name}"
            address = explanations.address(one.metric)
            st.page_link(contents.page("glossary"), label=see, query_params=address)


def _show_picture(one: Concept) -> None:
    """Show the picture of a concept; where it has none, nothing."""
    if (drawn := pictures.picture(one.key)) is None:
        return
    source = b64encode(drawn.svg(chart.look()).encode()).decode()
    st.html(
        f'<img class="eb-picture" width="{pictures.WIDTH}" height="{pictures.HEIGHT}" '
        f'alt="{html(drawn.alt)}" src="data:image/svg+xml;base64,{source}">'
    )


def detail(name: str, found: Found | None, dataset: Dataset | None) -> None:
    """Show a number of the glossary; `found` is its value on the data, where there is one."""
    metric = entries()[name]
    with st.container(key="glossary-detail"):
        st.html(cards.entry_html(metric))
        if found is not None:
            st.html(_value(metric, found))
        elif dataset is not None:
            _say_missing(metric, dataset)
        more = explain.Behind()
        if found is not None and dataset is not None:
            more = _behind(dataset, metric, found)
        explain.work_out(metric, more.working)
        st.html(cards.known_html(metric, declared=found is None or found.estimate.low is None))
        explain.show_code(more.code if found is not None else _call(metric))


def _say_missing(metric: Metric, dataset: Dataset) -> None:
    """Say why a number has no value here: none for such data, or only with costs."""
    if metric.key not in WITH_COSTS or not contents.has_classes(dataset):
        st.html('<p class="eb-found eb-note">This number does not apply to these data.</p>')
        return
    st.html('<p class="eb-found eb-note">It depends on costs, which only you know.</p>')
    costs = next(entry for entry in contents.CONTENTS if entry.name == "costs")
    if costs.fits(dataset):
        st.page_link(costs.page, label="Enter the costs", query_params=current.address())


def _behind(dataset: Dataset, metric: Metric, found: Found) -> explain.Behind:
    model, where, estimate = found.model, found.where, found.estimate
    if where == COSTS_GIVEN:
        return explain.Behind()
    if dataset.clusterings:
        return explain.behind_clustering(dataset, model, metric, estimate)
    if found.average:
        return explain.behind_average(dataset, model, where, found.average, metric, estimate)
    return explain.stands_behind(dataset, model, where, metric, estimate)


def _value(metric: Metric, found: Found) -> str:
    """Return the number with its interval, whose it is, and how the interval was made."""
    estimate = found.estimate
    around = f" <small>{html(text.interval(estimate))}</small>" if estimate.low is not None else ""
    of = guard.short(", ".join(filter(None, (found.model, found.of))))
    told = [_reason(estimate), estimate.note, lookup.told(estimate)]
    lines = "".join(f'<p class="eb-note">{html(line)}</p>' for line in told if line)
    number = cards.written(metric, estimate)
    return (
        f'<div class="eb-found"><p class="eb-note">{html(of)}</p>'
        f'<p class="eb-value"><b>{html(number)}</b>{around}</p>{lines}</div>'
    )


def _reason(estimate: Estimate) -> str:
    return "" if estimate.defined else f"Because {estimate.why}." if estimate.why else ""


def _call(metric: Metric) -> dict[str, str]:
    call = snippets.sklearn_call(metric) or snippets.sklearn_call(metric, classes=3)
    return {"scikit-learn": call} if call else {}
