"""What this user looks at now: kept in the session, written to the address, undone on request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st

from evalcore.errors import EvalError
from evalcore.options import Options
from evalread.dataset import Choices, Dataset
from evalread.rewriting import only_shaping
from evalview import sharing
from evalview.text import abbreviate
from pages.session import link, reading, store

if TYPE_CHECKING:
    from evalcore.results import DecisionRule

VIEW, PAST = "view", "past_views"
PROBLEM = "problem"
STEPS_BACK = 20
"""Views that can be taken back: more than anybody remembers."""


def refuse(problem: EvalError) -> None:
    """Remember why a link, file or choice could not be used, for the page that is shown next."""
    st.session_state[PROBLEM] = problem


def problem() -> EvalError | None:
    """Return, once, why the last link, file or choice could not be used."""
    told: EvalError | None = st.session_state.pop(PROBLEM, None)
    return told


def view() -> sharing.View:
    """Return what is looked at."""
    now: sharing.View = st.session_state.get(VIEW, sharing.View())
    return now


def address(wanted: sharing.View | None = None) -> dict[str, list[str]]:
    """Return a view, or this one, as parameters for links to pages that go on as this one does."""
    st.session_state[LINKED] = view().use
    return sharing.to_params(wanted or view()) | {
        name: [link.one(name)] for name in GOES_ON if link.one(name)
    }


LINKED = "use_linked"
"""What the links of the page that is shown say of costs, which may have been changed since."""

PRESENT, COURSE, TEACH, CLASS = GOES_ON = "present", "course", "teach", "class"
"""What an address says beside the view, and goes on to other pages: whether it presents, the pages
of a course in their order, whether a teacher looks (or what proves that one is the teacher of a
class), and the class."""


def presenting() -> bool:
    """Whether the page is shown to an audience: one figure a screen, nothing around it."""
    return link.one(PRESENT) == sharing.YES


def present(wanted: bool) -> None:
    """Begin to present, or leave that; it stands in the address."""
    link.say(PRESENT, [sharing.YES] if wanted else [])


def state() -> reading.Reading:
    """Return the data looked at, or what stands in its way."""
    now = view()
    return reading.reading(now.data, now.choices) if now.data else reading.Reading()


LONGEST_NAME = 60
"""Characters of a file's name in a sentence."""


def file_names(token: str | None = None) -> list[str]:
    """Return the names of the files under a token, or of those looked at."""
    token = token or view().data
    return [name for name, _ in (store.files(token) or ())] if token else []


def listed(token: str) -> str:
    """Return the names of the files under a token for a sentence, long ones abbreviated."""
    return " and ".join(abbreviate(name, LONGEST_NAME) for name in file_names(token))


def dataset() -> Dataset | None:
    """Return the checked data, or None if there is none to show."""
    return state().dataset


def model(dataset: Dataset) -> str:
    """Return the chosen model or clustering, or the one that leads."""
    from pages.session import findings

    chosen, known = view().model, names(dataset)
    if chosen is not None and chosen in known:
        return chosen
    return findings.first_to_show(dataset) or known[0]


def model_among(dataset: Dataset, able: Iterable[str]) -> str:
    """Return the chosen model, or the one that leads of those that can be looked at."""
    from pages.session import findings

    known, chosen = list(able), model(dataset)
    return chosen if chosen in known else findings.first_to_show(dataset, known) or known[0]


def names(dataset: Dataset) -> tuple[str, ...]:
    """Return what can be looked at one by one: models, or clusterings."""
    return (*dataset.models, *dataset.clusterings)


def threshold(dataset: Dataset, model: str | None = None) -> float:
    """Return the chosen threshold, or the file's; that of a model, where each has its own."""
    chosen = view().threshold
    shared = dataset.threshold if chosen is None else chosen
    return (view().own or {}).get(model or "", shared)


def way(ways: Sequence[DecisionRule]) -> DecisionRule:
    """Return which of the ways of deciding leads: the one asked for, else the usual one.

    The file's own labels lead until somebody chooses a threshold, which leads from then on.
    """
    now = view()
    chosen: DecisionRule | None = "threshold" if now.threshold is not None or now.own else None
    return next((each for each in (now.way, chosen) if each and each in ways), ways[0])


def use(dataset: Dataset) -> sharing.Use:
    """Return what is said of costs, shares and cases, as far as it is about such data."""
    return view().use.fitting(len(dataset.classes))


def say(dataset: Dataset, **said: Any) -> None:
    """Take over what is said of costs, shares and cases; what makes no sense is as usual."""
    use = replace(view().use, **said).fitting(len(dataset.classes))
    change(replace(view(), use=use))


def options(dataset: Dataset) -> Options:
    """Return the settings of the evaluation."""
    own = view().own or {}
    known = tuple((name, own[name]) for name in dataset.models if name in own)
    return Options(threshold=threshold(dataset), own_thresholds=known)


