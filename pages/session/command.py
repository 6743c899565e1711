"""The call on the command line that gives the numbers of a view."""

import shlex
from collections.abc import Iterator, Sequence

from evalcore.command.asking import options_asked
from evalcore.errors import EvalError
from pages.session import link
from pages.session.link import View


def command(files: Sequence[str], view: View, problem: EvalError | None = None) -> str:
    """Return the call, quoted for a POSIX shell, with the option that a problem asks for."""
    names = [f"./{name}" if name.startswith("-") else name for name in files]
    call = shlex.join(["python", "-m", "evalcore", "evaluate", *names, *_options(view)])
    asked = "|".join(options_asked(problem)) if problem is not None else ""
    return f"{call} {asked} COLUMN" if asked else call


def _options(view: View) -> Iterator[str]:
    params = link.choices_to_params(view.choices, quote=str)
    if view.threshold is not None:
        params["threshold"] = [repr(view.threshold)]
    for name, flag in (("reverse", "--reverse-score"), ("merge-spellings", "--merge-spellings")):
        if params.pop(name, None):
            yield flag
    for name, texts in params.items():
        option = "--score-scale" if name == "scale" else f"--{name}"
        for text in texts:
            # A value that starts with a dash would be taken for an option of its own.
            yield from (f"{option}={text}",) if text.startswith("-") else (option, text)
