"""`python -m evalcore`: the command line of docs and README."""

import os
import sys

from evalcore.cli import main


def run() -> int:
    """Run the command line; text that the screen cannot show is spelled out, never an error."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; flushing at exit must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return code


if __name__ == "__main__":
    sys.exit(run())
