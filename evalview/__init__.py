"""Results in; figures, workings and the explorer's data out. It never imports Streamlit.

Pages, reports and notebooks draw with it.
"""

from pathlib import Path

_INSTALLED = Path(__file__).resolve().parent / "assets"

ASSETS = _INSTALLED if _INSTALLED.is_dir() else _INSTALLED.parents[1] / "assets"
"""Style sheets, scripts, fonts and samples: inside the package where it is installed."""
