"""The command line: read the words, run one command, print, and leave with a code.

What a command alone needs is imported when it runs: the start of a short one is most of its time.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, NoReturn, TextIO

from evalboard import arguments
from evalcore.errors import EvalError

if TYPE_CHECKING:
    from evalcore.metrics.metric import Metric
    from evalcore.monitoring.watching import Plan as Looks
    from evalcore.options import Options
    from evalcore.results import Evaluation
    from evalcore.work import Progress
    from evalread.counts.blocks import Counts
    from evalread.dataset import Dataset
    from evalread.engines.sources import Origin

_WIDTH = 20


@contextmanager
def shown_on(stream: TextIO, what: str = "the models") -> Iterator[Progress]:
    """Yield what shows the work's progress; nothing is written where nobody looks on.

    >>> import io
    >>> with shown_on(io.StringIO()) as progress:
    ...     progress.report(0.5)
    """
    from evalcore.work import NO_PROGRESS, Progress

    if not stream.isatty():
        yield NO_PROGRESS
        return
    shares: list[float] = []

    def show(share: float) -> None:
        shares.append(share)
        _write(stream, f"\r{share:.0%} of {what}")

    try:
        yield Progress(show)
    finally:
        if shares:
            _write(stream, f"\r{'':{_WIDTH}}\r")


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()


DONE, FAILED, UNUSABLE, BROKEN = 0, 1, 2, 3


def main(words: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code.

    0 done, 1 a requirement failed, 2 unusable input, 3 a fault of the program itself.
    """
    words = sys.argv[1:] if words is None else words
    try:
        given = arguments.parser().parse_args(arguments.with_command(words))
        if given.command == arguments.SERVE:
            return _serve(given)
        said, code = _COMMANDS[given.command](given)
    except EvalError as problem:
        _tell(problem, words)
        return UNUSABLE
    except (KeyboardInterrupt, OSError):
        raise  # not a fault: stopped, or an output that takes no more
    except Exception as fault:  # noqa: BLE001 (whatever it is, it ends in a sentence)
        _tell(_internal(fault), words)
        return BROKEN
    print(said)
    return code


def _tell(problem: EvalError, words: Sequence[str]) -> None:
    """Say why nothing came of a command, as JSON where that was asked for."""
    if "--json" in words:
        from evalboard import serialise

        print(serialise.text(serialise.error(problem)))
    else:
        from evalboard import printing

        print(printing.visible(arguments.told(problem)), file=sys.stderr)


