"""The command `evalboard`, also as `python -m evalboard`."""

import os
import sys
from typing import NoReturn

from evalboard.starting import end, start_light


def command() -> NoReturn:
    """Run the command line as a process, and end the process with its exit code."""
    end(sys.argv[1:], run())


def run() -> int:
    """Run the command line; text that the screen cannot show is spelled out, never an error."""
    for stream in filter(None, (sys.stdout, sys.stderr)):  # None where it was closed
        stream.reconfigure(errors="backslashreplace")
    start_light(sys.argv[1:])
    from evalboard.cli import DONE, UNUSABLE, main  # The light start comes before all else.

    try:
        code = main()
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:  # The reader, such as `head`, has seen enough.
        _silence()
        return DONE
    except OSError as problem:
        _silence()
        print(f"The output cannot be written: {problem.strerror}.", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return 130
    return code


def _silence() -> None:
    """Let the flush at exit go nowhere, so that it does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    command()
