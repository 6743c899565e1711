"""The words of the command line, and what they choose."""

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.text import did_you_mean
from evalread.dataset import SCHEMA, Choice, Choices, Kind

SERVE = "serve"


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are errors like all others."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what no option takes here, where the options of a command are known."""
        given, rest = super().parse_known_args(args, namespace)
        if rest:
            word = next((one for one in rest if one.startswith("-")), rest[0]).partition("=")[0]
            options = {name: () for one in self._actions for name in one.option_strings}
            near = did_you_mean(word, options) if word.startswith("-") else ""
            what = "option" if word.startswith("-") else "place for"
            raise EvalError("usage", f'There is no {what} "{word}".{near} {self._help}')
        return given, rest

    @property
    def _help(self) -> str:
        return f"Try {self.prog} --help."

    def error(self, message: str) -> NoReturn:
        """Raise an EvalError in place of leaving the program."""
        if wrong := re.fullmatch(r"argument (.+): invalid (float|int) value: '(.*)'", message):
            option, kind, said = wrong.groups()
            number = "a number" if kind == "float" else "a whole number"
            message = f'{option} takes {number}, not "{said}"'
        raise EvalError("usage", f"{message[:1].upper()}{message[1:]}. {self._help}")


class _Version(argparse.Action):
    """Says the version and leaves; looked up only when it is asked for, since that takes time."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> None:
        from importlib.metadata import version

        parser.exit(message=f"evalboard {version('evalboard')}\n")


class _Once(argparse.Action):
    """Takes one value; a second one is an error, not the one that counts."""

    def __call__(
        self, parser: argparse.ArgumentParser, given: argparse.Namespace, *rest: Any
    ) -> None:
        value, option = rest
        if getattr(given, self.dest) is not None:
            parser.error(f"{option} is given twice, but takes one value")
        setattr(given, self.dest, value)


def parser() -> Parser:
    """Return the parser of all commands."""
    top = Parser(
        prog="evalboard",
        description="Exact evaluation of machine-learning predictions. Without a command: the "
        "dashboard in the browser, on the files if any are given.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="show the version")
    commands = top.add_subparsers(dest="command", required=True, metavar="command")
    for name, (says, takes) in _COMMANDS.items():
        command = commands.add_parser(name, help=says, description=says, allow_abbrev=False)
        command.add_argument("--json", action="store_true", help="JSON on standard output")
        for add in takes:
            add(command)
    return top


def with_command(words: Sequence[str]) -> list[str]:
    """Return the words with the command in front that is meant where none is named.

    Raises:
        EvalError: The first word is neither a command nor a file.

    >>> with_command([]), with_command(["./evaluate"]), with_command(["metrics"])
    (['serve'], ['serve', './evaluate'], ['metrics'])
    """
    first = words[0] if words else ""
    if first in (*_COMMANDS, "-h", "--help", "--version"):
        return list(words)
    if first.isidentifier() and not Path(first).exists():
        raise EvalError(
            "usage",
            f'There is no file "{first}", and no such command: {", ".join(_COMMANDS)}.'
            + did_you_mean(first, dict.fromkeys(_COMMANDS, ())),
        )
    return [SERVE, *words]


def words_given(given: argparse.Namespace) -> dict[str, Any]:
    """Return the words after each option about the files; `choices` of them is what they settle."""
    return {one.field: getattr(given, one.field) for one in SCHEMA}


def choices(given: argparse.Namespace) -> Choices:
    """Return what the options settle about how the files are to be read."""
    settled = {one.field: _settled(one, getattr(given, one.field)) for one in SCHEMA}
    return Choices(**settled)


def _settled(one: Choice, words: Any) -> Any:
    """Return what the words after an option, or none, settle."""
    if one.words is not None:
        return one.words(words) if words else None
    if one.kind is Kind.TEXTS:
        return tuple(words) or None
    if one.kind is Kind.BY_MODEL:
        return _by_model(one, words)
    return _probabilities(words) if one.kind is Kind.BY_CLASS else words


def options(given: argparse.Namespace) -> Options:
    """Return the settings of the evaluation.

    Raises:
        EvalError: A setting is outside its range, or names no distance.
    """
    if given.distance is not None:
        from evalcore.clustering.distance import Distance

        Distance.parse(given.distance)
    return Options(
        threshold=Options.threshold if given.threshold is None else given.threshold,
        level=given.level,
        resamples=given.resamples,
        seed=given.seed,
        bins=given.bins,
        binning=given.binning,
        distance=given.distance,
        samples=given.samples,
    )


def named(text: str) -> tuple[str, str]:
    """Split "MODEL=COLUMN"; without "=" there is no model, and "=COLUMN" may hold further "=".

    >>> named("rf=rf_score"), named("score"), named("=a=b")
    (('rf', 'rf_score'), ('', 'score'), ('', 'a=b'))
    """
    before, sign, after = text.partition("=")
    return (before, after) if sign else ("", before)


def _by_model(one: Choice, given: Sequence[str]) -> dict[str, str] | None:
    """Return model -> column; several without a name are each called like their column.

    Raises:
        EvalError: "usage": a name is given twice, or is lacking where it has to be there.
    """
    pairs = [named(text) for text in given]
    unnamed = sum(1 for model, _ in pairs if not model)
    if unnamed and not one.shape.startswith("["):
        raise EvalError("usage", f"--{one.option} takes {one.shape}, with the sign = between.")
    found: dict[str, str] = {}
    for model, column in pairs:
        _put(found, model or (column if unnamed > 1 else ""), column, one.option)
    return found or None


def _probabilities(given: Sequence[str]) -> dict[str, dict[str, str]] | None:
    """Return model -> class -> column from "MODEL:CLASS=COLUMN" or "CLASS=COLUMN"."""
    found: dict[str, dict[str, str]] = {}
    for text in given:
        who, column = named(text)
        model, sign, label = who.partition(":")
        if not who:
            raise EvalError("usage", f'--prob "{text}" names no class. Write CLASS=COLUMN.')
        _put(found.setdefault(model if sign else "", {}), label if sign else who, column, "prob")
    return found or None


def _put(found: dict[str, str], name: str, value: str, option: str) -> None:
    if name in found:
        said = f'--{option} is given twice for "{name}"' if name else f"--{option} is given twice"
        raise EvalError("usage", f'{said}: "{found[name]}" and "{value}". Give it once.')
    found[name] = value


def _port(text: str) -> int:
    """Return a port: from 1 to 65535, as a port is a number of 16 bits."""
    if not (text.isdecimal() and 0 < int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f'"{text}" is not a port: ports are numbers up to 65535')
    return int(text)


_Add = Callable[[argparse.ArgumentParser], None]


def _serving(command: argparse.ArgumentParser) -> None:
    _files(command)
    command.add_argument(
        "--host", default="127.0.0.1", help="where to listen (default: %(default)s)"
    )
    command.add_argument(
        "--port", type=_port, help="the port (default: the first free one from 8501)"
    )
    command.add_argument(
        "--no-browser", action="store_true", help="only print the address, do not open a browser"
    )


def _files(command: argparse.ArgumentParser) -> None:
    told = "files of predictions, joined by their id; or an address, such as parquet:///folder/*.parquet"
    command.add_argument("files", nargs="*", metavar="FILE", help=told)
    group = command.add_argument_group("data that are counted where they lie")
    group.add_argument("--source", metavar="NAME", help="a source of the settings file")
    anew = "count anew, whatever is kept of the source"
    group.add_argument("--fresh", action="store_true", help=anew)


def _roles(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group(
        "which column has which role (default: detected and reported)"
    )
    _add_choices(group, [one for one in SCHEMA if one.about != "file"])


def _reading(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("how to read the file (default: detected)")
    _add_choices(group, [one for one in SCHEMA if one.about == "file"])


def _add_choices(group: Any, some: Sequence[Choice]) -> None:
    for one in some:
        asked: dict[str, Any] = {"dest": one.field, "help": one.told}
        if one.kind is Kind.FLAG:
            asked |= {"action": "store_true"}
        elif one.words is not None:
            asked |= {"choices": [word.value for word in one.words if word is not one.never]}
        else:
            asked |= {"metavar": one.shape}
        if one.kind in (Kind.TEXTS, Kind.BY_MODEL, Kind.BY_CLASS):
            asked |= {"action": "append", "default": []}
        elif one.kind is not Kind.FLAG:
            asked |= {"action": _Once}
        group.add_argument(f"--{one.option}", **asked)


def _numbers(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("numbers")
    asked = Options()
    own = f"call a row positive if score >= T (default: the file's own, else {asked.threshold})"
    group.add_argument("--threshold", type=float, metavar="T", help=own)
    group.add_argument("--bins", type=int, default=asked.bins, metavar="N")
    group.add_argument("--binning", choices=["uniform", "quantile"], default=asked.binning)
    group.add_argument("--level", type=float, default=asked.level)
    group.add_argument("--resamples", type=int, default=asked.resamples, metavar="N")
    group.add_argument("--seed", type=int, default=asked.seed)
    group.add_argument(
        "--distance",
        default=asked.distance,
        metavar="NAME",
        help="distance between points: euclidean (default for numbers), manhattan, minkowski:P, "
        "cosine, or matching (default for categories)",
    )
    samples = "also per-row values of metrics that have them, such as the silhouette"
    group.add_argument("--samples", action="store_true", help=samples)


def _requirements(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="'METRIC>=NUMBER'",
        help="a requirement; can be repeated; METRIC may be "
        "[MODEL:][labels.|threshold.|argmax.]METRIC",
    )


def _history(command: argparse.ArgumentParser) -> None:
    group: Any = command.add_argument_group("history: has a number changed since the first check?")
    where = "the CSV to which this check is added; it is made where there is none"
    group.add_argument("--history", metavar="FILE", help=where)
    _looks(group)


def _looks(group: Any) -> None:
    """Add what is planned of looks."""
    looks = "how often you will look in all, from the first time on (default: %(default)s)"
    group.add_argument("--looks", type=int, default=1000, metavar="N", help=looks)
    error = "chance that any of these looks flags a change without one (default: %(default)s)"
    group.add_argument("--false-alarms", type=float, default=0.05, metavar="P", help=error)
    change = "the size of change to look for (default: 0.05; a tenth of an error without a range)"
    group.add_argument("--change", type=float, metavar="X", help=change)


def _over_time(command: argparse.ArgumentParser) -> None:
    group: Any = command.add_argument_group("over time")
    every = "how long a period is (default: %(default)s)"
    group.add_argument("--every", choices=["day", "week", "month"], default="week", help=every)
    usual = "default: accuracy; recall of rare positives; mae"
    group.add_argument("--metric", metavar="KEY", help=usual)
    judge = "the model to judge (default: the one that leads)"
    group.add_argument("--judge", metavar="MODEL", help=judge)
    stated = "the value to compare with (default: that of the first periods)"
    group.add_argument("--reference", type=float, metavar="VALUE", help=stated)
    first = "periods that are the reference (default: as many as have 500 rows)"
    group.add_argument("--first", type=int, metavar="N", help=first)
    _looks(group)


def _costs(command: argparse.ArgumentParser) -> None:
    group: Any = command.add_argument_group("costs of decisions (total_cost, mean_cost)")
    each = "the cost of DECISION when TRUTH is true; can be repeated; others cost nothing"
    group.add_argument(
        "--cost", action="append", default=[], metavar="TRUTH:DECISION=NUMBER", help=each
    )
    share = "share of the positive class where the model is used (default: that of the rows)"
    group.add_argument("--prevalence", type=float, metavar="P", help=share)
    cases = "number of cases for the total cost (default: the rows)"
    group.add_argument("--volume", type=float, metavar="N", help=cases)


def _comparing(command: argparse.ArgumentParser) -> None:
    group: Any = command.add_argument_group("comparison")
    group.add_argument("--metric", metavar="KEY", help="what to compare")
    matter = "ignore differences up to this (default: 0.01, or 1%% of an error without a range)"
    group.add_argument("--rope", type=float, default=None, help=matter)
    why = "also say why each other test does not apply"
    group.add_argument("--explain", action="store_true", help=why)


def _slicing(command: argparse.ArgumentParser) -> None:
    group: Any = command.add_argument_group("slices")
    by = (
        "list the slices of this column; can be repeated (default: search all columns without a "
        "role)"
    )
    group.add_argument("--by", action="append", metavar="COL", help=by)
    group.add_argument(
        "--metric",
        metavar="KEY",
        help="default: accuracy; recall if positives are rare; mae for numbers",
    )
    group.add_argument(
        "--judge", metavar="MODEL", help="the model to judge by (default: the one that leads)"
    )
    columns = "columns of a slice, 1 or 2 (default: %(default)s)"
    group.add_argument("--max-columns", type=int, default=2, metavar="N", help=columns)
    rows = "fewest rows of a slice that is tested (default: %(default)s)"
    group.add_argument("--min-rows", type=int, default=30, metavar="N", help=rows)


def _listing(command: argparse.ArgumentParser) -> None:
    from evalcore.text import joined

    group: Any = command.add_argument_group("rows")
    orders = "loss", "confidence", "disagreement", "label-errors", "file"
    by = f"what to list first: {joined(orders, 5)} (default: %(default)s)"
    group.add_argument("--by", default="loss", metavar="ORDER", help=by)
    group.add_argument(
        "--judge", metavar="MODEL", help="whose rows are listed (default: of the model that leads)"
    )
    most = "most rows to list (default: %(default)s)"
    group.add_argument("--most", type=int, default=100, metavar="N", help=most)


def _two_files(command: argparse.ArgumentParser) -> None:
    command.add_argument("old", metavar="OLD", help="the earlier file")
    command.add_argument("new", metavar="NEW", help="the later file, with or without labels")


def _shifting(command: argparse.ArgumentParser) -> None:
    group: Any = command.add_argument_group("what to compare")
    usual = "a metric; can be repeated (default: the main ones)"
    group.add_argument("--metric", action="append", metavar="KEY", help=usual)
    group.add_argument(
        "--judge", metavar="MODEL", help="the model to judge (default: the one that leads)"
    )


def _counting(command: argparse.ArgumentParser) -> None:
    group: Any = command.add_argument_group("counts")
    where = "the file to write: Parquet, or CSV if it ends in .csv (default: %(default)s)"
    group.add_argument("-o", "--output", default="counts.parquet", metavar="FILE", help=where)
    by = "keep this column, to slice by; can be repeated"
    group.add_argument("--by", action="append", default=[], metavar="COL", help=by)


FORMATS: Mapping[str, str] = MappingProxyType({"html": "html", "markdown": "md", "json": "json"})
"""Formats of a report, and how their files end."""


def _reporting(command: argparse.ArgumentParser) -> None:
    group: Any = command.add_argument_group("the report")
    where = "the file to write (default: report.html; - is standard output)"
    group.add_argument("-o", "--output", metavar="FILE", help=where)
    group.add_argument("--title", metavar="T", help="the title (default: the file's name)")
    group.add_argument("--notes", metavar="TEXT", help="a note next to the verdict")
    beside = "a note next to a section; can be repeated"
    group.add_argument("--note", action="append", default=[], metavar="SECTION=TEXT", help=beside)
    group.add_argument(
        "--sections",
        metavar="A,B",
        help="sections to include, in this order: summary, threshold, errors, probabilities, "
        "compare, tests, "
        "clusters, groups, slices, rows, methods, glossary, data, card, tripod, stard",
    )
    by = "show the slices of this column; can be repeated (without it: weak slices of all columns)"
    group.add_argument("--by", action="append", metavar="COL", help=by)
    found = "slices, or none (default: where they are found at once, unless sections are named)"
    group.add_argument("--slices", action=argparse.BooleanOptionalAction, help=found)
    fewest = "fewest rows of a count, except those at the threshold in use (default: %(default)s)"
    group.add_argument("--min-cell", type=int, default=5, metavar="N", help=fewest)
    group.add_argument("--rows", action="store_true", help="allow single rows to be shown")
    told = "the format (default: by the file name's ending)"
    group.add_argument("--format", choices=[*FORMATS], help=told)


def _planning(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "metric", metavar="METRIC", help="the metric, such as accuracy, recall, roc_auc, mae"
    )
    command.add_argument("value", metavar="VALUE", type=float, help="its expected value")
    asked: Any = command.add_argument_group("questions, one or more")
    asked.add_argument("--rows", type=float, metavar="N", help="what this many rows can show")
    asked.add_argument(
        "--width", type=float, metavar="W", help="rows needed for an interval of this width"
    )
    asked.add_argument(
        "--difference",
        type=float,
        metavar="D",
        help="rows needed to show a difference of this size",
    )
    known: Any = command.add_argument_group("assumptions")
    share = "share of the rows that count: positives (roc_auc, recall), flagged rows (precision)"
    known.add_argument("--share", type=float, default=1.0, metavar="S", help=share)
    deviation = "standard deviation over rows of what a mean loss averages"
    known.add_argument("--deviation", type=float, metavar="SD", help=deviation)
    alike = "correlation of two models on the same rows (default: 0, which needs the most rows)"
    known.add_argument("--alike", type=float, default=0.0, metavar="R", help=alike)
    known.add_argument(
        "--models", type=int, default=2, metavar="M", help="number of models compared"
    )
    groups = "rows per group (patient, user) within which rows depend on each other"
    known.add_argument("--group-rows", type=float, default=1.0, metavar="K", help=groups)
    within = "correlation of two rows of one group"
    known.add_argument("--within", type=float, default=0.0, metavar="R", help=within)
    known.add_argument("--level", type=float, default=Options.level)
    power = "probability of showing the difference (default: %(default)s)"
    known.add_argument("--power", type=float, default=0.8, help=power)


def _metrics(command: argparse.ArgumentParser) -> None:
    command.add_argument("keys", nargs="*", metavar="KEY", help="metrics to show in full")


def _sample(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "name", nargs="?", metavar="NAME", help="write this sample into the current folder"
    )


def _inspecting(command: argparse.ArgumentParser) -> None:
    told = "also the evidence for and against each column as the truth"
    command.add_argument("--explain", action="store_true", help=told)


_EVALUATE: tuple[_Add, ...] = (_files, _roles, _reading, _numbers)

_COMMANDS: dict[str, tuple[str, tuple[_Add, ...]]] = {
    SERVE: (
        "The dashboard in the browser; the word itself can be left out.",
        (_serving, _roles, _reading),
    ),
    "evaluate": ("Every number, for every model in the files.", (*_EVALUATE, _costs)),
    "compare": ("Which model is better, and how sure that is.", (*_EVALUATE, _comparing, _costs)),
    "slices": ("Where a model does worse than elsewhere.", (*_EVALUATE, _slicing)),
    "rows": ("The rows most worth a look.", (*_EVALUATE, _listing)),
    "shift": (
        "What changed from an earlier file to a later one, with or without labels in the later "
        "one.",
        (_two_files, _roles, _reading, _numbers, _shifting),
    ),
    "counts": (
        "Each combination of cells once, with its count, as a file; or files of counts added up.",
        (_files, _roles, _reading, _counting),
    ),
    "over-time": (
        "A metric by day, week or month, and whether it has changed.",
        (*_EVALUATE, _over_time),
    ),
    "inspect": (
        "How the file was read: which column has which role, and why.",
        (_files, _roles, _reading, _inspecting),
    ),
    "plan": ("How many rows an evaluation needs, before collecting any.", (_planning,)),
    "report": (
        "One interactive HTML file that needs no Python, data or network.",
        (*_EVALUATE, _costs, _reporting),
    ),
    "metrics": ("The catalogue of metrics, or everything about one.", (_metrics,)),
    "check": (
        "Exit with status 1 if a requirement fails, or a number has changed for the worse.",
        (*_EVALUATE, _requirements, _costs, _history),
    ),
    "sample": ("Sample data: list them, or write one as a file.", (_sample,)),
}


_BY_FIELD = {one.field: one for one in SCHEMA}
_BY_CODE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "no-truth": ("truth",),
        "no-predictions": ("labels", "scores", "predictions"),
        "no-cluster": ("clusterings",),
        "no-key": ("id",),
        "no-match": ("id",),
        "duplicate-id": ("id", "model"),
        "truth-differs": ("id",),
        "bad-model-column": ("model", "ignore"),
        "no-fold": ("fold",),
        "no-fold-score": ("fold_scores",),
        "repeated-fold": ("repeat", "dataset"),
        "not-binary": ("merge_labels",),
        "labels-differ": ("labels", "merge_labels"),
        "no-date": ("date",),
        "two-dates": ("date",),
        "not-dates": ("date",),
        "no-such-sheet": ("sheet",),
        "wrong-encoding": ("encoding",),
        "unknown-encoding": ("encoding",),
        "bad-separator": ("separator",),
        "ragged": ("separator",),
        "open-quote": ("separator",),
        "bad-mark": ("decimal", "thousands"),
    }
)
"""What answers a problem on the command line, besides its offers."""


def choices_asked(problem: EvalError) -> list[Choice]:
    """Return the choices that may answer a problem, those of its offers included."""
    offered = (offer.choice for offer in problem.offers if offer.value != "")
    fields = dict.fromkeys((*_BY_CODE.get(problem.code, ()), *offered))
    return [_BY_FIELD[field] for field in fields if field in _BY_FIELD]


def options_asked(problem: EvalError) -> tuple[str, ...]:
    """Return the options that answer a problem.

    >>> options_asked(EvalError("no-truth", "No column looks like the truth."))
    ('--truth',)
    """
    return tuple(f"--{one.option}" for one in choices_asked(problem))


def told(problem: EvalError) -> str:
    """Return the message, and the options that answer it where it is a question.

    >>> told(EvalError("no-truth", "No column looks like the truth."))
    'No column looks like the truth. The option for it: --truth COL.'
    """
    options = [_written(one, problem) for one in choices_asked(problem)]
    if not options:
        return problem.message
    how = "The option for it" if len(options) == 1 else "The options for it, one or more"
    aside = " To ignore a column: --ignore COL." if problem.code == "ambiguous" else ""
    return f"{problem.message} {how}: {', '.join(options)}.{aside}"


def _written(one: Choice, problem: EvalError) -> str:
    """Write an option with what it takes: its words, where they are offered, or its shape."""
    words = [str(offer.value) for offer in problem.offers if offer.choice == one.field]
    taken = "|".join(words) if one.words is not None else one.shape.rpartition("]")[2]
    return f"--{one.option} {taken}".strip()
