"""Two periods: what changed from the file looked at to a later one?"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from evalboard import arguments
from evalcore.errors import EvalError
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.slices.judging import Against
from evalcore.slices.shift import MEAN, SCORES, Moved, Shift, shift, shift_expected
from evalcore.text import counted, p_equals, p_value, within_sentence
from evalread.dataset import Dataset, Table
from evalread.later import Unlabelled, as_before
from evalview import escape, text, words
from pages.session import cache, current, link, reading, selection, store
from pages.widgets import guard, inputs, notices, tables


def page() -> None:
    """Ask for a later file, and show what changed from that looked at to it."""
    dataset = guard.need_dataset(selection.everything(current.dataset()))
    top, choices = guard.top_and_choices()
    token = link.told(KEY, _known, about=current.view().data)
    if token is None:
        with top:
            guard.headline("What changed since these rows were collected?", LEAD)
        ask()
        return
    with choices:
        model = inputs.pick_model(dataset)
        st.button("Remove the later file", key="remove-later", on_click=_remove, args=(token,))
    names = " and ".join(text.abbreviate(name, 60) for name in current.file_names(token))
    with guard.refusals_told():
        made = changed(dataset, later_of(token), model, current.options(dataset))
        with top:
            guard.headline(*finding(dataset, made))
        st.caption(escape.markdown(f"Earlier: {dataset.table.source.name}. Later: {names}."))
        show(dataset, made)
        notices.notices(made.notices)


KEY = "later"
"""Under this name an address has the token of the later file."""

LEAD = (
    "Add a later file with columns of the same names. Rows are not matched: the two files are two "
    "periods, such as last month and this month. Labels may be missing in the later one."
)


def ask() -> None:
    """Show the box for a later file, and keep what is dropped there."""
    key = f"later-{st.session_state.get(TAKEN, 0)}"
    uploads = st.file_uploader("A later file", accept_multiple_files=True, key=key)
    if uploads:
        st.session_state[TAKEN] = st.session_state.get(TAKEN, 0) + 1
        with guard.refusals_told():
            token = current.keep_beside([(file.name, file.getvalue()) for file in uploads])
            store.release_uploads(file.file_id for file in uploads)
            link.tell(KEY, token, token, about=current.view().data)
            st.rerun()


TAKEN = "later_taken"


def _known(token: str) -> str | None:
    return token if store.files(token) is not None else None


def _remove(token: str) -> None:
    link.tell(KEY, None, "")
    if not token.startswith(store.SAMPLE_PREFIX):
        store.forget(token)
        reading.forget(token)


@dataclass(frozen=True, eq=False)
class Later:
    """The cells of a later file; `digest` names them for caches."""

    digest: str
    table: Table


def later_of(token: str) -> Later:
    """Return the cells of the files under a token, written as those looked at are.

    Raises:
        EvalError: They cannot be read.
    """
    choices = arguments.only_shaping(current.view().choices)
    with st.spinner("Reading the later file"):
        found = reading.reading(token, choices)
    if found.table is None:
        raise found.problem or EvalError("unreadable-file", "The later file cannot be read.")
    return Later(f"{found.table.source.digest} {choices!r}", found.table)


@cache.cached(entries=40)
def changed(dataset: Dataset, later: Later, model: str, options: Options) -> Shift:
    """Return what changed; without labels in the later file, what is to be expected."""
    read = as_before(later.table, dataset)
    if isinstance(read, Unlabelled):
        known = read.probability[read.model(model)]
        return shift_expected(dataset, known, None, options, model)
    return shift(dataset, read, None, options, model)


def finding(dataset: Dataset, made: Shift) -> tuple[str, str]:
    """Return the surest change of what the model is worth, and how many rows that rests on."""
    who = words.spoken(dataset, made.model)
    first, second = (counted(rows, "row") for rows in made.n)
    rows = f"{first} earlier, {second} later"
    if made.assumed:
        key, one = next(iter(made.metrics.items()))
        name = within_sentence(find(key).name)
        value = text.with_interval(one.value)
        return (
            f"Without labels, {name} of {who} is expected at {value}",
            f"It was {text.with_interval(one.rest)}. {rows}. {made.assumed}",
        )
    shown = {key: p for key, p in made.p_adjusted.items() if p <= 1 - made.level}
    lead = f"{rows}; p values allow for the {len(made.p_adjusted)} numbers compared."
    worth = {key: p for key, p in shown.items() if key in made.metrics}
    if not worth:
        other = [*(_truth(dataset, key) for key in shown if key in made.truth)]
        other += ["scores"] * (SCORES in shown)
        moved = f", though {' and '.join(other)} changed" if other else ""
        return f"No change of what {who} is worth is shown{moved}", lead
    key = min(worth, key=worth.__getitem__)
    one, name = made.metrics[key], find(key).name
    way = "rose" if one.difference.value > 0 else "fell"
    ends = f"from {text.number(one.rest.value)} to {text.number(one.value.value)}"
    return f"{name} of {who} {way} {ends} ({p_equals(worth[key])})", lead


def show(dataset: Dataset, made: Shift) -> None:
    """Show each number of both files beside each other, and what the scores did."""
    named = {_truth(dataset, key): (key, one) for key, one in made.truth.items()}
    named |= {find(key).name: (key, one) for key, one in made.metrics.items()}
    rows = [_row(name, key, one, made) for name, (key, one) in named.items()]
    frame = pd.DataFrame(rows, dtype=object)
    tables.written_cell(frame, "", key="changed", alt="What changed from the earlier file")
    st.caption(
        "Difference: later minus earlier, with its interval. "
        + (
            "Expected, not seen: no test."
            if made.assumed
            else "p: Holm, over all that stands here."
        )
    )
    if made.scores is not None:
        guard.section(f"Have the {made.scores.of} moved?", moved(made.scores, made))
    if made.check:
        guard.section(
            "Did the probabilities keep their promise before?",
            "The same estimate of the earlier file, whose labels are known.",
        )
        told = [_checked(key, made.metrics) | _promise(key, made) for key in made.check]
        tables.text_table(told, alt="What is expected of the earlier file, and what was seen")


def _row(name: str, key: str, one: Against, made: Shift) -> Mapping[str, str]:
    later = "later, expected" if made.assumed else "later"
    p = {} if made.assumed else {"p": p_value(made.p_adjusted.get(key, np.nan))}
    return {
        "": escape.visible(name),
        "earlier": text.with_interval(one.rest, text.low_dash_high),
        later: text.with_interval(one.value, text.low_dash_high),
        "difference": text.with_interval(one.difference, text.low_dash_high),
        **p,
    }


def _truth(dataset: Dataset, key: str) -> str:
    return key if key == MEAN else f"share of {words.class_of(dataset.roles.truth or '', key)}"


def moved(scores: Moved, made: Shift) -> str:
    """Return how far the distributions are apart, and which one lies higher."""
    p = made.p_adjusted.get(SCORES, np.nan)
    test = "no test, since rows depend on each other" if p != p else p_equals(p)
    far, above = (text.with_interval(one) for one in (scores.distance, scores.above))
    return (
        f"Shares of {scores.of} up to a value are at most {far} apart ({test}, Kolmogorov and "
        f"Smirnov). A later one is above an earlier one with chance {above}; 0.5 is no tendency."
    )


def _checked(key: str, metrics: Mapping[str, Against]) -> dict[str, str]:
    seen = text.with_interval(metrics[key].rest, text.low_dash_high)
    return {"": find(key).name, "seen": seen}


def _promise(key: str, made: Shift) -> dict[str, str]:
    return {"expected": text.number(made.check[key].value)}
