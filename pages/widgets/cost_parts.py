"""The page about costs of a yes-or-no decision, part by part."""

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.curves.costs import CostLine
from evalcore.curves.predictive_values import PredictiveValue
from evalcore.resampling.optimum import of_cost
from pages.figures import cost_curve, decision_curve, expected_cost, optimum, predictive_values
from pages.figures.expected_cost import NO_INTERVAL, Marked
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene
from pages.figures.spoken import spoken
from pages.figures.theme import level
from pages.figures.words import named, score
from pages.figures.words import threshold as written
from pages.session import costed
from pages.widgets.chart import chart
from pages.widgets.cost_case import Costed, around, cost
from pages.widgets.headline import section

PREVALENCES = 1 / (1 + np.exp(-np.linspace(-7, 3, 81)))


def finding(it: Costed) -> tuple[str, str]:
    """Return the cheapest threshold, and what it saves."""
    best, who = it.best, spoken(it.dataset, it.model)
    if not it.has_both:
        return "Which threshold is cheapest?", _one_sided(it)
    here = cost(it, it.counts)
    if np.ptp(costed.expected(it.question, it.stakes)[it.model].cost) == 0:
        return "With these costs no threshold is cheaper than another", f"{size(here)} a case."
    if np.isinf(best.threshold):
        said = f"Flagging nothing is cheapest with {who}"
    else:
        said = f"The cheapest threshold of {who} is {written(best.threshold)}"
    if here <= best.cost:
        same = (it.counts.tp, it.counts.fp) == _flagged(it, best.threshold)
        told = "decides the same" if same else "costs as little"
        return said, f"The threshold in use, {written(it.at)}, {told}: {size(here)} a case."
    lead = f"A case costs {size(best.cost)} there, and {size(here)} at the threshold in use, "
    return said, lead + f"{written(it.at)}."


def _flagged(it: Costed, threshold: float) -> tuple[float, float]:
    counts = it.table.at(threshold)
    return counts.tp, counts.fp


def _one_sided(it: Costed) -> str:
    if not it.table.n:
        return "That takes rows of both classes, and there is no row with a score."
    lacking = named(it.question.classes[0 if it.table.positives else 1])
    return f"That takes rows of both classes, and no row is {lacking}."


def curves(it: Costed, scene: Scene) -> None:
    """Show the cost at each threshold, and which model is cheapest under which costs."""
    drawn = costed.certainty(it.question, it.model, it.stakes).drawn
    marked = Marked(it.best, NO_INTERVAL if drawn is None else drawn.threshold)
    left, right = st.columns(2)
    with left:
        made = costed.expected(it.question, it.stakes)
        figure = expected_cost.draw(scene, made, marked)
        chart(figure, expected_cost.alt(scene, made, marked), key="expected-cost")
    with right:
        curves, at = costed.cost_curves(it.question), it.stakes.probability_cost
        figure = cost_curve.draw(scene, curves, CostLine.of(it.counts), at)
        chart(figure, cost_curve.alt(scene, curves, at), key="cost-curve")


def certainty(it: Costed, scene: Scene) -> None:
    """Show how sure the cheapest threshold is, and what judging it on its own rows hides."""
    found = costed.certainty(it.question, it.model, it.stakes)
    section("How sure is that threshold?", _surely(found))
    if found.drawn is None:
        return
    left, right = st.columns(2)
    with left:
        chart(optimum.draw(scene, found.drawn), optimum.alt(scene, found.drawn), key="optimum")
    with right:
        st.dataframe(
            pd.DataFrame(_judged(it, found)),
            hide_index=True,
            key="judged",
            alt="The cost of a case, judged in several ways",
        )
        st.caption(
            "In brackets 95% intervals. The bootstrap of a lowest point is rough: take its "
            "interval as a guide, not as a promise. Resamples keep the rows of each class. Random "
            "halves overlap, so their mean has no honest interval."
        )


def worth(it: Costed, scene: Scene) -> None:
    """Show when acting on the probabilities pays, and how far an alert can be trusted."""
    share = it.stakes.prevalence
    section("Without naming costs", "What the model is worth, and what an alert means.")
    made = costed.decision_curves(it.question, share)
    alerts = PredictiveValue.of_alerts(it.counts, PREVALENCES)
    rest = PredictiveValue.of_rest(it.counts, PREVALENCES)
    decided = decision_curve.draw(scene, made)
    trusted = predictive_values.draw(scene, alerts, rest, share)
    level(decided, trusted)
    left, right = st.columns(2)
    with left:
        chart(decided, decision_curve.alt(scene, made), key="decision")
    with right:
        chart(trusted, predictive_values.alt(scene, alerts, share), key="predictive-values")


def _surely(found: costed.Certainty) -> str:
    if found.drawn is None:
        return "That takes at least one row of each class."
    if found.halves is None:
        return "With fewer than two rows of a class there is no second half to judge it on."
    own, other = found.halves.own, found.halves.other
    said = (
        f"Chosen on one half of the rows, a case costs {size(own)} on that half and {size(other)} "
        f"on the other (mean of {found.halves.splits} random halves)"
    )
    cheaper = ": a threshold looks cheaper on the rows it was chosen on." if other > own else "."
    return said + cheaper


def _judged(it: Costed, found: costed.Certainty) -> list[dict[str, str]]:
    drawn, halves, folds = found.drawn, found.halves, found.folds
    assert drawn is not None
    # Where nothing is flagged no rate is estimated, and the cost is known.
    is_known = np.isinf(drawn.chosen.threshold)
    ends = of_cost(it.counts_at(drawn.chosen.threshold), it.stakes), drawn.cost
    plain, corrected = ("" if is_known else f" {around(each)}" for each in ends)
    mended = drawn.chosen.cost + drawn.optimism
    rows = [
        (
            "on the rows it was chosen on",
            f"{size(drawn.chosen.cost)}{plain}",
            "tends to be too low",
        ),
        (
            "corrected by the bootstrap",
            f"{size(mended)}{corrected}",
            f"adds {size(drawn.optimism)}",
        ),
    ]
    if halves is not None:
        rows.append(("on the other half", size(halves.other), "chosen on half; no interval"))
    if folds is not None:
        chosen = [score(end) for end in (min(folds.thresholds), max(folds.thresholds))]
        note = f"thresholds {' to '.join(dict.fromkeys(chosen))}"
        rows.append(("out of fold", f"{size(folds.cost)} {around(folds.interval)}", note))
    return [{"judged": a, "cost of a case": b, "note": c} for a, b, c in rows]
