"""The first screen about models: verdict, counts of the best models, misses, what to do next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from evalcore.comparison.results import Comparison, Standing
from evalcore.errors import EvalError
from evalcore.results import Decisions
from evalread.dataset import Dataset, Task
from evalview import headlines, selections, sentences
from evalview.escape import html, prose
from evalview.explained.cards import Columns, Dots, dots_html
from evalview.selections import Selection
from evalview.text import abbreviate
from pages import contents
from pages.session import computed, current, findings, selection
from pages.widgets import chart, inputs, share

WEIGHED_AT_MOST = 10
"""With more models only one metric is weighed: each other one compares all pairs again."""


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
    if (said := sentences.verdict(found, others)) is None:
        return found, *headlines.finding(found)
    return found, said[0], " · ".join(filter(None, [said[1], sentences.difference(found)]))


def facts(dataset: Dataset, *known: str) -> str:
    """Return the line of facts below a verdict, beginning with what else is known."""
    ends, picked = "" if dataset.clusterings else "95% intervals", selection.chosen(dataset)
    sizes = headlines.sizes_of(dataset) if picked is None else [selection.name(dataset, picked)]
    ignored = "Judged without your costs" if current.use(dataset).ignored_by(dataset) else ""
    return " · ".join(filter(None, [*known, ignored, *sizes, ends]))


def pick_way(dataset: Dataset, model: str) -> str:
    """Let the threshold be typed, or the way of deciding picked; return that way, "" without any.

    Labels that the threshold gives in every row are no other way.
    """
    if not dataset.classes or dataset.clusterings:
        return ""
    at = current.threshold(dataset, model)
    ways = computed.ways(dataset, model)
    if len(ways) > 1 and headlines.labels_agree(computed.tables(dataset)[model], at):
        ways.remove("labels")
    way = inputs.pick_way(ways)
    if way == "threshold":
        inputs.pick_threshold(dataset, model)
    return way


def decided(dataset: Dataset, model: str, way: str) -> Decisions:
    """Return the decisions of a model made in this way, in another where it does not know it."""
    ways = computed.decisions(dataset, model, current.threshold(dataset, model))
    return next((made for known, made in ways.items() if known == way), next(iter(ways.values())))


def to_rows(dataset: Dataset, model: str) -> list[Step]:
    """Return the step to the rows that a model fails on; none where it fails on none."""
    failing = selection.misses(dataset, model)
    if failing is None:
        return []
    labels = {Task.REGRESSION: "See the largest errors", Task.MULTICLASS: "See the errors"}
    is_missed = failing.labelled(selections.CALLED) is not None
    usual = "See the misses" if is_missed else "See the false alarms"
    label = labels.get(dataset.roles.task, usual)
    return [Step(selection.PAGE_OF_ROWS, label, failing)]


def table(
    told: Told, names: Sequence[str], chosen: str, *, all_shown: bool, found: Found = None
) -> None:
    """Show what is told of models; of two that cannot be told apart both are marked."""
    heads = "".join(f'<th scope="col">{html(head)}</th>' for head in told.columns)
    marks = _marks(found)
    rows = "".join(
        f"<tr{' class=eb-chosen' if name == chosen and len(names) > 1 else ''}>"
        f'<th scope="row" title="{html(name)}">{html(abbreviate(name, headlines.NAME_LENGTH))}</th>'
        + "".join(f"<td>{_cell(cells.get(name, '–'))}</td>" for cells in told.columns.values())
        + f'<td class="eb-mark">{marks.get(name, "")}</td></tr>'
        for name in names
    )
    tied = TIED if any(name in marks for name in names) else ""
    own = OWN_ROWS if isinstance(found, Comparison) and sentences.on_common_rows(found) else ""
    notes = " · ".join(filter(None, [tied, own, "" if all_shown else REST]))
    st.html(
        f'<div class="eb-summary" role="region" aria-label="The best models" tabindex="0"><table>'
        f'<thead><tr><th scope="col">{html(told.unit)}</th>{heads}<td></td></tr></thead>'
        f'<tbody>{rows}</tbody></table></div><p class="eb-note eb-tied">{notes}</p>'
    )


def _cell(said: str) -> str:
    """Return a number as HTML; what stands in brackets behind it is set smaller."""
    number, *beside = said.split(" (", 1)
    return prose(number) + "".join(f" <small>({prose(rest)}</small>" for rest in beside)


TIED, REST = "○ too close to the best to call", "the others are under All metrics"
OWN_ROWS = "each model on all of its own rows"


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
    drawn = "".join(dots_html(dots, chart.look()) for dots in told.dots if dots.right + dots.wrong)
    st.html(f'<div class="eb-misses"><p>{prose(told.said)}</p>{drawn}</div>')


def steps(told: Told, found: Found, dataset: Dataset) -> None:
    """Show where to go on, as links that look like buttons, and the report to take away."""
    fitting = {entry.name for entry in contents.CONTENTS if entry.fits(dataset)}
    asked = [*told.steps, Step("slices", "Look for weak groups"), *_why(found)]
    if current.use(dataset).ignored_by(dataset):
        asked.append(Step("costs", "See what each model costs"))
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
