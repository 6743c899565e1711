"""The Summary of clusterings, part by part."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from evalcore.clustering.agreement import best_match
from evalcore.errors import Notice
from evalcore.metrics import catalog
from evalcore.results import ClusteringEvaluation
from evalcore.text import count, counted
from evalread.dataset import Dataset
from evalview import escape, figures, headlines, sentences
from evalview.explained import cards
from evalview.figures import layout
from evalview.text import number
from pages import contents
from pages.session import computed, current, findings
from pages.widgets import chart, explain, guard, summary, tables

POINTS = ("silhouette", "calinski_harabasz", "davies_bouldin", "dunn")
AGREEMENT = ("adjusted_rand_index", "ami_arithmetic", "best_match_accuracy", "purity", "v_measure")

COLUMNS = (*POINTS, "adjusted_rand_index", "ami_arithmetic", "purity")

PICTURES = "Pictures"


def alone(dataset: Dataset) -> tuple[str, str]:
    """Return which clustering agrees best with the true classes, and which is best apart."""
    apart, agreeing = findings.best_apart(dataset), findings.best_agreeing(dataset)
    every = {name: computed.clustering(dataset, name) for name in dataset.clusterings}
    return headlines.of_clusterings(dataset, every, agreeing, apart)


def told(dataset: Dataset, name: str, names: Sequence[str], way: str) -> summary.Told:
    """Return how many clusters there are, how well they stand apart, and how they agree."""
    made = {each: computed.clustering(dataset, each) for each in names}
    columns = {
        "clusters": {each: count(len(one.clusters)) for each, one in made.items()},
    }
    for heading, group, key in (
        ("silhouette", "points", "silhouette"),
        ("agreement (adjusted Rand)", "agreement", "adjusted_rand_index"),
    ):
        values = {each: _value(dataset, each, group, key) or "–" for each in names}
        if set(values.values()) != {"–"}:
            columns[heading] = values
    chosen = computed.clustering(dataset, name)
    said = _size(chosen)
    dots: tuple[cards.Dots, ...] = ()
    if chosen.tables is not None and len(chosen.tables.silhouette.values):
        each_point = chosen.tables.silhouette.values
        below = float((each_point < 0).sum())
        said = f"{said.rstrip('.')}; {counted(below, 'point')} nearer to another cluster."
        word, other = "in the nearest cluster", "nearer to another"
        dots = (cards.Dots("Points", len(each_point) - below, below, word, other),)
    return summary.Told(
        columns=columns,
        unit="Clustering",
        said=said,
        dots=dots,
        steps=(
            summary.Step("silhouettes", "See the points that fit badly"),
            summary.Step("agreement", "See how they agree"),
            summary.Step("clusterings", "How many clusters?"),
        ),
    )


def _value(dataset: Dataset, name: str | None, group: str, key: str) -> str:
    """Return a number of a clustering as text; "" where it has none."""
    found = computed.clustering(dataset, name).metrics.get(group, {}) if name else {}
    return number(found[key].value) if key in found and found[key].defined else ""


def numbers(dataset: Dataset, name: str) -> None:
    """Show how the points of a clustering lie, and how far it agrees with the true classes."""
    made = computed.clustering(dataset, name)
    if made.points:
        guard.section("How its points are grouped", _size(made))
        _cards(dataset, name, "points", POINTS)
        if made.tables is not None and made.tables.silhouette.method == "sample":
            st.page_link(
                contents.page("silhouettes"),
                label="Measure the silhouette of every point",
                icon=":material/arrow_forward:",
                query_params=current.address(),
            )
    if made.agreement:
        guard.section(f"How it agrees with “{escape.visible(dataset.roles.truth)}”")
        _cards(dataset, name, "agreement", AGREEMENT)


def pictures(dataset: Dataset, name: str) -> None:
    """Show the silhouette of every point, and the classes in each cluster."""
    made, scene = computed.clustering(dataset, name), chart.of_all(dataset, name)
    left, right = st.columns(2)
    if made.tables is not None:
        judged = made.tables.silhouette
        bars = layout.silhouette_bars(made.clustering, judged)
        with left:
            figure = figures.draw_silhouette(scene, bars, judged.mean)
            chart.show(figure, figures.silhouette_alt(bars), key="silhouette")
    if made.contingency is not None:
        partner = best_match(made.contingency)
        with right if made.tables is not None else left:
            figure = figures.draw_contingency(scene, made.contingency, partner)
            chart.show(
                figure, figures.contingency_alt(made.contingency, partner), key="contingency"
            )


def all_models(dataset: Dataset, name: str) -> None:
    """Show the numbers of all clusterings under each other."""
    if len(dataset.clusterings) == 1:
        return
    guard.section("All clusterings", "Click a heading to sort.")
    made = {each: computed.clustering(dataset, each) for each in dataset.clusterings}
    rows = {each: {**one.points, **one.agreement} for each, one in made.items()}
    keys = [key for key in COLUMNS if any(key in row for row in rows.values())]
    metrics = [catalog.by_key()[key] for key in keys]
    counts = {each: len(one.clusters) for each, one in made.items()}
    clicked = tables.metric_table(
        rows, metrics, of="clustering", key="clusterings", counts=counts, counted="clusters"
    )
    explain.explain_number(clicked, rows, partial(explain.behind_clustering, dataset))


def remarks(dataset: Dataset, name: str) -> tuple[Notice, ...]:
    """Return what must be known before believing the numbers of a clustering."""
    return computed.clustering(dataset, name).notices


def _cards(dataset: Dataset, name: str, group: str, keys: tuple[str, ...]) -> None:
    made = computed.clustering(dataset, name)
    found = made.metrics[group]
    shown = [
        cards.Card(catalog.by_key()[key], found[key], sentences.sentence(made, key)) for key in keys
    ]

    def explained(card: cards.Card) -> None:
        explain.explain(card, explain.behind_clustering(dataset, name, card.metric, card.estimate))

    explain.score_cards(shown, explained, key=group)


def _size(made: ClusteringEvaluation) -> str:
    noise = f"; {counted(made.n_noise, 'point')} in no cluster" if made.n_noise else ""
    points = counted(made.n - made.n_noise, "point")
    return f"{points} in {counted(len(made.clusters), 'cluster')}{noise}."
