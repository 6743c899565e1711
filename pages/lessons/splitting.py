"""Splitting the rows: what will a model do on rows it has not seen, and who can tell?"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.errors import EvalError
from evalview import figures, text
from evalview.explained.drawings_of_lessons import Taught, lesson_code
from evalview.figures.lessons import Rounds, rounds_legend
from evalview.figures.theme import Scene, Words
from evalview.lab.splits import OUT, TEST, Splits
from evalview.lab.training import Ends, Material, Trials, fitting, weighed
from pages.lessons import lesson, rows
from pages.lessons.rows import Chosen
from pages.session import current, lessons
from pages.widgets import bar, chart, guard, inputs, tables


def page() -> None:
    """Show which rows train and test in a scheme, and what each scheme says of the error."""
    dataset = current.dataset()
    top, choices = guard.top_and_choices()
    with choices:
        chosen = rows.choose(
            dataset, first="patients", kind="nearest neighbours", own=lessons.split(dataset)
        )
        scheme, folds = ask_scheme(chosen)
    if missing := withheld(chosen.lesson.rows, folds):
        st.caption(missing)
    if chosen.own:
        with top:
            bar.show()
    if not chosen.trains:
        with top:
            guard.headline(*divided(chosen, scheme))
        untrained(chosen, scheme, folds)
        st.stop()
    taught = chosen.taught(scheme, folds)
    known = lessons.ends(chosen)
    # What was asked for is shown at once; the other schemes take a second.
    if (first := try_one(chosen, scheme, folds)) is None:
        told = f"These rows are too few for {scheme}", "Choose fewer folds, or other rows."
    else:
        told = finding(chosen, scheme, first, known)
    with top:
        guard.headline(*told)
    if first is not None:
        roles(chosen, first.splits, taught)
    made = try_all(chosen, folds)
    schemes(chosen, made, known, taught)
    if "bootstrap" in made:
        weights(made["bootstrap"], known, chosen)
    if first is not None:
        lesson.show_below("splitting", numbers_of(first, known))


def numbers_of(made: Trials, known: Ends) -> Mapping[str, float]:
    """Return what the formulas of the lesson name."""
    role = made.splits.role
    return {
        "estimate": made.error,
        "rounds": len(role),
        "train": float(role.clip(min=0).sum(axis=1).mean()),
        "test": float((role == TEST).sum(axis=1).mean()),
        "aside": known.aside,
        "off": made.error - known.aside,
    }


ASIDE, SAME = "on rows kept aside", "on the rows trained on"
FEWEST, FOLDS, MOST = 2, 10, 20


def ask_scheme(chosen: Chosen) -> tuple[str, int]:
    """Show the schemes that the rows allow, and the number of folds."""
    folds = inputs.whole_number("Folds", (FEWEST, MOST), FOLDS, key="folds", width=90)
    have = fitting(chosen.lesson.rows, folds)
    named = {name: name for name in have}
    scheme = inputs.list_box("Scheme", named, key="scheme", usual="k-fold", width=180)
    return scheme, folds


def withheld(rows: Material, folds: int) -> str:
    """Return which schemes these rows do not allow, and why; "" where they allow all."""
    have, why = fitting(rows, folds), []
    if rows.classes and "stratified k-fold" not in have:
        fewest = int(np.unique(rows.truth, return_counts=True)[1].min())
        why.append(
            f"No stratified scheme: the rarest class has {text.counted(fewest, 'row')}, fewer than "
            f"{folds} folds."
        )
    if rows.group is not None and "group k-fold" not in have:
        groups = text.counted(len(np.unique(rows.group)), "group")
        why.append(f"No group k-fold: there are {groups}, fewer than {folds} folds.")
    return " ".join(why)


def try_all(chosen: Chosen, folds: int) -> Mapping[str, Trials]:
    """Train in every round of every scheme; a click elsewhere on the page stops the work."""
    have = fitting(chosen.lesson.rows, folds)
    shown, made = st.empty(), {}
    for place, scheme in enumerate(have):
        # Each call lets a waiting click through.
        shown.progress(place / len(have), f"Training by {scheme}")
        if (one := try_one(chosen, scheme, folds)) is not None:
            made[scheme] = one
    shown.empty()
    return made


def try_one(chosen: Chosen, scheme: str, folds: int) -> Trials | None:
    """Train in every round of a scheme; None where the rows are too few for it."""
    try:
        return lessons.tried(chosen, scheme, folds)
    except EvalError:
        return None


def finding(chosen: Chosen, scheme: str, made: Trials, known: Ends) -> tuple[str, str]:
    """Return what the scheme says, and what is so."""
    n, aside = chosen.lesson.rows.n, chosen.lesson.aside.n
    true = f"; on {aside:,} rows kept aside it is {_said(chosen, known.aside)}" if aside else ""
    return (
        f"{scheme.capitalize()} puts the error at {_said(chosen, made.error)}{true}",
        f"{chosen.whose} A {chosen.model} model is trained on {n:,} rows. Each scheme estimates "
        f"the error on new rows: the {chosen.loss}. Rows kept aside show how close it comes.",
    )


def divided(chosen: Chosen, scheme: str) -> tuple[str, str]:
    """Return what is shown of rows without features."""
    return (
        f"How {chosen.lesson.rows.n:,} rows of your file divide by {scheme}",
        "It has no features besides the truth, so no model is trained on it: choose other rows to "
        "see what each scheme estimates.",
    )


def untrained(chosen: Chosen, scheme: str, folds: int) -> None:
    """Show how the rows divide where there is nothing to train on."""
    with guard.refusals_told():
        made = lessons.splits(chosen, scheme, folds)
        roles(chosen, made, chosen.taught(scheme, folds))


def roles(chosen: Chosen, splits: Splits, taught: Taught) -> None:
    """Show who trains and who tests, and the shares of classes among those who test."""
    rows = chosen.lesson.rows
    scene = Scene(names=rows.classes or ("rows",), look=chart.look())
    left, right = st.columns(2)
    with left:
        figure, alt = (
            figures.draw_split_roles(scene, rows, splits),
            figures.split_roles_alt(rows, splits),
        )
        chart.show(figure, alt, key="roles", code=lesson_code("roles", taught))
    with right:
        if chosen.classes:
            _shares(scene, chosen, splits, taught)
        else:
            st.caption("The truth is a number here: there are no classes to keep in proportion.")


def _shares(scene: Scene, chosen: Chosen, splits: Splits, taught: Taught) -> None:
    truth, tests = chosen.lesson.rows.truth, splits.role == TEST
    sizes = np.maximum(tests.sum(axis=1), 1)
    names = [text.abbreviate(name, 20) for name in chosen.lesson.rows.classes][:8]
    made = {
        name: Rounds((tests & (truth == code)).sum(axis=1) / sizes, float((truth == code).mean()))
        for code, name in enumerate(names)
    }
    says = Words(
        title="Shares of the classes among the test rows",
        subtitle=f"{rounds_legend(made)}The diamond is the share among all rows",
        x="share of the test rows",
    )
    figure, alt = (
        figures.draw_rounds(scene, says, made, {}, height=370),
        figures.rounds_alt(says, made, {}),
    )
    chart.show(figure, alt, key="shares", code=lesson_code("shares", taught))


def schemes(chosen: Chosen, made: Mapping[str, Trials], known: Ends, taught: Taught) -> None:
    """Show what every scheme says of this model, as dots and as a table."""
    guard.section(
        "What each scheme estimates", "Same rows, same kind of model: only the split differs."
    )
    shown = {name: _rounds(one) for name, one in made.items()}
    lines = {ASIDE: known.aside, SAME: known.resubstitution}
    says = Words(
        title=_title(made, known),
        subtitle=f"{rounds_legend(shown)}The diamond is the estimate, the bar its 95% interval",
        x=chosen.loss,
    )
    scene = Scene(names=("rows",), look=chart.look())
    figure, alt = (
        figures.draw_rounds(scene, says, shown, lines),
        figures.rounds_alt(says, shown, lines),
    )
    chart.show(figure, alt, key="schemes", code=lesson_code("schemes", taught))
    frame = pd.DataFrame([_row(chosen, *pair) for pair in made.items()], dtype=object)
    tables.show(frame.style.format(str), hide_index=True, key="schemes-table",
                 column_config=tables.below_headings(frame), placeholder="–",
                 alt="What each scheme estimates")  # fmt: skip
    st.caption(
        "Intervals: Student's t with the error that Nadeau and Bengio (2003) correct for shared "
        "training rows, from 0 up; Wilson's for one hold-out of classes. For bootstrap rounds "
        "there is no such correction, so no interval is shown. Choose a scheme by how new rows "
        "will differ from these, not by its estimate."
    )


def weights(made: Trials, known: Ends, chosen: Chosen) -> None:
    """Show .632 and .632+ with all that they are made of."""
    guard.section(
        ".632 and .632+",
        "The error on training rows is too low, that on rows left out too high, since a sample "
        "holds only 63.2% of the distinct rows. Both estimates average the two.",
    )
    told = weighed(made, known)
    weight = OUT / (1 - (1 - OUT) * told.overfitting)
    parts = (
        ("resubstitution", _said(chosen, told.train), "error on the rows trained on"),
        ("out-of-bag", _said(chosen, told.left_out), "error on rows left out of samples"),
        ("no information", _said(chosen, told.no_information), "predictions assigned to rows at "
                                                               "random"),
        ("relative over-fitting rate R", text.number(told.overfitting),
         "(out-of-bag − resubstitution) / (no information − resubstitution)"),
        ("weight w", text.number(weight), "0.632 / (1 − 0.368 R)"),
        (".632", _said(chosen, told.point632), "0.368 × resubstitution + 0.632 × out-of-bag"),
        (".632+", _said(chosen, told.point632_plus), "(1 − w) × resubstitution + w × out-of-bag"),
        (ASIDE, _said(chosen, known.aside), "what they estimate")
    )  # fmt: skip
    rows = [dict(zip(("part", "value", "how"), part, strict=True)) for part in parts]
    tables.text_table(rows, alt="The components of .632 and .632+")
    st.caption(
        "Efron and Tibshirani (1997). An out-of-bag error above that of no information counts as "
        "equal to it."
    )


def _rounds(one: Trials) -> Rounds:
    ends = one.interval()
    return Rounds(one.tested, one.error, float(ends.low), float(ends.high))


def _title(made: Mapping[str, Trials], known: Ends) -> str:
    found = {name: abs(one.error - known.aside) for name, one in made.items()}
    if not found or not np.isfinite(known.aside):
        return "What each scheme estimates"
    return f"{min(found, key=lambda name: found[name]).capitalize()} comes nearest this time"


def _row(chosen: Chosen, name: str, one: Trials) -> dict[str, object]:
    ends = one.interval()
    low, high = float(ends.low), float(ends.high)
    known = np.isfinite(low) and np.isfinite(high)
    return {
        "scheme": name,
        "estimate": tables.ShownMetrics(one.error, _said(chosen, one.error)),
        "95% interval": text.low_dash_high(_said(chosen, low), _said(chosen, high))
        if known
        else "–",
        "spread of rounds": _or_dash(chosen, one.deviation),
        "standard error": _or_dash(chosen, one.standard_error),
        "models trained": tables.ShownMetrics(len(one.loss), f"{len(one.loss):,}"),
    }


def _or_dash(chosen: Chosen, value: float) -> tables.ShownMetrics:
    return tables.ShownMetrics(value, _said(chosen, value) if np.isfinite(value) else "–")


def _said(chosen: Chosen, value: float) -> str:
    return text.percent(value) if chosen.classes else text.number(value, 1)
