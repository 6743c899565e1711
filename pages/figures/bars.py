"""Intervals as bars round points."""

from evalcore.outcomes import Floats


def interval_bars(value: Floats, low: Floats, high: Floats, color: str) -> dict[str, object]:
    """Return plotly's error bars from (n,) lower to (n,) upper ends round (n,) values."""
    return {
        "type": "data",
        "symmetric": False,
        "array": high - value,
        "arrayminus": value - low,
        "color": color,
        "thickness": 1.2,
        "width": 0,
    }