def _end(problem: EvalError) -> NoReturn:
    """Say why the process ends, and end it at once, in whatever it is."""
    _tell(problem, sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(UNUSABLE)


PACKAGES = ("evalboard", "evalcore", "evalread", "evalview")


def _internal(fault: Exception) -> EvalError:
    """Return a fault of the program in one line: what happened where, and nothing of the data."""
    if isinstance(fault, MemoryError):
        return EvalError("too-large", "There is not enough memory for this. Use fewer rows.")
    from importlib.metadata import version

    steps = [step for step, _ in walk_tb(fault.__traceback__)]
    places = [step for step in steps if step.f_globals.get("__name__", "").startswith(PACKAGES)]
    where = places[-1]
    return EvalError(
        "internal",
        "Evalboard crashed, which is a bug. Please report this line: "
        f"{type(fault).__name__} in {where.f_globals['__name__']}, line {where.f_lineno}, "
        f"version {version('evalboard')}.",
    )


def _written(given: argparse.Namespace, kind: str, *asked: object) -> str:
    """Return a result of this kind as JSON, or as text for people."""
    if given.json:
        from evalboard import serialise

        return serialise.text(getattr(serialise, kind)(*asked))
    from evalboard import listing, printing

    said: str = getattr(listing if hasattr(listing, kind) else printing, kind)(*asked)
    return said


def _evaluate(given: argparse.Namespace) -> tuple[str, int]:
    return _written(given, "evaluation", _evaluation(given, {})), DONE


def _compare(given: argparse.Namespace) -> tuple[str, int]:
    from evalboard.further import compared_by
    from evalcore.compare import compare

    dataset, options = _asked(given, pairs=True)
    dataset, options, metric = compared_by(given, dataset, options)
    made = compare(dataset, options, metric=metric, rope=given.rope)
    said = () if given.json else (given.explain,)
    return _written(given, "comparison", made, *said), DONE


def _slices(given: argparse.Namespace) -> tuple[str, int]:
    from evalcore.slices.slicing import Asked, slices

    by = None if given.by is None else tuple(given.by)
    if by is None and _origin(given):
        raise EvalError("usage", "Slices of a source need --by COL, once for each column.")
    dataset, options = _asked(given, by=by or ())
    asked = Asked(by, given.metric, given.judge, given.max_columns, given.min_rows)
    with shown_on(sys.stderr, "the slices") as progress:
        made = slices(dataset, asked, options, progress)
    told = () if given.json else (() if by else dataset.free, dataset.models)
    return _written(given, "slices", made, *told), DONE


def _rows(given: argparse.Namespace) -> tuple[str, int]:
    from evalcore.slices.rows import listed

    dataset, options = _asked(given)
    if dataset.table.counted is not None:
        raise EvalError("counts-no-rows", "A file of counts has no rows to list. Give the rows.")
    found = listed(dataset, given.by, options, given.judge, most=given.most)
    return _written(given, "listed", found, dataset), DONE


def _shift(given: argparse.Namespace) -> tuple[str, int]:
    from evalread.later import shifted
    from evalread.loading import read_all
    from evalread.rewriting import only_shaping

    earlier, options = _asked(
        argparse.Namespace(**vars(given), files=[given.old], source=None, fresh=False)
    )
    later = read_all(_read([given.new]), only_shaping(arguments.choices(given)))
    made = shifted(earlier, later, given.metric, options, given.judge)
    return _written(given, "shift", made), DONE


def _counts(given: argparse.Namespace) -> tuple[str, int]:
    from evalread.counts.files import is_counts, read, write
    from evalread.counts.making import add, counts_of
    from evalread.loading import load
    from evalread.worker.limits import held
    from evalread.writing import check_writable

    target = Path(given.output)
    check_writable(target)  # before a large file is read
    if origin := _origin(given):
        made = counts_of(_counted(origin, given, pairs=True, by=tuple(given.by)))
        write(made, target)
        return _of_counts(given, made, target), DONE
    files = _read(given.files)
    with held(sum(len(data) for _, data in files), _end):
        if len(files) > 1 and all(is_counts(data) for _, data in files):
            made = add(*(read(data) for _, data in files))
        else:
            made = counts_of(load(files, arguments.choices(given)), given.by)
        write(made, target)
    return _of_counts(given, made, target), DONE


def _of_counts(given: argparse.Namespace, made: Counts, target: Path) -> str:
    """Say what was written; on standard error, what it tells of single rows."""
    from evalboard.printing import notices
    from evalread.counts.making import given_away

    for line in notices(given_away(made)):
        print(line, file=sys.stderr)
    return _written(given, "counts", made, target)


def _over_time(given: argparse.Namespace) -> tuple[str, int]:
    from evalcore.monitoring.over_time import Asked, over_time

    every, first = given.every, given.first
    asked = Asked(every, given.metric, given.judge, given.reference, first, _plan_of_looks(given))
    if given.date is None and (origin := _origin(given)):
        from evalread.engines.reading import sample_of

        # Rows are counted by the days of one column, which a sample tells.
        given.date = sample_of(origin, arguments.choices(given)).dates().column
    dataset, options = _asked(given)
    return _written(given, "over_time", over_time(dataset, None, asked, options)), DONE


def _plan_of_looks(given: argparse.Namespace) -> Looks:
    from evalcore.monitoring.watching import Plan

    return Plan(given.looks, given.false_alarms, given.change)


def _inspect(given: argparse.Namespace) -> tuple[str, int]:
    from evalread.binding import bind
    from evalread.detection.roles import detect, explain
    from evalread.loading import read_all
    from evalread.worker.limits import held

    choices = arguments.choices(given)
    if origin := _origin(given):
        from evalread.engines.reading import sample_of

        return _written(given, "inspection", sample_of(origin, choices)), DONE
    files, evidence = _read(given.files), None
    try:
        with held(sum(len(data) for _, data in files), _end):
            table = read_all(files, choices)
            evidence = explain(table, choices) if given.explain else None
            dataset = bind(table, detect(table, choices))
    except EvalError:
        # What speaks for the columns says most where no column could be settled on.
        if evidence and not given.json:
            print(_written(given, "evidence", evidence), end="\n\n")
        raise
    said: tuple[object, ...] = (dataset,) if evidence is None else (dataset, evidence)
    return _written(given, "inspection", *said), DONE


def _report(given: argparse.Namespace) -> tuple[str, int]:
    from evalboard.reporting import report

    return report(given, partial(_asked, by=given.by or ())), DONE


def _plan(given: argparse.Namespace) -> tuple[str, int]:
    from evalcore.plan import Expected, plan

    about = ("metric", "value", "share", "deviation", "alike", "group_rows", "within", "models")
    asked = ("rows", "width", "difference", "level", "power")
    expected = Expected(**{name: getattr(given, name) for name in about})
    made = plan(expected, **{name: getattr(given, name) for name in asked})
    return _written(given, "plan", made), DONE


def _metrics(given: argparse.Namespace) -> tuple[str, int]:
    from evalcore.metrics.catalog import METRICS, described

    if not given.keys:
        return _written(given, "catalogue", METRICS), DONE
    metrics = [described(key) for key in given.keys]
    return _written(given, "catalogue" if given.json else "described", metrics), DONE


def _sample(given: argparse.Namespace) -> tuple[str, int]:
    from evalboard import samples

    if given.name is None:
        return _written(given, "samples", samples.samples()), DONE
    return _written(given, "sample", samples.write(given.name, Path.cwd())), DONE


def _check(given: argparse.Namespace) -> tuple[str, int]:
    from evalboard import checks

    if not given.require:
        raise EvalError("usage", "Name at least one requirement, such as --require 'roc_auc>=0.8'.")
    required = [checks.Requirement.parse(text) for text in given.require]
    plan = _plan_of_looks(given)
    kept = None if given.history is None else Path(given.history)
    if kept is not None:
        checks.read(kept)  # refused before a large file is read
    made = _evaluation(given, checks.with_settings(required))
    outcomes = checks.check(made, required)
    followed = None if kept is None else checks.keep(kept, made, outcomes, plan)
    passed = all(outcome.passed for outcome in outcomes)
    code = DONE if passed and (followed is None or followed.passed) else FAILED
    return _written(given, "checks", outcomes, followed), code


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], tuple[str, int]]] = {
    "evaluate": _evaluate,
    "compare": _compare,
    "slices": _slices,
    "rows": _rows,
    "shift": _shift,
    "counts": _counts,
    "over-time": _over_time,
    "inspect": _inspect,
    "report": _report,
    "plan": _plan,
    "metrics": _metrics,
    "sample": _sample,
    "check": _check,
}


