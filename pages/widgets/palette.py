"""The search over everything, the sheet of keys and the mode to present: one component."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import streamlit as st

from evalread.dataset import Dataset, Task
from evalview import ASSETS
from evalview.escape import visible
from evalview.text import abbreviate
from pages import contents
from pages.contents import Entry
from pages.session import current

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


def show(fitting: Sequence[Entry], here: Entry, dataset: Dataset | None) -> None:
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
        yield Target(kind, contents.called(entry), entry.name, entry.answers)
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


def _shown(name: str) -> str:
    return visible(abbreviate(name, LONGEST))


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
