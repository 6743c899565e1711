"""Agreement: does a clustering find the same groups?"""

import pandas as pd
import streamlit as st

from evalcore.clustering.agreement import best_match
from evalcore.metrics.catalog import AGREEMENT, by_key
from evalcore.metrics.clusters import ADJUSTED_RAND_INDEX, RAND_INDEX, Chance
from evalcore.metrics.metric import Metric
from evalcore.tables.contingency import Contingency
from evalcore.text import counted, p_value, significant
from evalread.dataset import Dataset
from evalview import escape, figures
from evalview.text import low_dash_high, number, percent
from evalview.words import at_start, spoken
from pages.session import clusterings, computed
from pages.widgets import chart, guard, inputs, notices, tables


def page() -> None:
    """Show classes against clusters, the pairs of points, and every metric of agreement."""
    dataset = guard.need_dataset()
    top, choices = guard.top_and_choices()
    with choices:
        name = inputs.pick_model(dataset)
        partner = pick_partner(dataset, name)
    with top:
        guard.headline(*finding(dataset, name, partner))
    notices.notices(computed.clustering(dataset, name).notices)
    picture(dataset, name, partner)
    guard.section("All metrics of agreement", "Compared with random assignment.")
    metrics_table(dataset, name, partner)


COUNTS = {"pairs_together", "pairs_class_only", "pairs_cluster_only", "pairs_apart"}
METRICS = tuple(metric for metric in AGREEMENT if metric.key not in COUNTS)
SURE = 0.05
"""The p value from which chance may explain the agreement: the usual level."""


def pick_partner(dataset: Dataset, name: str) -> str | None:
    """Show what the clustering can be held against; None stands for the true classes."""
    shown = {
        partner or "": called(dataset, partner) for partner in clusterings.partners(dataset, name)
    }
    return inputs.list_box("Compared with", shown, key="against") or None


def called(dataset: Dataset, partner: str | None) -> str:
    """Return what the groups are called that a clustering is held against."""
    if partner is None:
        return f"true classes ({escape.visible(dataset.roles.truth)})"
    return escape.visible(partner)


def finding(dataset: Dataset, name: str, partner: str | None) -> tuple[str, str]:
    """Return how far both agree beyond chance."""
    table = clusterings.agreement(dataset, name, partner)
    who, value = spoken(dataset, name), float(ADJUSTED_RAND_INDEX(table))
    against = escape.visible(dataset.roles.truth) if partner is None else escape.visible(partner)
    if value != value:
        why = f"Chance cannot be separated: {ADJUSTED_RAND_INDEX.undefined_when}."
        return f"Do {who} and {against} form the same groups?", why
    chance = clusterings.by_chance(dataset, name, partner, ADJUSTED_RAND_INDEX)
    index = f"Adjusted Rand index {number(value)}: 0 is chance, 1 identical groups"
    p = _p(chance)
    p = p if p.startswith("≤") else f"= {p}"
    told = f"{index}; permutation test p {p} ({chance.draws:,} random assignments)."
    if value == 1:
        return f"{at_start(who)} and {against} form the same groups", told
    if chance.p_value > SURE:
        return f"{at_start(who)} agrees with {against} no more than chance would", told
    return f"{at_start(who)} agrees with {against} more than chance would", told


def picture(dataset: Dataset, name: str, partner: str | None) -> None:
    """Show the points of every class and cluster, and the four kinds of pairs."""
    table, scene = (clusterings.agreement(dataset, name, partner), chart.of_all(dataset, name))
    matched = best_match(table)
    of = figures.TRUE if partner is None else f"cluster of {escape.visible(partner)}"
    left, right = st.columns(2)
    with left:
        figure = figures.draw_contingency(scene, table, matched, of)
        key = "contingency" if partner is None else "contingency-of-two"
        chart.show(figure, figures.contingency_alt(table, matched, of), key=key)
    with right:
        _pairs(table, "class" if partner is None else f"cluster of {escape.visible(partner)}")


def metrics_table(dataset: Dataset, name: str, partner: str | None) -> None:
    """Show every number of agreement beside what chance would give."""
    table = clusterings.agreement(dataset, name, partner)
    with st.spinner("Assigning points at random"):
        rows = [_row(dataset, name, partner, metric, table) for metric in METRICS]
    tables.text_table(rows, alt="Agreement compared with chance", folds=True)
    st.caption(
        escape.markdown(
            "By chance: mean and middle 95% when points are assigned at random to clusters of "
            "the same sizes. The p value is the share of assignments, the data counted as one, "
            "that do at least as well. All metrics use the same table, so their p values are not "
            "independent evidence. Rand index and purity are high by chance alone when there are "
            "many clusters: compare them with their value by chance."
        )
    )


def _row(
    dataset: Dataset, name: str, partner: str | None, metric: Metric, table: Contingency
) -> dict[str, str]:
    by_chance = clusterings.by_chance(dataset, name, partner, metric)
    value = float(metric(table))
    return {
        "metric": metric.name,
        "value": number(value),
        "by chance": _chance_words(by_chance),
        "p": _p(by_chance) if value == value else "",
        "what it says": metric.summary,
    }


def _p(told: Chance) -> str:
    """Write a p value; the smallest that so many draws can give is an upper bound."""
    seen = told.p_value > 1 / (told.draws + 1)
    return p_value(told.p_value) if seen else f"≤ {significant(told.p_value)}"


def _chance_words(told: Chance) -> str:
    if told.mean != told.mean:
        return ""
    return f"{number(told.mean)} ({low_dash_high(number(told.low), number(told.high))})"


def _pairs(table: Contingency, of: str) -> None:
    """Spell out the four kinds of pairs that the Rand index counts."""
    keys = ("pairs_together", "pairs_class_only", "pairs_cluster_only", "pairs_apart")
    counts = [float(by_key()[key](table)) for key in keys]
    every = sum(counts)
    kinds = (
        f"same {of}, same cluster",
        f"same {of}, different clusters",
        f"different {of}, same cluster",
        f"different {of}, different clusters",
    )
    frame = pd.DataFrame(
        {
            "two points of": kinds,
            "agree": ["yes", "no", "no", "yes"],
            "pairs": [f"{count:,.0f}" for count in counts],
            "share": [percent(count / every if every else float("nan")) for count in counts],
        }
    )
    tables.show(frame, hide_index=True, key="pairs", alt="The four kinds of pairs of points")
    if not every:
        return
    right = counts[0] + counts[3]
    said = (
        f"Rand index = ({counts[0]:,.0f} + {counts[3]:,.0f}) / {every:,.0f} = "
        f"{number(float(RAND_INDEX(table)))}: of all {counted(every, 'pair')}, "
        f"{right:,.0f} are together in both or apart in both. Adjusted for chance it is "
        f"{number(float(ADJUSTED_RAND_INDEX(table)))}."
    )
    st.caption(escape.markdown(said))
