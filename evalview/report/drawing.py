"""Pictures of a report as SVG: few shapes, whose colours are those of its style sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from evalcore.curves.calibration import CalibrationCurve
from evalview.escape import html
from evalview.figures.theme import ModelStyle, model_styles
from evalview.text import abbreviate

LEFT, TOP, RIGHT, BOTTOM = 44.0, 30.0, 14.0, 40.0
WIDTH, HEIGHT = 420.0, 340.0

DASHES = {"solid": "", "dash": "6 4", "dot": "2 3", "dashdot": "6 3 2 3", "longdashdot": "10 3 2 3"}

Styles = Mapping[str, ModelStyle]


def styles(names: Sequence[str]) -> Styles:
    """Return how each model is drawn wherever it appears."""
    return model_styles(names)


def _at(x: float, y: float) -> tuple[float, float]:
    """Return where shares of both axes stand."""
    across, up = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    return round(LEFT + x * across, 1), round(TOP + (1 - y) * up, 1)


def _svg(alt: str, parts: Sequence[str], width: float = WIDTH, height: float = HEIGHT) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{html(alt)}">'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, said: str, anchor: str = "start", kind: str = "tick") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{html(said)}</text>'


def _line(ends: Sequence[float], kind: str, paint: str = "") -> str:
    x1, y1, x2, y2 = ends
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"{paint}/>'


def _axes(above: str, below: str) -> list[str]:
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = _at(share, share)
        parts.append(_line((LEFT, y, WIDTH - RIGHT, y), "grid"))
        parts.append(_text(LEFT - 8, y + 4, f"{share:g}", "end"))
        parts.append(_text(x, HEIGHT - BOTTOM + 16, f"{share:g}", "middle"))
    parts.append(_text(LEFT - 36, 12, above, kind="axis"))
    parts.append(_text(WIDTH - RIGHT, HEIGHT - 6, below, "end", "axis"))
    return parts


def calibration(
    curves: Mapping[str, CalibrationCurve], chosen: str, drawn: Styles, alt: str
) -> str:
    """Return what happened against what was said; intervals of the chosen model alone."""
    parts = _axes("share that happened", "probability that was said")
    parts.append(_line((*_at(0, 0), *_at(1, 1)), "reference"))
    for name, curve in sorted(curves.items(), key=lambda item: item[0] == chosen):
        color, dash = drawn[name].color, DASHES[drawn[name].dash]
        said, came = curve.mean_probability.tolist(), curve.share_positive.tolist()
        places = [_at(x, y) for x, y in zip(said, came, strict=True)]
        points = " ".join(f"{x:g},{y:g}" for x, y in places)
        width = 2.5 if name == chosen else 1.2
        parts.append(
            f'<polyline fill="none" stroke="{color}" stroke-width="{width}" '
            f'stroke-dasharray="{dash}" points="{points}"/>'
        )
        if name != chosen:
            continue
        lows, highs = curve.share_low.tolist(), curve.share_high.tolist()
        for x, low, high in zip(said, lows, highs, strict=True):
            ends = (*_at(x, low), *_at(x, high))
            parts.append(_line(ends, "whisker", f' stroke="{color}"'))
        parts += [f'<circle cx="{x:g}" cy="{y:g}" r="3.5" fill="{color}"/>' for x, y in places]
    return _svg(alt, [*parts, *_legend(list(curves), drawn)], height=HEIGHT + 18 * len(curves))


def _legend(names: Sequence[str], drawn: Styles) -> list[str]:
    parts = []
    for at, name in enumerate(names):
        y = HEIGHT + 10 + 18 * at
        dash = f' stroke="{drawn[name].color}" stroke-dasharray="{DASHES[drawn[name].dash]}"'
        parts.append(_line((LEFT, y - 4, LEFT + 24, y - 4), "swatch", dash))
        parts.append(_text(LEFT + 32, y, abbreviate(name, 50)))
    return parts


def bars(held: Sequence[tuple[float, float, int]], shown: Callable[[float], str], alt: str) -> str:
    """Return bars (from, to, rows) whose areas are rows, along one axis; 0 is marked."""
    low, high = held[0][0], held[-1][1]
    width = high - low or 1.0
    densities = [rows / (to - start) for start, to, rows in held]
    most = max(densities)
    parts = []
    for (start, to, rows), density in zip(held, densities, strict=True):
        (x1, y), (x2, base) = _at((start - low) / width, density / most), _at((to - low) / width, 0)
        title = f"{shown(start)} to {shown(to)}: {rows:,} rows"
        parts.append(
            f'<rect class="bar" x="{x1 + 0.5:g}" y="{y:g}" width="{max(x2 - x1 - 1, 0.5):.1f}" '
            f'height="{base - y:.1f}"><title>{html(title)}</title></rect>'
        )
    if low < 0 < high:
        x, bottom = _at(-low / width, 0)
        parts += [_line((x, TOP, x, bottom), "reference"), _text(x, TOP - 6, "0", "middle")]
    baseline = HEIGHT - BOTTOM
    parts.append(_line((LEFT, baseline, WIDTH - RIGHT, baseline), "reference"))
    parts += [
        _text(LEFT, baseline + 16, shown(low)),
        _text(WIDTH - RIGHT, baseline + 16, shown(high), "end"),
        _text(WIDTH - RIGHT, HEIGHT - 6, "prediction minus truth", "end", "axis"),
    ]
    return _svg(alt, parts)