def explore(dataset: Dataset, chosen: str, at: float, *, own: bool) -> None:
    """Choose a model and a threshold, its own or one for all; anything not finite is ignored."""
    now = view()
    if not isfinite(at):
        at = threshold(dataset, chosen)
    if chosen != model(dataset):
        now = replace(now, model=chosen)
    if own:
        now = replace(now, own={**(now.own or {}), chosen: float(at)}, way=None)
    elif now.own is not None or at != threshold(dataset):
        now = replace(now, threshold=float(at), own=None, way=None)
    change(now)


def set_model(name: str) -> None:
    """Choose a model."""
    change(replace(view(), model=name))


def set_choices(choices: Choices) -> None:
    """Settle the roles of the columns; all stays as it was if the data do not allow it.

    Where the columns are in question, an answer that leads to the next question is one.
    """
    now = view()
    if now.data is None:
        return
    found, asking = reading.reading(now.data, choices), dataset() is None
    if found.dataset is None and not (asking and found.table is not None):
        st.session_state[PROBLEM] = found.problem
        return
    # Scores and classes may now mean something else: what was chosen of them would mislead.
    change(replace(now, choices=choices, threshold=None, own=None, selected=()))


def set_reading(field: str, value: str | None) -> bool:
    """Settle a part of how the file is read; False, and all as it was, if it cannot be read so.

    Columns chosen in the cells as they were are detected again where they are no more.
    """
    now = view()
    settled: dict[str, Any] = {field: value}
    choices = replace(now.choices, **settled)
    found = reading.reading(now.data or "", choices)
    if found.dataset is None:
        choices = only_shaping(choices)
        found = reading.reading(now.data or "", choices)
    if found.table is None:
        st.session_state[PROBLEM] = found.problem
        return False
    change(replace(now, choices=choices, threshold=None, own=None, selected=()))
    return True


def web_address() -> str | None:
    """Return the address of this view on the web; None where the server does not know it."""
    here = st.context.url
    return here and f"{here}?{urlencode(address(), doseq=True)}"


def open_derived(files: Sequence[tuple[str, bytes]], choices: Choices, model: str) -> bool:
    """Look at files made from those looked at, a step that can be undone; False if refused."""
    try:
        token = store.keep(files)
    except EvalError as refusal:
        st.session_state[PROBLEM] = refusal
        return False
    change(sharing.View(data=token, choices=choices, model=model))
    return True


BESIDE = "files_beside"
"""Which files were given beside others, by the token of those."""


def keep_beside(files: Sequence[tuple[str, bytes]]) -> str:
    """Keep files that are looked at beside the data, and go with these; return their token.

    Raises:
        EvalError: They are too large, or there is no room.
    """
    token = store.keep(files)
    st.session_state.setdefault(BESIDE, {}).setdefault(view().data, []).append(token)
    return token


def close(token: str) -> None:
    """Remove data from the server; whoever looks at it has nothing more to look at."""
    for gone in (token, *st.session_state.get(BESIDE, {}).pop(token, [])):
        store.forget(gone)
        reading.forget(gone)
    past = tuple(step for step in st.session_state.get(PAST, ()) if step.data != token)
    st.session_state[PAST] = past
    if view().data == token:
        st.session_state[VIEW] = sharing.View()
        write_address()


def can_undo() -> bool:
    """Whether there is a choice to take back."""
    return bool(st.session_state.get(PAST))


def undo() -> None:
    """Take back the last choice."""
    *past, before = st.session_state[PAST]
    st.session_state[PAST] = tuple(past)
    st.session_state[VIEW] = before
    write_address()


def change(new: sharing.View) -> None:
    """Look at something else: another file, other choices; a step that can be undone."""
    old = view()
    if new == old:
        return
    # A threshold or a model is one step of the browser's back button; it needs no undo.
    if old.data is not None and (old.data, old.choices) != (new.data, new.choices):
        st.session_state[PAST] = (*st.session_state.get(PAST, ()), old)[-STEPS_BACK:]
        new = replace(new, use=_use_of_others(old, new))
    st.session_state[VIEW] = new
    write_address()


def _use_of_others(old: sharing.View, new: sharing.View) -> sharing.Use:
    """Return what is said of the use of data that follow others: costs if classes stay the same."""
    was, now = (reading.reading(one.data or "", one.choices).dataset for one in (old, new))
    same = was is not None and now is not None and was.classes == now.classes
    return old.use if same else sharing.Use(volume=old.use.volume)


def write_address() -> None:
    """Write the view's own parameters and leave those of a page alone."""
    wanted = sharing.to_params(view())
    there = {name: st.query_params.get_all(name) for name in st.query_params if name in sharing.OWN}
    gone = there.keys() - wanted.keys()
    if there != wanted:
        link.replaces(VIEW, there)
        gone |= {link.SELECT} & set(st.query_params)
    if changed := {name: texts for name, texts in wanted.items() if there.get(name) != texts}:
        st.query_params.update(changed)
    for name in gone:
        del st.query_params[name]
