"""Results as plain values for strict JSON: no NaN, no Infinity, a reason in their place."""

from evalcore.serialise.catalogue import catalogue, checks
from evalcore.serialise.common import error, text
from evalcore.serialise.comparison import comparison
from evalcore.serialise.evaluation import evaluation, inspection

__all__ = ["catalogue", "checks", "comparison", "error", "evaluation", "inspection", "text"]
