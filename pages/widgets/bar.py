"""What stands round every page: the ways to the others, a search, and which data are shown."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalread.dataset import Confidence, Dataset, Task
from evalview import ASSETS, escape, words
from evalview.headlines import sizes_of
from evalview.text import abbreviate
from pages import contents
from pages.contents import Entry
from pages.session import current, opening, selection
from pages.widgets import guard, share

WORDMARK = "Eval:red[board]"
SCRIPT = ASSETS / "navigation.js"

_NAVIGATION = st.components.v2.component("navigation", js=SCRIPT.read_text("utf-8"))


Address = Mapping[str, Sequence[str]]


def show_sidebar(links: Sequence[Entry], here: Entry, address: Address) -> None:
    """Show links to the pages: one for each section, then to lessons; each carries the view."""
    lessons = [entry for entry in links if entry.section == contents.LESSONS]
    with st.sidebar:
        with st.container(key="wordmark"):
            st.page_link(links[0].page, label=WORDMARK, help="", query_params=address)
        with st.container(key="sections", gap=None):
            for entry in links:
                if entry not in lessons:
                    _link(entry, _section(entry), entry.section == here.section, address)
        with st.container(key="lessons", gap=None):
            for entry in lessons:
                is_here = entry.title == _place(here)
                _link(entry, entry.title, is_here, address)
    with st.container(key="navigation"):
        said = _place(here)
        _NAVIGATION(data={"page": said, "tab": here.title}, key="navigation-script")


def _place(here: Entry) -> str:
    """Return what the sidebar calls the place where a page is: a lesson is among the lessons."""
    own = here.section == "Start" or (here.section == contents.LESSONS and here.listed)
    return here.title if own else here.section


def _section(entry: Entry) -> str:
    """Return what a section is called by its first page: without scores no threshold is chosen."""
    return entry.title if entry.section == "Start" or entry.name == "costs" else entry.section


def show_tabs(tabs: Sequence[Entry], here: Entry, address: Address) -> None:
    """Show links to the pages of a section, of which `here` is shown."""
    if tabs and not current.presenting():
        with st.container(key="tabs", horizontal=True, gap="small"):
            for entry in tabs:
                with st.container(key="tab-here" if entry is here else None, width="content"):
                    st.page_link(entry.page, label=entry.title, help="", query_params=address)


def _link(entry: Entry, label: str, is_here: bool, address: Address) -> None:
    with st.container(key="here" if is_here else None):
        st.page_link(entry.page, label=label, width="stretch", help="", query_params=address)


NAME_LENGTH = 48
"""Characters of a file's name beside the other parts of the bar."""
GUESS = Confidence.GUESS


def news() -> None:
    """Show what went wrong, and what is still being read."""
    if (problem := current.problem()) is not None:
        guard.show_refusal(problem)
    if (token := opening.being_read()) is not None:
        names = escape.markdown(current.listed(token))
        st.caption(f"{names} is still being read and will appear here when it is done.")


def show(*, change: bool = True, sizes: bool = True, report: bool = True) -> None:
    """Show the data looked at, and the ways to what was assumed about them, and to a report.

    Without `sizes` the page says itself how many rows and models there are, and in few words.
    """
    dataset = current.dataset()
    if dataset is not None and not current.presenting():
        with _line():
            st.html(_summary(dataset, sizes=sizes), width="content")
            if change:
                st.page_link(contents.page("data"), label="Change", query_params=current.address())
            if current.can_undo():
                st.button("Undo", type="tertiary", on_click=current.undo)
            if st.button("Share", type="tertiary", key="share"):
                share.show(dataset)
            if report:
                target = contents.page("report")
                st.page_link(target, label="Report", query_params=current.address())
            _show_selected(dataset)


def _show_selected(dataset: Dataset) -> None:
    """Name the rows that are selected, with the way to them and back to all rows."""
    chosen = selection.chosen(dataset)
    if chosen is None:
        return
    name = escape.markdown(selection.name(dataset, chosen))
    with st.container(
        key="selected", horizontal=True, vertical_alignment="center", gap=None, width="content"
    ):
        rows = contents.page(selection.PAGE_OF_ROWS)
        st.page_link(rows, label=name, help="See these rows", query_params=current.address())
        st.button("×", key="clear-selected", help="Show all rows again", on_click=selection.clear)


def show_open() -> None:
    """Show what is open already, with the ways back to it and to be rid of it."""
    table, token = current.state().table, current.view().data
    if table is not None:
        with _line():
            name = abbreviate(table.source.name, NAME_LENGTH)
            st.html(f'<p class="eb-bar"><span>Open now:</span> {_chip(name)}</p>', width="content")
            read = current.dataset()
            target = contents.page("data") if read is None else contents.first_page(read.roles.task)
            st.page_link(target, label="Go on", query_params=current.address())
            st.button(
                "Delete now",
                type="tertiary",
                help="Removes the file from the server, and everything computed from it.",
                on_click=current.close,
                args=(token,),
            )


def _line() -> DeltaGenerator:
    return st.container(key="bar", horizontal=True, vertical_alignment="center", gap="small")


