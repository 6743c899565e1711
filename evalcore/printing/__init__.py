"""Results as aligned text for people."""

from evalcore.printing.catalogue import catalogue, checks
from evalcore.printing.common import visible
from evalcore.printing.comparison import comparison
from evalcore.printing.evaluation import evaluation, inspection

__all__ = ["catalogue", "checks", "comparison", "evaluation", "inspection", "visible"]
