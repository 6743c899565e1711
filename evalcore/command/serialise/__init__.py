"""Results as plain values for strict JSON: no NaN, no Infinity, a reason in their place."""

from evalcore.command.serialise.catalogue import catalogue, checks
from evalcore.command.serialise.common import error, text
from evalcore.command.serialise.comparison import comparison
from evalcore.command.serialise.evaluation import evaluation, inspection

__all__ = ["catalogue", "checks", "comparison", "error", "evaluation", "inspection", "text"]
