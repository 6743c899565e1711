"""The command line: read the words, run one command, print, and leave with a code."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evalcore.command import arguments, asking, checks, printing, progress, serialise
from evalcore.compare import compare
from evalcore.errors import EvalError
from evalcore.evaluate import evaluate, evaluate_file
from evalcore.intake import load
from evalcore.intake.model import Dataset
from evalcore.intake.readers.batches import LargeParquet
from evalcore.options import Options
from evalcore.results import Evaluation

DONE, FAILED, UNUSABLE = 0, 1, 2


def main(words: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0 done, 1 a requirement failed, 2 unusable input."""
    words = sys.argv[1:] if words is None else words
    try:
        given = arguments.parser().parse_args(words)
        said, code = _COMMANDS[given.command](given)
    except EvalError as problem:
        if "--json" in words:
            print(serialise.text(serialise.error(problem)))
        else:
            print(printing.visible(asking.told(problem)), file=sys.stderr)
        return UNUSABLE
    print(said)
    return code


def _evaluate(given: argparse.Namespace) -> tuple[str, int]:
    result = _evaluation(given)
    if given.json:
        return serialise.text(serialise.evaluation(result)), DONE
    return printing.evaluation(result), DONE


def _compare(given: argparse.Namespace) -> tuple[str, int]:
    dataset, options = _asked(given)
    made = compare(dataset, options, metric=given.metric, rope=given.rope)
    if given.json:
        return serialise.text(serialise.comparison(made)), DONE
    return printing.comparison(made), DONE


def _inspect(given: argparse.Namespace) -> tuple[str, int]:
    dataset = load(_read(given.files), arguments.choices(given))
    if given.json:
        return serialise.text(serialise.inspection(dataset)), DONE
    return printing.inspection(dataset), DONE


def _metrics(given: argparse.Namespace) -> tuple[str, int]:
    if given.json:
        return serialise.text(serialise.catalogue()), DONE
    return printing.catalogue(), DONE


def _check(given: argparse.Namespace) -> tuple[str, int]:
    if not given.require:
        raise EvalError("usage", "Name at least one requirement, such as --require 'roc_auc>=0.8'.")
    required = [checks.Requirement.parse(text) for text in given.require]
    outcomes = checks.check(_evaluation(given), required)
    code = DONE if all(outcome.passed for outcome in outcomes) else FAILED
    if given.json:
        return serialise.text(serialise.checks(outcomes)), code
    return printing.checks(outcomes), code


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], tuple[str, int]]] = {
    "evaluate": _evaluate,
    "compare": _compare,
    "inspect": _inspect,
    "metrics": _metrics,
    "check": _check,
}


def _evaluation(given: argparse.Namespace) -> Evaluation:
    only = Path(given.files[0])
    with progress.shown_on(sys.stderr) as watch:
        if len(given.files) == 1 and LargeParquet.open(only):
            return evaluate_file(only, arguments.options(given), arguments.choices(given), watch)
        return evaluate(*_asked(given), watch)


def _asked(given: argparse.Namespace) -> tuple[Dataset, Options]:
    """Return the data and the settings; the threshold is the file's own unless one is given."""
    options = arguments.options(given)  # refused before a large file is read
    dataset = load(_read(given.files), arguments.choices(given))
    own = given.threshold is None
    return dataset, replace(options, threshold=dataset.threshold) if own else options


def _read(paths: Sequence[str]) -> list[tuple[str, bytes]]:
    return [(Path(path).name, _bytes(path)) for path in paths]


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise EvalError("no-such-file", f'There is no file "{path}".') from None
    except IsADirectoryError:
        raise EvalError("no-such-file", f'"{path}" is a folder, not a file.') from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or "the name is not valid"
        raise EvalError("unreadable-file", f'"{path}" cannot be read: {why}.') from None
