"""What a day brings at each of a few thresholds."""

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.resampling.interval import Interval
from evalcore.resampling.proportions import of_two_rates
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.costs import Stakes
from pages.escape import markdown
from pages.figures import words
from pages.figures.predicted_actual import size
from pages.figures.words import count, counted, percent
from pages.figures.words import threshold as written
from pages.session import current
from pages.widgets.cost_case import Costed, rates
from pages.widgets.headline import section

FEW = 10
"""With fewer rows of a class than this the choice of a threshold is a guess."""


def day(it: Costed) -> None:
    """Show what a day brings at the threshold in use, at the cheapest, and without a model."""
    table, best = it.table, it.best
    section(f"In a day of {it.volume:,} cases{_brought(it)}")
    nothing, everything = table.at(np.inf), table.at(-np.inf)
    rows = {f"in use, {written(it.at)}": it.counts}
    if np.isfinite(best.threshold):
        rows[f"cheapest, {written(best.threshold)}"] = table.at(best.threshold)
    rows |= {"flag nothing": nothing, "flag everything": everything}
    told = {name: _told_of(it, counts) for name, counts in rows.items()}
    frame = pd.DataFrame(told).rename_axis("threshold").reset_index()
    st.dataframe(frame, hide_index=True, key="day", alt="What a day brings at each threshold")
    st.caption(markdown(_about(it)))
    if np.isfinite(best.threshold) and best.threshold != it.at:
        st.button(
            f"Use {written(best.threshold)} as the threshold",
            key="use",
            on_click=_use,
            args=(it.dataset, it.model, best.threshold),
        )


def _brought(it: Costed) -> str:
    """Return the alerts and the misses of a day, to follow a colon."""
    tpr, fpr = rates(it.counts)
    if np.isnan(tpr + fpr):
        return ""
    share = it.stakes.prevalence
    alerts, missed = share * tpr + (1 - share) * fpr, share * (1 - tpr)
    return f": {_many(it.volume * alerts)} alerts, {_many(it.volume * missed)} missed"


def _use(dataset: Dataset, model: str, threshold: float) -> None:
    current.explore(dataset, model, threshold, own=current.view().own is not None)


def _told_of(it: Costed, counts: BinaryCounts) -> dict[str, str]:
    tpr, fpr = rates(counts)
    share, many, fixed = it.stakes.prevalence, it.volume, tpr == fpr and tpr in (0, 1)
    stakes, whole = it.stakes, (share, 1 - share)

    def around(by_tpr: float, by_fpr: float, start: float = 0.0) -> str:
        value = start + by_tpr * tpr + by_fpr * fpr
        ends = of_two_rates(counts, by_tpr, by_fpr)
        return _told(many * value, ends, (many, many * start), fixed)

    cost = around(-stakes.of_finding, stakes.of_flagging, stakes.of_nothing)
    return {
        "alerts a day": around(*whole),
        "of them right": around(share, 0.0),
        "missed": around(-share, 0.0, share),
        "cost a day": cost,
        "weighted accuracy": _weighted(stakes, counts, fixed),
    }


def _told(value: float, ends: Interval, scale: tuple[float, float], fixed: bool) -> str:
    """Write a number of a day with its interval; none where nothing was estimated."""
    if np.isnan(value):
        return "undefined"
    if fixed:
        return _many(value)
    low, high = (scale[1] + scale[0] * float(end) for end in (ends.low, ends.high))
    return f"{_many(value)} ({words.ends(_many(low), _many(high))})"


def _many(value: float) -> str:
    return size(value) if abs(value) < 10 else count(round(value))


def _weighted(stakes: Stakes, counts: BinaryCounts, fixed: bool) -> str:
    """Return accuracy in which a case counts as much as a mistake on it costs."""
    finding, flagging = stakes.of_finding, stakes.of_flagging
    whole = finding + flagging
    if min(finding, flagging) < 0 or not whole:
        return "undefined"
    tpr, fpr = rates(counts)
    value = (finding * tpr + flagging * (1 - fpr)) / whole
    if fixed:
        return percent(value)
    ends = of_two_rates(counts, finding / whole, -flagging / whole)
    low, high = (percent(flagging / whole + float(end)) for end in (ends.low, ends.high))
    return f"{percent(value)} ({words.ends(low, high)})"


def _about(it: Costed) -> str:
    share = percent(it.stakes.prevalence)
    rows = min(it.table.positives, it.table.negatives)
    few = f" Only {counted(rows, 'row')} of one class: all this is a guess." if rows < FEW else ""
    return (
        f"On average, if {share} of the cases are of the class; in brackets 95% intervals of the "
        "rates of these rows. Weighted accuracy counts a case as often as a mistake on it "
        f"costs more than the right decision.{few}"
    )
