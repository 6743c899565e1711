"""Results as aligned text for people."""

from evalcore.command.printing.catalogue import catalogue, checks
from evalcore.command.printing.common import visible
from evalcore.command.printing.comparison import comparison
from evalcore.command.printing.evaluation import evaluation, inspection

__all__ = ["catalogue", "checks", "comparison", "evaluation", "inspection", "visible"]
