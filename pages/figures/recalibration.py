"""Calibration curves beside each other: of all models, or before and after recalibration."""

from collections.abc import Mapping

import plotly.graph_objects as go

from evalcore.curves.calibration import CalibrationCurve
from pages.escape import plotly as safe
from pages.figures import calibration, words
from pages.figures.scene import Scene


def draw(scene: Scene, curves: Mapping[str, CalibrationCurve], title: str) -> go.Figure:
    """Draw one line per set of probabilities; the chosen one, if any, with its intervals."""
    figure = calibration.draw(scene, curves)
    says = "Reliability diagram; the closer to the diagonal, the truer"
    figure.update_layout(title={"text": safe(title), "subtitle": {"text": safe(says)}})
    return figure


def alt(curves: Mapping[str, CalibrationCurve], title: str) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"{title}: reliability diagram with {words.counted(len(curves), 'line')}."
