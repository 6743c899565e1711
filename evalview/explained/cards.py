"""Numbers on cards and what explains one; shares as counts out of 100, and as dots."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from evalcore.metrics.metric import Estimate, Metric
from evalcore.metrics.vocabulary import Source
from evalview import text
from evalview.escape import html
from evalview.explained import arithmetic, lookup
from evalview.figures.theme import Look

FEW_ROWS = 30
"""Below this many rows a number says little, however it looks."""


@dataclass(frozen=True, eq=False)
class Card:
    """One number to show.

    Attributes:
        metric: Its declaration.
        estimate: The number with its interval.
        says: What it means for these rows.
        rows: How many rows it rests on; None if that is not known.
    """

    metric: Metric
    estimate: Estimate
    says: str = ""
    rows: float | None = None


def card_html(card: Card) -> str:
    """Return the card as HTML; every text in it is escaped."""
    estimate = card.estimate
    number_class = "eb-number" if estimate.defined else "eb-number eb-undefined"
    parts = [
        _card_line("eb-name", card.metric.name),
        _card_line(number_class, text.number(estimate.value, text.decimals(estimate))),
        _interval(card.metric, estimate),
        _card_line("eb-says", card.says if estimate.defined else _reason(card)),
        *(_card_line("eb-flag", flag) for flag in flags(card)),
    ]
    return f'<div class="eb-score">{"".join(parts)}</div>'


def flags(card: Card) -> list[str]:
    """Return what to beware of before believing the number."""
    found = []
    if card.rows is not None and card.rows < FEW_ROWS and card.estimate.defined:
        found.append(f"rests on {text.counted(card.rows, 'row')} only")
    if card.estimate.note:
        found.append(card.estimate.note)
    return found


def _reason(card: Card) -> str:
    return card.estimate.why or card.metric.undefined_when


def _card_line(name: str, text: str) -> str:
    return f'<p class="{name}">{html(text)}</p>' if text else ""


def _interval(metric: Metric, estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    made = html(lookup.told(estimate))
    return (
        f'<p class="eb-interval" title="{made}">{_bar(metric, estimate)}'
        f'<span class="eb-hidden">{estimate.level:.0%} interval: </span>'
        f"{html(text.interval(estimate))}</p>"
    )


def _bar(metric: Metric, estimate: Estimate) -> str:
    """Return the interval within the range of the metric, if that range is finite."""
    low, value, high = (
        _position(metric, end) for end in (estimate.low, estimate.value, estimate.high)
    )
    if low is None or value is None or high is None:
        return ""
    return (
        f'<span class="eb-range" aria-hidden="true">'
        f'<i style="left:{low:.1f}%;width:{max(high - low, 1):.1f}%"></i>'
        f'<b style="left:{value:.1f}%"></b></span>'
    )


def _position(metric: Metric, value: float | None) -> float | None:
    span = metric.high - metric.low
    if value is None or not 0 < span < float("inf"):
        return None
    return min(100.0, max(0.0, 100 * (value - metric.low) / span))


def terms(parts: arithmetic.Parts) -> str:
    """Return the terms that a number is made of as a table, in HTML."""
    words_at = [isinstance(cell, str) for cell in parts.rows[0]] if parts.rows else []
    kinds = [' class="eb-word"' if is_word else "" for is_word in words_at]
    heads = "".join(f"<th{k}>{html(h)}</th>" for h, k in zip(parts.head, kinds, strict=False))
    rows = "".join(
        "<tr>"
        + "".join(f"<td{k}>{html(_cell(c))}</td>" for c, k in zip(row, kinds, strict=True))
        + "</tr>"
        for row in parts.rows
    )
    return (
        f'<div class="eb-parts"><table><caption>{html(parts.title)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: arithmetic.Cell) -> str:
    """Return a term as text; one that is no whole number never looks like one."""
    if isinstance(cell, str):
        return cell
    if not isfinite(cell):
        return text.number(cell)
    if float(cell).is_integer() and abs(cell) < 1e15:
        return text.count(cell)
    if 1e4 <= abs(cell) < 1e15:
        return f"{cell:,.1f}"
    texts = (f"{cell:.{digits}g}" for digits in (4, 6, 9, 12, 17))
    return next((text for text in texts if not float(text).is_integer()), f"{cell:.4g}")


def chain(working: arithmetic.Working, metric: Metric) -> str:
    r"""Return the working as lines of one equation, in LaTeX.

    A formula in words, which is not the one of the declaration, leads them.
    """
    in_words = [] if working.formula == metric.formula else [working.formula]
    lines = [*in_words, *(_line(step) for step in working.steps)]
    return r"\begin{aligned}" + r" \\[0.9em] ".join(f"&{line}" for line in lines) + r"\end{aligned}"


def _line(step: arithmetic.Step) -> str:
    sign = r"\approx" if step.rounded else "="
    return f"{sign} {step.latex}"


def facts(metric: Metric, estimate: Estimate) -> list[str]:
    """Return what else there is to know, as HTML: interval, range, other names, source."""
    told = []
    if estimate.low is not None:
        told.append(f"{text.interval(estimate)}: {lookup.told(estimate)}")
    if not estimate.defined and estimate.why:
        told.append(f"There is no finite value here: {estimate.why}.")
    told.append(f"{ranges(metric)}, {lookup.DIRECTIONS[metric.better]}.")
    if metric.synonyms:
        told.append(f"Also called {', '.join(metric.synonyms)}.")
    if metric.undefined_when:
        told.append(f"Undefined when {metric.undefined_when}.")
    return [*map(html, told), f"Source: {source(metric.source)}."]


def source(cited: Source) -> str:
    """Return where a formula comes from, as HTML, with its link."""
    if not cited.url.startswith(("https://", "http://")):
        return html(cited.text)
    return f'<a href="{html(cited.url)}" target="_blank">{html(cited.text)}</a>'


def ranges(metric: Metric) -> str:
    """Return the range of a metric in words."""
    return f"From {text.bound(metric.low)} to {text.bound(metric.high)}"


MODELS_SHOWN = 4
"""More models than this are more numbers than one takes in at a glance; a table below has all."""


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


def rows_shown(order: Sequence[str], chosen: str) -> list[str]:
    """Return the models that the table shows: the best, and the one looked at."""
    if len(order) <= MODELS_SHOWN or chosen in order[:MODELS_SHOWN]:
        return list(order[:MODELS_SHOWN])
    return [*order[: MODELS_SHOWN - 1], chosen]


class Share(NamedTuple):
    """A share of so many rows, or of so many pairs; None where there is none."""

    estimate: Estimate | None
    of: float

    def written(self, *, many: bool, finer: bool) -> str:
        """Return it out of 100, `finer` with a digit more, or out of how many where they are few.

        `many`: it stands below "Out of 100", and only the number is written.
        """
        if self.estimate is None or not self.estimate.defined:
            return "–"
        share = self.estimate.value
        if many or (finer and self.of >= 100 and 0.01 <= share <= 0.99):
            said = text.tenths(share) if finer else text.hundredths(share)
            return said if many else f"{said} of 100"
        return text.of_hundred(share, self.of)


def out_of_hundred(shares: Mapping[str, Mapping[str, Share]]) -> tuple[str, Columns]:
    """Return what heads the names of models, and their shares as cells: of few rows as counts.

    >>> out_of_hundred({"finds": {"a": Share(Estimate(0.849), 212), "b": Share(None, 212)}})
    ('Out of 100', {'finds': {'a': '85', 'b': '–'}})
    >>> out_of_hundred({"finds": {"a": Share(Estimate(0.56), 25)}})
    ('Model', {'finds': {'a': '14 of 25'}})
    >>> out_of_hundred({"finds": {k: Share(Estimate(float(k)), 212) for k in ("0.7648", "0.9")}})
    ('Out of 100', {'finds': {'0.7648': '76.5', '0.9': '90.0'}})
    """
    many = all(share.of >= 100 for of in shares.values() for share in of.values())
    return "Out of 100" if many else "Model", in_cells(shares, many=many)


def in_cells(shares: Mapping[str, Mapping[str, Share]], *, many: bool = False) -> Columns:
    """Return shares as cells, all with a digit more where one needs it; `many` as `Share` has it.

    >>> in_cells({"worst": {k: Share(Estimate(float(k)), 212) for k in ("0.7648", "0.9")}})
    {'worst': {'0.7648': '76.5 of 100', '0.9': '90.0 of 100'}}
    """
    finer = any(
        "." in text.hundredths(share.estimate.value)
        for of in shares.values()
        for share in of.values()
        if share.of >= 100 and share.estimate is not None and share.estimate.defined
    )
    return {
        heading: {name: share.written(many=many, finer=finer) for name, share in of.items()}
        for heading, of in shares.items()
    }


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


def dots_html(dots: Dots, look: Look) -> str:
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


def written(metric: Metric, estimate: Estimate) -> str:
    """Return a value as it is read: counts as whole numbers, others as finely as they need."""
    if metric.unit == "count" and estimate.defined:
        return text.count(estimate.value)
    if metric.unit == "p" and estimate.defined:
        return text.p_value(estimate.value)
    return text.number(estimate.value, text.decimals(estimate))


def entry_html(metric: Metric) -> str:
    """Return the head of an entry of the glossary as HTML: its family, name and meaning."""
    beware = f'<p class="eb-beware"><b>Beware.</b> {html(metric.misleads)}</p>'
    return (
        f'<p class="eb-note">{html(lookup.FAMILIES[metric.family])}</p>'
        f'<h2 class="eb-term">{html(metric.name)}</h2>'
        f'<p class="eb-meaning">{html(metric.summary)}</p>{beware if metric.misleads else ""}'
    )


def known_html(metric: Metric, *, declared: bool) -> str:
    """Return what is known of a metric; `declared`: also how its interval would be made."""
    known = {
        "Range": f"{ranges(metric)}, {lookup.DIRECTIONS[metric.better]}",
        "Undefined when": metric.undefined_when,
        "Infinite when": metric.infinite_when,
        "Also called": ", ".join(metric.synonyms),
        "Interval": metric.interval.says if declared else "",
        "Name in code": metric.key,
        "Settings": lookup.setting(metric),
    }
    rows = {term: html(text) for term, text in known.items() if text}
    rows["Source"] = source(metric.source)
    told = "".join(f"<div><dt>{term}</dt><dd>{text}</dd></div>" for term, text in rows.items())
    return f'<dl class="eb-terms">{told}</dl>'