def _serve(given: argparse.Namespace) -> int:
    """Open the dashboard on files, or on the counts of a source, made before it opens."""
    from evalboard.serving import serve

    origin = _origin(given) if given.files or given.source else None
    if origin is None:
        return serve(given)
    from signal import SIGTERM, signal
    from tempfile import TemporaryDirectory

    from evalread.counts.files import write
    from evalread.counts.making import counts_of

    with TemporaryDirectory(prefix="evalboard-") as folder:
        path = Path(folder) / f"{origin.short_name}.counts.parquet"
        write(counts_of(_counted(origin, given, pairs=True)), path)
        before = signal(SIGTERM, lambda *_: sys.exit(128 + SIGTERM))  # the folder goes then, too
        try:
            return serve(given, path)
        finally:
            signal(SIGTERM, before)


def _evaluation(given: argparse.Namespace, more: Mapping[str, Metric]) -> Evaluation:
    """Return every number, those of `more` metrics and of the costs that are given among them."""
    from evalboard.further import with_costs, with_metrics

    made = _evaluated(given)
    return with_metrics(made, {**more, **with_costs(given, made.dataset)})


def _evaluated(given: argparse.Namespace) -> Evaluation:
    from evalboard.apart import by_processes
    from evalcore.evaluate import evaluate

    dataset, options = _asked(given, large=True)
    with shown_on(sys.stderr) as progress:
        return evaluate(dataset, options, progress, by_processes)


