"""What programs with a canvas of nodes write: KNIME, RapidMiner, SPSS Modeler."""

import re
from dataclasses import replace

from evalcore.intake.model import Choices, Scale, Table
from evalcore.intake.signatures import Signature

_SUFFIX = r"[ _]*(?P<parenthesis>\()?(?P<model>[^()]*)(?(parenthesis)\))"
"""KNIME's name of a model: "_RF" or " (RF)"."""

_CONFIDENCE = r"Prediction \(.+\) \(Confidence\)"

_MODELER = re.compile(r"\$(?P<code>[A-Z]{1,3})-(?P<target>.+)")


def _modeler(table: Table) -> Table:
    """Tell predictions from their confidences: "$CC-drug" is the confidence of "$C-drug"."""
    found = {name: match for name in table.names if (match := _MODELER.fullmatch(name))}
    known = {(match["code"], match["target"]) for match in found.values()}
    predicted, scores = {}, {}
    for name, match in found.items():
        code, target = match["code"], match["target"]
        if code[-1] in "PC" and (code[:-1], target) in known:
            scores[code[:-1]] = name
        else:
            predicted[code] = name
    targets = [match["target"] for match in found.values() if match["target"] in table.columns]
    hints = Choices(
        truth=targets[0] if targets else None,
        labels=predicted,
        scores=scores or None,
    )
    return replace(table, hints=hints)


WORKBENCHES: tuple[Signature, ...] = (
    Signature(
        tool="KNIME",
        columns="`Prediction (TARGET)`, `Prediction (TARGET) (Confidence)`",
        says="the confidence is the probability of the predicted class",
        needs=(_CONFIDENCE,),
        lacks=(r"P \(.+",),
        label=r"Prediction \((?P<target>.+)\)(?<!\(Confidence\))",
        score=_CONFIDENCE,
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="KNIME",
        columns="`P (TARGET=CLASS)`, `Prediction (TARGET)`, each with a suffix per model",
        says="`P (TARGET=CLASS)` is the probability of a class",
        needs=(r"Prediction \(.+\).*",),
        label=rf"Prediction \((?P<target>.+?)\){_SUFFIX}(?<!\(Confidence\))",
        probability=rf"P \((?P<target>[^=]+)=(?P<of>.+?)\){_SUFFIX}",
    ),
    Signature(
        tool="RapidMiner",
        columns="`prediction(TARGET)`, `confidence(CLASS)`",
        says="`confidence(CLASS)` is the probability of a class",
        needs=(r"prediction\(.+\)",),
        label=r"prediction\((?P<target>.+)\)",
        probability=r"confidence\((?P<of>.+)\)",
    ),
    Signature(
        tool="SPSS Modeler",
        columns="`$L-TARGET, $LP-TARGET`, with other letters for other models",
        says="`$L-` is the predicted class, `$LP-` (or `$LC-`) its probability",
        needs=(r"\$[A-Z]{1,3}-.+",),
        translate=_modeler,
        scale=Scale.CONFIDENCE,
    ),
)
