"""Small pictures of concepts, as SVG in the colours of a mode, each told in a sentence."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from evalview.figures.theme import Look

WIDTH, HEIGHT = 300, 132
"""Pixels: beside the text of an entry, and across a phone."""

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Picture:
    """A picture: its shapes, and what it shows in a sentence for those who cannot see it."""

    alt: str
    shapes: str

    def svg(self, look: Look) -> str:
        """Return it as an SVG document in the colours of a mode."""
        colours = {
            "positive": look.positive, "negative": look.negative, "correct": look.correct,
            "card": look.card,
        }  # fmt: skip
        fills = "".join(f".{name}{{fill:{ink}}}" for name, ink in colours.items())
        strokes = "".join(f".s-{name}{{stroke:{ink}}}" for name, ink in colours.items())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}"><style>{fills}{strokes}'
            "polyline{fill:none;stroke-width:2}.dashed{stroke-dasharray:5 4}"
            ".wide{stroke-width:5}"
            f".hollow{{fill:none;stroke:{look.negative}}}"
            f"text{{font:12px system-ui,sans-serif;fill:{look.text}}}"
            f".quiet{{fill:{look.secondary}}}"
            f"</style>{self.shapes}</svg>"
        )


def _box(x: float, y: float, width: float, height: float, kind: str) -> str:
    return (
        f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="2"/>'
    )


def _dot(x: float, y: float, kind: str, radius: float = 4) -> str:
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def _line(points: Iterable[tuple[float, float]], kind: str, more: str = "") -> str:
    """Return a line in a colour; `more`: "dashed" or "wide"."""
    told = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="s-{kind} {more}" points="{told}"/>'


def _say(x: float, y: float, said: str, anchor: str = "start", kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{said}</text>'


def _cells(heads: tuple[str, str], cells: Mapping[str, str], rows: Sequence[str]) -> str:
    """Return a matrix of two rows and two columns; `cells` maps their names to colours."""
    shapes = [_say(8, 12, heads[0], kind="quiet"), _say(163, 12, heads[1], "middle", "quiet")]
    for place, (name, kind) in enumerate(cells.items()):
        x, y = 84 + 80 * (place % 2), 20 + 54 * (place // 2)
        shapes += [_box(x, y, 76, 50, kind), _box(x + 9, y + 15, 58, 20, "card")]
        shapes.append(_say(x + 38, y + 29, name, "middle"))
    shapes += [_say(8, 50 + 54 * place, name) for place, name in enumerate(rows)]
    return "".join(shapes)


def _strip(y: float, parts: Sequence[tuple[float, str]], height: float = 18) -> str:
    """Return rows as a strip cut into parts: (share of the width, colour)."""
    shapes, x, across = [], 20.0, WIDTH - 40
    for share, kind in parts:
        shapes.append(_box(x, y, share * across - 2, height, kind))
        x += share * across
    return "".join(shapes)


def _axes(x: float = 20, y: float = 10, size: float = 104) -> str:
    return _line([(x, y), (x, y + size), (x + size, y + size)], "negative")


def _curve(
    made: Callable[[float], float], x: float = 20, y: float = 10, size: float = 104
) -> Points:
    """Return the points of a curve of shares, in axes that `_axes` draws."""
    shares = [place / 40 for place in range(41)]
    return [(x + share * size, y + (1 - made(share)) * size) for share in shares]


def _bell(middle: float, width: float, height: float) -> Points:
    places = [middle + width * (place / 10 - 3) for place in range(61)]
    return [(x, 112 - height * math.exp(-(((x - middle) / width) ** 2) / 2)) for x in places]


def _named(x: float, y: float, kind: str, said: str) -> str:
    return _dot(x, y - 4, kind) + _say(x + 10, y, said)


def _matrix() -> str:
    kinds = {"TP": "correct", "FN": "positive", "FP": "positive", "TN": "correct"}
    return _cells(("true", "called"), kinds, ("positive", "negative"))


def _roc() -> str:
    chance = _line([(20, 114), (124, 10)], "negative", "dashed")
    told = _named(150, 40, "correct", "a model") + _named(150, 62, "negative", "chance")
    return _axes() + chance + _line(_curve(lambda x: x**0.3), "correct") + told


def _precision_recall() -> str:
    chance = _line(_curve(lambda _: 0.2), "negative", "dashed")
    told = _named(150, 40, "correct", "a model") + _named(150, 62, "negative", "share of positives")
    return _axes() + chance + _line(_curve(lambda x: 1 - 0.8 * x**2), "correct") + told


DRAWN = (0, 1, 1, 3, 4, 4, 4, 7)
"""Places of eight rows, drawn with replacement: rows 2, 5 and 6 are left out."""


def _bootstrap() -> str:
    at = [30 + 34 * place for place in range(8)]
    above = [_dot(x, 34, "correct" if k in DRAWN else "hollow", 6) for k, x in enumerate(at)]
    below = [_dot(x, 98, "correct", 6) for x in at]
    lines = [_line([(at[k], 42), (x, 90)], "negative") for k, x in zip(DRAWN, at, strict=True)]
    return "".join((*lines, *above, *below, _say(20, 16, "rows", kind="quiet"),
                    _say(20, 126, "drawn with replacement", kind="quiet")))  # fmt: skip


def _folds(count: int, height: float) -> str:
    """Return one strip for each round, another part of which tests each time."""
    return "".join(
        _strip(
            8 + place * (height + 4),
            [(1 / count, "positive" if part == place else "negative") for part in range(count)],
            height,
        )
        for place in range(count)
    ) + _parts("train", "test")


def _parts(first: str, second: str) -> str:
    return _named(24, 128, "negative", first) + _named(110, 128, "positive", second)


def _hold_out() -> str:
    return _strip(48, [(0.75, "negative"), (0.25, "positive")], 30) + _parts("train", "test")


def _three_parts() -> str:
    parts = [(0.6, "negative"), (0.2, "correct"), (0.2, "positive")]
    names = [(20, "train"), (176, "dev: choose"), (228, "")]
    return (
        _strip(48, parts, 30)
        + "".join(_say(x, 40, said, kind="quiet") for x, said in names)
        + _say(280, 96, "test: once, at the end", "end", "quiet")
    )


def _stratified() -> str:
    whole = _strip(22, [(0.8, "negative"), (0.2, "positive")])
    train = _strip(58, [(0.56, "negative"), (0.14, "positive")])
    test = _strip(94, [(0.24, "negative"), (0.06, "positive")])
    told = (_say(20, 16, "all rows", kind="quiet"), _say(20, 53, "train", kind="quiet"))
    return whole + train + test + "".join(told) + _say(20, 90, "test", kind="quiet")


TEN = (0.42, 0.61, 0.5, 0.72, 0.78, 0.6, 0.7, 0.38, 0.3, 0.12)
"""Heights of ten points about half a wave."""


def _fit(made: Callable[[float], float]) -> str:
    at = [(20 + 26 * place, 116 - 96 * value) for place, value in enumerate(TEN)]
    line = [(20 + 2.34 * k, 116 - 96 * made(k / 100)) for k in range(101)]
    return "".join(_dot(x, y, "negative") for x, y in at) + _line(line, "positive")


def _through_all(share: float) -> float:
    """Return a curve that passes through every one of the ten points."""
    place = min(int(share * 9), 8)
    part = share * 9 - place
    return TEN[place] + (TEN[place + 1] - TEN[place]) * (1 - math.cos(math.pi * part)) / 2


INTERVALS = ((0, 18), (-9, 20), (12, 17), (5, 21), (-26, 16), (8, 19), (-4, 18))
"""Middle and half width of intervals about a true value of 0: the fifth does not reach it."""


def _intervals() -> str:
    shapes = [_line([(150, 4), (150, 112)], "negative", "dashed")]
    for place, (middle, half) in enumerate(INTERVALS):
        y, x = 12 + 15 * place, 150 + 3 * middle
        kind = "correct" if abs(middle) <= half else "positive"
        shapes += [_line([(x - 3 * half, y), (x + 3 * half, y)], kind), _dot(x, y, kind)]
    return "".join(shapes) + _say(150, 126, "true value", "middle", "quiet")


def _null() -> str:
    bell = _bell(150, 38, 96)
    tails = [(x, y) for x, y in bell if abs(x - 150) >= 1.96 * 38]
    bars = "".join(_line([(x, 112), (x, min(y, 111))], "positive") for x, y in tails)
    seen = _line([(238, 40), (238, 112)], "correct") + _say(238, 34, "observed", "middle")
    return (
        _line(bell, "negative") + bars + seen + _say(150, 128, "no difference", "middle", "quiet")
    )


def _minkowski() -> str:
    shapes = []
    for place, (order, said) in enumerate(((1.0, "p = 1"), (2.0, "p = 2"), (math.inf, "p = ∞"))):
        x = 55 + 95 * place
        turns = [k * math.pi / 32 for k in range(65)]
        ways = [(math.cos(turn), math.sin(turn)) for turn in turns]
        sizes = [
            max(abs(a), abs(b))
            if math.isinf(order)
            else (abs(a) ** order + abs(b) ** order) ** (1 / order)
            for a, b in ways
        ]
        ring = [
            (x + 40 * a / far, 54 + 40 * b / far) for (a, b), far in zip(ways, sizes, strict=True)
        ]
        shapes += [_line(ring, "correct"), _dot(x, 54, "negative", 3), _say(x, 120, said, "middle")]
    return "".join(shapes)


def _rare(positives: int = 3) -> str:
    return "".join(
        _dot(
            30 + 12.6 * (place % 20),
            20 + 20 * (place // 20),
            "positive" if place < positives else "negative",
        )
        for place in range(100)
    )


def _two_errors() -> str:
    """Return the error on training and on new rows, against how rich the model is."""
    train = _line(_curve(lambda x: 0.85 * math.exp(-2.5 * x), size=112, y=4), "negative")
    new = _line(
        _curve(lambda x: 0.85 * math.exp(-2.5 * x) + 0.12 + 0.5 * x**2, size=112, y=4), "positive"
    )
    told = _named(160, 40, "positive", "new rows") + _named(160, 62, "negative", "training rows")
    return _axes(y=4, size=112) + train + new + told + _say(76, 128, "richer →", "middle", "quiet")


def _groups() -> str:
    alone = [_dot(30 + 17 * (k % 6), 30 + 22 * (k // 6), "correct", 5) for k in range(24)]
    grouped = [
        _dot(190 + 38 * (k % 3) + dx, 36 + 40 * (k // 3) + dy, kind, 5)
        for k, kind in enumerate(("correct", "positive", "negative") * 2)
        for dx, dy in ((0, 0), (11, 0), (0, 11), (11, 11))
    ]
    told = (
        _say(72, 126, "independent", "middle", "quiet"),
        _say(235, 126, "in groups", "middle", "quiet"),
    )
    return "".join((*alone, *grouped, *told))


def _t_test() -> str:
    gaps = (6, 14, -4, 22, 10, 17, 2, 12)
    mean = sum(gaps) / len(gaps)
    dots = [_dot(150 + 5 * gap, 20 + 11 * k, "negative") for k, gap in enumerate(gaps)]
    zero = _line([(150, 8), (150, 112)], "negative", "dashed")
    shown = _line([(150 + 5 * mean, 8), (150 + 5 * mean, 112)], "correct")
    told = _say(150, 126, "0", "middle", "quiet"), _say(150 + 5 * mean, 126, "mean", "middle")
    return zero + shown + "".join((*dots, *told))


def _one_right() -> str:
    kinds = {"both": "negative", "only A": "correct", "only B": "positive", "neither": "negative"}
    return _cells(("model A", "model B: right, wrong"), kinds, ("right", "wrong"))


def _two_curves() -> str:
    told = _named(150, 40, "correct", "model A") + _named(150, 62, "positive", "model B")
    curves = _line(_curve(lambda x: x**0.3), "correct") + _line(
        _curve(lambda x: x**0.5), "positive"
    )
    return _axes() + curves + told


def _signed_ranks() -> str:
    shapes = [_line([(20, 66), (280, 66)], "negative")]
    for place, rank in enumerate((1, -2, 3, 4, -5, 6, 7, 8)):
        top, kind = (66 - 7 * rank, "correct") if rank > 0 else (66, "positive")
        shapes.append(_box(32 + 31 * place, top, 20, 7 * abs(rank), kind))
    return "".join(shapes) + _say(
        150, 126, "ranks of the differences, with their signs", "middle", "quiet"
    )


def _ranks() -> str:
    ranks = (("A", 1.4), ("B", 1.9), ("C", 3.5))
    axis = _line([(30, 60), (270, 60)], "negative")
    marks = [_dot(30 + 80 * (rank - 1), 60, "correct", 6) for _, rank in ranks]
    names = [_say(30 + 80 * (rank - 1), 44, name, "middle") for name, rank in ranks]
    bar = _line([(30 + 80 * 0.4, 78), (30 + 80 * 0.9, 78)], "positive", "wide")
    told = _say(150, 118, "mean ranks; the bar: too close to call", "middle", "quiet")
    return axis + "".join((*marks, *names)) + bar + told


def _holm() -> str:
    shapes = []
    for place, p in enumerate((0.004, 0.012, 0.03, 0.045)):
        x, limit = 40 + 60 * place, 0.05 / (4 - place)
        level = 104 - 1700 * limit
        kind = "correct" if place < 2 else "negative"
        shapes += [
            _line([(x, level), (x + 44, level)], "positive"),
            _dot(x + 22, 104 - 1700 * p, kind, 5),
        ]
    told = "p values, and 5% over the comparisons left"
    return "".join(shapes) + _say(150, 126, told, "middle", "quiet")


def _permuted() -> str:
    heights = (2, 5, 12, 24, 38, 47, 50, 45, 36, 25, 13, 6, 2)
    bars = [
        _box(30 + 18 * place, 106 - 1.8 * high, 16, 1.8 * high, "negative")
        for place, high in enumerate(heights)
    ]
    seen = _line([(246, 20), (246, 106)], "correct") + _say(246, 14, "observed", "middle")
    told = _say(120, 126, "with answers swapped at random", "middle", "quiet")
    return "".join(bars) + seen + told


def _expected() -> str:
    shapes = []
    for place, (found, told) in enumerate(((6, 10), (18, 20), (34, 30), (52, 46), (80, 66))):
        x = 32 + 50 * place
        shapes.append(_box(x, 106 - found, 18, found, "correct"))
        shapes.append(_box(x + 19, 106 - told, 18, told, "negative"))
    named = _named(70, 126, "correct", "found") + _named(170, 126, "negative", "expected")
    return "".join(shapes) + named


def _two_parts(first: float, said: str, rest: str) -> str:
    strip = _strip(48, [(first, "correct"), (1 - first, "negative")], 30)
    return strip + _named(24, 112, "correct", said) + _named(150, 112, "negative", rest)


PICTURES: Mapping[str, tuple[str, Callable[[], str]]] = MappingProxyType(
    {
        "confusion-matrix": (
            "A table of two rows, what is true, and two columns, what is called: TP and TN on the "
            "diagonal are right, FN and FP are wrong.",
            _matrix,
        ),
        "roc-curve": ("A curve above the diagonal of chance, from corner to corner.", _roc),
        "precision-recall-curve": (
            "A curve that falls to the right, above the level line of the share of positives.",
            _precision_recall,
        ),
        "bootstrap": (
            "Eight rows, eight draws: some rows are drawn twice or three times, three never.",
            _bootstrap,
        ),
        "cross-validation": (
            "Five strips of rows; in each another fifth tests and the others train.",
            lambda: _folds(5, 18),
        ),
        "leave-one-out": (
            "Nine strips of nine rows; in each another single row tests.",
            lambda: _folds(9, 8.5),
        ),
        "hold-out": ("One strip of rows, three quarters train and one quarter tests.", _hold_out),
        "train-dev-and-test": (
            "One strip in three parts: train, dev to choose by, test at the end.",
            _three_parts,
        ),
        "stratified": (
            "All rows, the training part and the test part hold the same share of a rare class.",
            _stratified,
        ),
        "over-fitting": (
            "Ten points about a wave; the curve passes through every one of them.",
            lambda: _fit(_through_all),
        ),
        "under-fitting": (
            "The same ten points about a wave; a straight line misses most of them.",
            lambda: _fit(lambda share: 0.68 - 0.36 * share),
        ),
        "confidence-interval": (
            "Seven intervals about their estimates; six contain the true value, one does not.",
            _intervals,
        ),
        "null-hypothesis": (
            "A bell of the differences that equal models give; the observed one is in a tail.",
            _null,
        ),
        "minkowski-distance": (
            "Points equally far from the middle: a diamond for p 1, a circle for p 2, a square for "
            "p without end.",
            _minkowski,
        ),
        "imbalance": ("A hundred dots, three of which are of the rare class.", _rare),
        "base-rate": ("A hundred dots, thirty of which are positive.", lambda: _rare(30)),
        "recognition-rate": (
            "A strip of all rows, most of which are called right.",
            lambda: _two_parts(0.8, "called right", "called wrong"),
        ),
        "exactness": (
            "A strip of the rows called positive, the larger part of which is positive.",
            lambda: _two_parts(0.7, "positive", "false alarms"),
        ),
        "completeness-of-a-classifier": (
            "A strip of the positive rows, the larger part of which is found.",
            lambda: _two_parts(0.6, "found", "missed"),
        ),
        "bias-and-variance": (
            "As a model gets richer its error on training rows falls; on new rows it falls, then "
            "rises.",
            _two_errors,
        ),
        "iid": ("Left, single rows that are independent; right, rows in groups of four.", _groups),
        "t-test": (
            "Eight differences, most of them above 0, and their mean beside the line at 0.",
            _t_test,
        ),
        "mcnemar-s-test": (
            "A table of two models, right or wrong; the cells where only one is right count.",
            _one_right,
        ),
        "delong-s-test": ("Two ROC curves over the same rows, one above the other.", _two_curves),
        "wilcoxon-signed-rank-test": (
            "Bars as long as the ranks of eight differences, six of them up and two down.",
            _signed_ranks,
        ),
        "friedman-test": (
            "Mean ranks of three models on a line; a bar joins two that are too close to call.",
            _ranks,
        ),
        "holm-s-correction": (
            "Four p values in order and their limits, which rise; the first two are below theirs.",
            _holm,
        ),
        "permutation-test": (
            "Bars of the differences that swapping at random gives; the observed one lies beyond "
            "most of them.",
            _permuted,
        ),
        "hosmer-lemeshow-test": (
            "Pairs of bars for five groups of rows: positives found and positives expected.",
            _expected,
        ),
    }
)
"""What each concept's picture shows, and what draws it, by the concept's key."""


def picture(key: str) -> Picture | None:
    """Return the picture of a concept by its key; None where it has none."""
    if key not in PICTURES:
        return None
    alt, drawn = PICTURES[key]
    return Picture(alt, drawn())