def _asked(
    given: argparse.Namespace,
    *,
    pairs: bool = False,
    by: Sequence[str] = (),
    large: bool = False,
) -> tuple[Dataset, Options]:
    """Return the data and the settings; the threshold is the file's own unless one is given.

    Of a source, `pairs` tells to count models in pairs, too, and `by` to count by these columns.
    `large` tells that counts do where a file is large.
    """
    options = arguments.options(given)  # refused before a large file is read
    origin = _origin(given)
    if origin is not None:
        dataset = _counted(origin, given, pairs=pairs, by=by)
    else:
        dataset = (_large(given) if large and len(given.files) == 1 else None) or _loaded(given)
    own = given.threshold is None
    return dataset, replace(options, threshold=dataset.threshold) if own else options


def _large(given: argparse.Namespace) -> Dataset | None:
    from evalread.engines.reading import large

    with shown_on(sys.stderr, "the rows") as progress:
        return large(Path(given.files[0]), arguments.choices(given), progress)


def _loaded(given: argparse.Namespace) -> Dataset:
    from evalread.loading import load
    from evalread.worker.limits import held

    files = _read(given.files)
    with held(sum(len(data) for _, data in files), _end):
        return load(files, arguments.choices(given))


def _counted(
    origin: Origin, given: argparse.Namespace, *, pairs: bool, by: Sequence[str] = ()
) -> Dataset:
    from evalread.engines.reading import Asked, dataset_of

    asked = Asked(arguments.choices(given), pairs, tuple(by), given.fresh)
    with shown_on(sys.stderr, "the rows") as progress:
        return dataset_of(origin, asked, progress)


def _origin(given: argparse.Namespace) -> Origin | None:
    """Return the source that is named, by its address or in the settings file; None for files.

    Raises:
        EvalError: There is none like that, or there are neither files nor a source, or both.
    """
    addresses = [word for word in given.files if "://" in word]
    if not addresses and given.source is None:
        if not given.files:
            raise EvalError("usage", "Name a FILE, an address, or --source NAME.")
        return None
    if len(given.files) != (1 if given.source is None else 0):
        raise EvalError("usage", "A source is judged by itself: name one, and no file beside it.")
    from evalread.engines import sources

    return sources.origin(addresses[0]) if addresses else sources.named(given.source)


def _read(paths: Sequence[str]) -> list[tuple[str, bytes]]:
    return [("standard input" if path == "-" else Path(path).name, _bytes(path)) for path in paths]


def _bytes(path: str) -> bytes:
    from evalread.worker.limits import content

    try:
        return content(0 if path == "-" else path, partial(print, file=sys.stderr, flush=True))
    except FileNotFoundError:
        raise EvalError("no-such-file", f'There is no file "{path}".') from None
    except IsADirectoryError:
        raise EvalError("no-such-file", f'"{path}" is a folder, not a file.') from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or "the name is not valid"
        raise EvalError("unreadable-file", f'"{path}" cannot be read: {why}.') from None
