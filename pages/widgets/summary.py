"""The first screen about models: verdict, counts of the best models, misses, what to do next."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from evalcore.comparison.results import Comparison, Standing
from evalcore.errors import EvalError
from evalcore.evaluation.condense import labels_agree
from evalcore.metrics.metric import Estimate
from evalcore.results import Decisions
from evalread.dataset import Dataset, Task
from evalview import headlines, selections, sentences, text
from evalview.escape import html
from evalview.figures.theme import Look
from evalview.selections import Selection
from evalview.text import abbreviate
from pages import contents
from pages.session import computed, current, findings, selection
from pages.widgets import chart, inputs, share

ROWS = 4
"""More models than this are more numbers than one takes in at a glance; a table below has all."""

WEIGHED_AT_MOST = 10
"""With more models only one metric is weighed: each other one compares all pairs again."""

Columns = Mapping[str, Mapping[str, str]]
"""What is told of models: heading -> model -> cell."""


class Dots(NamedTuple):
    """Rows of a kind, and how many of them a model gets right and wrong.

    Attributes:
        name: What they are, such as "malignant rows".
        right, wrong: How many; their words say what becomes of them.
    """

    name: str
    right: float
    wrong: float
    right_word: str
    wrong_word: str


class Step(NamedTuple):
    """A page to go on to, and the rows that it selects."""

    page: str
    label: str
    rows: Selection | None = None


@dataclass(frozen=True, eq=False)
class Told:
    """What the first screen says of models, in the words of their task.

    Attributes:
        columns: What the table says of the best models.
        unit: What its numbers count, such as "Out of 100"; heads the column of names.
        said: What the model looked at gets wrong, in one sentence.
        dots: The same as pictures.
        steps: Where to go on.
    """

    columns: Columns
    unit: str
    said: str
    dots: Sequence[Dots] = ()
    steps: Sequence[Step] = ()


Found = Comparison | EvalError | None


def verdict(dataset: Dataset, metric: str) -> tuple[Found, str, str]:
    """Return the comparison by a metric, the verdict, and what is known besides.

    The verdict weighs other metrics too: `headlines.BESIDE`.
    """
    options = current.options(dataset)
    found = findings.judged_by(dataset, metric, options)
    if not isinstance(found, Comparison):
        why = found.message if found else "These models do not have this number."
        return found, "No two models can be compared", why
    others: list[Comparison] = []
    if len(dataset.models) <= WEIGHED_AT_MOST:
        made = (
            findings.judged_by(dataset, key, options)
            for key in headlines.BESIDE[dataset.roles.task]
            if key != metric
        )
        others = [one for one in made if isinstance(one, Comparison)]
    said = sentences.verdict(found, others) or headlines.finding(found)
    return found, *said


def facts(dataset: Dataset, *known: str) -> str:
    """Return the line of facts below a verdict, beginning with what else is known."""
    ends, picked = "" if dataset.clusterings else "95% intervals", selection.chosen(dataset)
    sizes = headlines.sizes_of(dataset) if picked is None else [selection.name(dataset, picked)]
    return " · ".join(filter(None, [*known, *sizes, ends]))


def rows_shown(order: Sequence[str], chosen: str) -> list[str]:
    """Return the models that the table shows: the best, and the one looked at."""
    if len(order) <= ROWS or chosen in order[:ROWS]:
        return list(order[:ROWS])
    return [*order[: ROWS - 1], chosen]


def pick_way(dataset: Dataset, model: str) -> str:
    """Let the threshold be typed, or the way of deciding picked; return that way, "" without any.

    Labels that the threshold gives in every row are no other way.
    """
    if not dataset.classes or dataset.clusterings:
        return ""
    at = current.threshold(dataset, model)
    ways = computed.ways(dataset, model)
    if len(ways) > 1 and labels_agree(computed.tables(dataset)[model], at):
        ways.remove("labels")
    way = inputs.pick_way(ways)
    if way == "threshold":
        inputs.pick_threshold(dataset, model)
    return way


def decided(dataset: Dataset, model: str, way: str) -> Decisions:
    """Return the decisions of a model made in this way, in another where it does not know it."""
    ways = computed.decisions(dataset, model, current.threshold(dataset, model))
    return ways[way] if way in ways else next(iter(ways.values()))


class Share(NamedTuple):
    """A share of so many rows, or of so many pairs; None where there is none."""

    estimate: Estimate | None
    of: float

    def written(self, *, alone: bool) -> str:
        """Return it out of 100, of fewer rows as it is; `alone` without saying out of how many."""
        if self.estimate is None or not self.estimate.defined:
            return "–"
        if alone:
            return text.whole_percent(self.estimate.value).rstrip("%")
        return text.of_hundred(self.estimate.value, self.of)


def out_of_hundred(shares: Mapping[str, Mapping[str, Share]]) -> tuple[str, Columns]:
    """Return what heads the names of models, and their shares as cells: of few rows as counts.

    >>> out_of_hundred({"finds": {"a": Share(Estimate(0.849), 212), "b": Share(None, 212)}})
    ('Out of 100', {'finds': {'a': '85', 'b': '–'}})
    >>> out_of_hundred({"finds": {"a": Share(Estimate(0.56), 25)}})
    ('Model', {'finds': {'a': '14 of 25'}})
    """
    many = all(share.of >= 100 for of in shares.values() for share in of.values())
    cells = {
        heading: {name: share.written(alone=many) for name, share in of.items()}
        for heading, of in shares.items()
    }
    return "Out of 100" if many else "Model", cells


def to_rows(dataset: Dataset, model: str) -> list[Step]:
    """Return the step to the rows that a model fails on; none where it fails on none."""
    failing = findings.misses(dataset, model)
    if failing is None:
        return []
    labels = {Task.REGRESSION: "See the largest errors", Task.MULTICLASS: "See the errors"}
    is_missed = failing.labelled(selections.CALLED) is not None
    usual = "See the misses" if is_missed else "See the false alarms"
    label = labels.get(dataset.roles.task, usual)
    return [Step(selection.PAGE_OF_ROWS, label, failing)]


def missed(of: float, share: Estimate) -> str:
    """Return how many of some rows a share leaves out, with the interval of that count.

    >>> missed(200, Estimate(0.8, 0.75, 0.85))
    '40 (30 to 50)'
    """
    left = text.count(round(of * (1 - share.value), 2))
    if share.low is None or share.high is None:
        return left
    low, high = (f"{of * (1 - end):,.0f}" for end in (share.high, share.low))
    return f"{left} ({low} to {high})"


def table(
    told: Told, names: Sequence[str], chosen: str, *, all_shown: bool, found: Found = None
) -> None:
    """Show what is told of models; of two that cannot be told apart both are marked."""
    heads = "".join(f'<th scope="col">{html(head)}</th>' for head in told.columns)
    marks = _marks(found)
    rows = "".join(
        f"<tr{' class=eb-chosen' if name == chosen and len(names) > 1 else ''}>"
        f'<th scope="row" title="{html(name)}">{html(abbreviate(name, headlines.NAME_LENGTH))}</th>'
        + "".join(f"<td>{html(cells.get(name, '–'))}</td>" for cells in told.columns.values())
        + f'<td class="eb-mark">{marks.get(name, "")}</td></tr>'
        for name in names
    )
    tied = TIED if any(name in marks for name in names) else ""
    notes = " · ".join(filter(None, [tied, "" if all_shown else REST]))
    st.html(
        f'<div class="eb-summary" role="region" aria-label="The best models" tabindex="0"><table>'
        f'<thead><tr><th scope="col">{html(told.unit)}</th>{heads}<td></td></tr></thead>'
        f'<tbody>{rows}</tbody></table></div><p class="eb-note eb-tied">{notes}</p>'
    )


TIED, REST = "○ too close to the best to call", "the others are under All metrics"


def _marks(found: Found) -> Mapping[str, str]:
    if not isinstance(found, Comparison) or found.doubt:
        return {}
    told = found.verdict
    tied = [name for name in told.order if told.standings[name] is Standing.LEVEL]
    known = [
        name for name in tied if name == told.leader or not told.between(told.leader, name).doubt
    ]
    return dict.fromkeys(known, "○") if len(known) > 1 else {}


def misses(told: Told) -> None:
    """Show what a model gets wrong: a sentence, and a picture of the counts."""
    drawn = "".join(_figure(dots, chart.look()) for dots in told.dots if dots.right + dots.wrong)
    st.html(f'<div class="eb-misses"><p>{html(told.said)}</p>{drawn}</div>')


ACROSS, MOST_DOTS = 20, 100
STEP = 11
"""Pixels from dot to dot."""


def dots_of(right: float, wrong: float) -> tuple[int, int]:
    """Return how many dots stand for what is right and wrong: one a row, of many rows 100 in all.

    What there is at all has a dot.

    >>> dots_of(7, 3), dots_of(165, 47), dots_of(9999, 1), dots_of(0, 212)
    ((7, 3), (78, 22), (99, 1), (0, 100))
    """
    total = right + wrong
    most = MOST_DOTS if total > MOST_DOTS else max(1, round(total))
    bad = min(max(round(most * wrong / total), int(wrong > 0)), most - int(right > 0))
    return most - bad, bad


def _figure(dots: Dots, look: Look) -> str:
    """Return a picture of counts as HTML: a dot for what is right, a square for what is wrong."""
    right, wrong = dots_of(dots.right, dots.wrong)
    marks = [_dot(place, place < wrong, look) for place in range(right + wrong)]
    width, height = ACROSS * STEP, -(-len(marks) // ACROSS) * STEP
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">{"".join(marks)}</svg>'
    )
    counts = (
        f"{text.count(dots.wrong)} {dots.wrong_word}, {text.count(dots.right)} {dots.right_word}"
    )
    alt = f"{dots.name}: {counts}."
    key = (
        f'<i style="color:{look.positive}">■</i> {html(dots.wrong_word)} '
        f'<i style="color:{look.negative}">●</i> {html(dots.right_word)}'
    )
    source = b64encode(svg.encode()).decode()
    return (
        f"<figure><figcaption>{html(dots.name)}: {key}</figcaption>"
        f'<img width="{width}" height="{height}" alt="{html(alt)}" '
        f'src="data:image/svg+xml;base64,{source}"></figure>'
    )


def _dot(place: int, is_wrong: bool, look: Look) -> str:
    y, x = (STEP * at for at in divmod(place, ACROSS))
    if is_wrong:
        return f'<rect x="{x + 1}" y="{y + 1}" width="8" height="8" fill="{look.positive}"/>'
    return f'<circle cx="{x + 5}" cy="{y + 5}" r="3.5" fill="{look.negative}"/>'


def steps(told: Told, found: Found, dataset: Dataset) -> None:
    """Show where to go on, as links that look like buttons, and the report to take away."""
    fitting = {entry.name for entry in contents.CONTENTS if entry.fits(dataset)}
    asked = [*told.steps, Step("slices", "Look for weak groups"), *_why(found)]
    with st.container(key="steps", horizontal=True, gap="small"):
        for step in asked:
            if step.page in fitting:
                st.page_link(
                    contents.page(step.page),
                    label=step.label,
                    help="",
                    query_params=selection.address(step.rows) if step.rows else current.address(),
                )
        if "report" in fitting:
            share.download("Download the report", dataset, key="report-now")


def _why(found: Found) -> list[Step]:
    if not isinstance(found, Comparison):
        return []
    doubted = found.doubt or all(pair.doubt for pair in found.verdict.pairs.values())
    tie = "Compare the models" if doubted else "Why is it a tie?"
    return [Step("comparison", "Why is it better?" if found.verdict.winner else tie)]
