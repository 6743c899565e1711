"""The prediction files of known tools: one declaration each, the most particular first."""

from evalcore.intake.signatures import Signature
from evalcore.intake.tools.by_values import BY_VALUES
from evalcore.intake.tools.cloud import CLOUD
from evalcore.intake.tools.frameworks import FRAMEWORKS
from evalcore.intake.tools.language import LANGUAGE
from evalcore.intake.tools.r import R
from evalcore.intake.tools.statistics import STATISTICS
from evalcore.intake.tools.weka import WEKA
from evalcore.intake.tools.workbenches import WORKBENCHES

TOOLS: tuple[Signature, ...] = (
    *WEKA,
    *R,
    *FRAMEWORKS,
    *WORKBENCHES,
    *STATISTICS,
    *CLOUD,
    *LANGUAGE,
    *BY_VALUES,
)
