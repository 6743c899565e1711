"""The prediction files of known tools: one declaration each, the most particular first."""

from evalread.signatures import Signature
from evalread.tools.libraries import FRAMEWORKS, LANGUAGE, WEKA, R
from evalread.tools.services import BY_VALUES, CLOUD, STATISTICS, WORKBENCHES

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