def _summary(dataset: Dataset, *, sizes: bool) -> str:
    source, roles = dataset.table.source, dataset.roles
    name = _chip(abbreviate(source.name, NAME_LENGTH), title=source.name)
    facts = [f"<span>{' · '.join(sizes_of(dataset))}</span>"] if sizes else []
    if roles.positive is not None:
        reason = roles.positive_reason.text if roles.positive_reason else ""
        sought = _chip(words.class_of(roles.truth, roles.positive), title=reason)
        why = f' <span class="eb-reason">({escape.html(reason)})</span>' if reason and sizes else ""
        facts.append(f"<span>looking for:</span> {sought}{why}")
    if guessed := [c for c, why in roles.reasons.items() if why.confidence is GUESS]:
        more = "" if len(guessed) == 1 else f" and {len(guessed) - 1} more"
        chip = _chip(abbreviate(guessed[0], NAME_LENGTH), title=roles.reasons[guessed[0]].text)
        facts.append(f"<span>a guess: the role of</span> {chip}<span>{more}</span>")
    told = " <span>·</span> ".join(facts)
    return f'<p class="eb-bar">{name} {told}</p>'


def _chip(text: str, title: str = "") -> str:
    return f'<span class="eb-chip" title="{escape.html(title)}">{escape.html(text)}</span>'


KEY = "palette"

LISTED = 200
"""Models, and classes, in the list: more make each page heavier and are found by their page."""


LONGEST = 80
"""Characters of a name in the list."""

_PALETTE = st.components.v2.component(
    KEY,
    js=(ASSETS / "palette.js").read_text("utf-8"),
    css=(ASSETS / "palette.css").read_text("utf-8"),
)


@dataclass(frozen=True)
class Target:
    """What a search may find.

    Attributes:
        kind: What it is, in a word.
        label: What it is called.
        page: The address of the page that shows it.
        hint: One line about it.
        also: Other names that it is found by, separated by ", ".
        params: What the address says beside the view.
    """

    kind: str
    label: str
    page: str
    hint: str = ""
    also: str = ""
    params: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What the browser says where it is to go."""
        return "|".join((self.kind, self.page, *self.params.values()))


def show_search(fitting: Sequence[Entry], here: Entry, dataset: Dataset | None) -> None:
    """Show the ways to search, to the keys and to present; go to what was picked."""
    found = {one.key: one for one in targets(fitting, dataset)}
    entries = [
        {"at": key, "kind": one.kind, "label": one.label, "hint": one.hint, "also": one.also}
        for key, one in found.items()
    ]
    said = _PALETTE(
        data={"entries": entries, "present": current.presenting(), "page": here.name},
        key=KEY,
        on_go_change=lambda: None,
        on_present_change=_turn,
    )
    picked = found.get(str(said.go))
    if picked is not None:
        st.switch_page(
            contents.page(picked.page), query_params={**current.address(), **picked.params}
        )


def _turn() -> None:
    """Begin to present, or leave that."""
    current.present(bool(st.session_state[KEY]["present"]))


def targets(fitting: Sequence[Entry], dataset: Dataset | None) -> Iterator[Target]:
    """Yield what can be gone to: pages, what the file holds, and the glossary."""
    for entry in fitting:
        kind = "lesson" if entry.section == contents.LESSONS else "page"
        yield Target(kind, contents.called(entry), entry.name, entry.answers, entry.shows)
    if dataset is not None:
        yield from _of_file(dataset)
    yield from _of_glossary()
    yield from _of_course()


def _of_file(dataset: Dataset) -> Iterator[Target]:
    if dataset.roles.task is not Task.FOLDS:
        kind = "clustering" if dataset.clusterings else "model"
        for name in current.names(dataset)[:LISTED]:
            yield Target(kind, _shown(name), "overview", params={"shown": name})
    if contents.has_classes(dataset):
        by_score = contents.has_class_scores(dataset)
        page, key = ("thresholds", "class") if by_score else ("confusion", "actual")
        for name in dataset.classes[:LISTED]:
            yield Target("class", _shown(name), page, params={key: name})
    if dataset.models:
        for name in dataset.free[:LISTED]:
            yield Target("column", _shown(name), "slices", "Slice by it", params={"by": name})


def _shown(name: str) -> str:
    return escape.visible(abbreviate(name, LONGEST))


@cache
def _of_course() -> tuple[Target, ...]:
    """Return worked examples and claims; their texts are read after the first page."""
    from evalview.course.claims import claims
    from evalview.course.examples import examples

    worked = (
        Target("example", one.name, one.page, "Worked by hand", key, _first(one.address))
        for key, one in examples().items()
    )
    met = (
        Target("claim", abbreviate(one.text, LONGEST), "claims", one.about, key, {"claim": key})
        for key, one in claims().items()
    )
    return (*worked, *met)


def _first(address: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    return {name: values[0] for name, values in address.items() if values}


@cache
def _of_glossary() -> tuple[Target, ...]:
    """Return the entries of the glossary; what they need is imported after the first page."""
    from evalview.explained.concepts import concepts
    from evalview.explained.lookup import FAMILIES, entries

    metrics = (
        Target(
            "metric",
            one.name if name == one.key else f"{one.name} of pairs",
            "glossary",
            FAMILIES[one.family],
            ", ".join((one.key, *one.synonyms)),
            {"metric": name},
        )
        for name, one in entries().items()
    )
    ideas = (
        Target(one.kind, one.name, "glossary", "", one.also, {"metric": one.key})
        for one in concepts().values()
    )
    return (*metrics, *ideas)
