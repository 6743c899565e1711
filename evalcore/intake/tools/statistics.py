"""What statistical packages save beside the data: SPSS Statistics, SAS, JMP."""

import re
from collections.abc import Mapping
from dataclasses import replace

from evalcore.intake.model import Choices, Table
from evalcore.intake.modelnames import speaks_of_prediction
from evalcore.intake.profile import profile
from evalcore.intake.signatures import Signature
from evalcore.intake.words import FAINT_TRUTH, TRUTH, plain


def _saved(table: Table) -> bool:
    """Tell what SPSS saved from a column of that name beside predictions that are called so."""
    others = [name for name in table.names if not re.fullmatch(r"[A-Z]{3}_\d+", name)]
    beside = any(re.fullmatch(r"(PGR|RES)_\d+", name) for name in table.names)
    return beside or not any(map(speaks_of_prediction, others))


def _spss(table: Table) -> Table:
    """Tell probabilities from predicted numbers; "PRE_2" and "PGR_2" are a second model."""
    saved = {m[1]: m[0] for name in table.names if (m := re.fullmatch(r"PRE_(\d+)", name))}
    called = {number: name if len(saved) > 1 else "" for number, name in saved.items()}
    groups = {called[k]: f"PGR_{k}" for k in saved if f"PGR_{k}" in table.columns}
    numbers = {called[k]: name for k, name in saved.items()}
    chances = bool(groups) or all(profile(table, name).unit for name in saved.values())
    hints = Choices(
        labels=groups or None,
        scores=numbers if chances else None,
        predictions=None if chances else numbers,
    )
    return replace(table, hints=hints)


def _sas(table: Table) -> Table:
    """Find target and classes: "I_BAD" is the decision, "P_BAD1" the probability of BAD = 1."""
    target, decision = _sas_target(table)
    found = {name.lower(): name for name in table.names}
    truth = found.get(target.lower(), found.get(f"f_{target}".lower()))
    chances = _sas_chances(table, target)
    hints = Choices(
        truth=truth, labels={"": decision}, probabilities={"": chances} if chances else None
    )
    return replace(table, hints=hints)


def _sas_target(table: Table) -> tuple[str, str]:
    """Return the target and the column of decisions on it; empty where there is none."""
    for name in table.names:
        match = re.fullmatch(r"I_(.+)", name, re.IGNORECASE)
        if match and _sas_chances(table, match[1]):
            return match[1], name
    return "", ""


def _sas_chances(table: Table, target: str) -> Mapping[str, str]:
    start = f"p_{target}".lower()
    chances = [name for name in table.names if name.lower().startswith(start)]
    return {name[len(start) :].strip("_ "): name for name in chances if len(name) > len(start)}


def _decides(table: Table) -> bool:
    """Tell decisions on a target from columns of such names beside others that say what is what."""
    target = _sas_target(table)[0].lower()
    if not target:
        return False
    own = re.compile(rf"([a-z]_)?{re.escape(target)}.*", re.IGNORECASE)
    others = [name for name in table.names if not own.fullmatch(name)]
    there = {target, f"f_{target}"} & {name.lower() for name in table.names}
    named = any(plain(name) in TRUTH and plain(name) not in FAINT_TRUTH for name in others)
    return (bool(there) and not named) or not any(map(speaks_of_prediction, others))


STATISTICS: tuple[Signature, ...] = (
    Signature(
        tool="SPSS Statistics",
        columns="the data, `PRE_1`, perhaps `PGR_1` and `RES_1`",
        says="`PRE_1` is the predicted number or probability, `PGR_1` the predicted group",
        needs=(r"PRE_\d+",),
        proof=_saved,
        translate=_spss,
    ),
    Signature(
        tool="SAS",
        columns="`I_TARGET`, `P_TARGETCLASS`, `F_TARGET`",
        says="`I_TARGET` is the decision, `P_TARGETCLASS` the probability of a class, `F_TARGET` "
        "the truth if the target is not there itself",
        needs=("[Ii]_.+", "[Pp]_.+"),
        proof=_decides,
        translate=_sas,
    ),
    Signature(
        tool="SAS",
        columns="`_FROM_, _INTO_, IP_CLASS`",
        says="`_FROM_` is the truth, `_INTO_` the decision, `IP_CLASS` the probability of a class",
        needs=("_FROM_", "_INTO_"),
        truth="_FROM_",
        label="_INTO_",
        probability="IP_(?P<of>.+)",
    ),
    Signature(
        tool="JMP",
        columns="`Prob[CLASS]`, `Most Likely TARGET`",
        says="`Most Likely TARGET` is the predicted class, `Prob[CLASS]` the probability of one",
        needs=(r"Prob\[.+\]", "Most Likely .+"),
        label="Most Likely (?P<target>.+)",
        probability=r"Prob\[(?P<of>.+)\]",
    ),
)
