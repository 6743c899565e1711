"""Whether two checkouts print the same JSON, byte for byte, for every case and every sample.

python benchmarks/same_json.py write FOLDER [CHECKOUT]    one file for each command and input
python benchmarks/same_json.py compare FOLDER OTHER       lists what differs; 1 if anything does

The inputs are those of this checkout, so that both versions read the same bytes.
"""

import contextlib
import filecmp
import io
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = ("inspect", "evaluate", "compare")


def inputs() -> Iterator[tuple[str, list[str]]]:
    """Yield a name and the words after the command, for every case and sample."""
    folder = ROOT / "tests" / "cases"
    for case in json.loads((folder / "cases.json").read_text("utf-8")):
        files = [str(folder / name) for name in case.get("files") or [case["file"]]]
        yield f"case_{case['id']}", [*files, "--resamples", "200"]
    for sample in sorted((ROOT / "assets" / "samples").glob("*.csv")):
        yield f"sample_{sample.stem}", [str(sample)]


def write(folder: Path, checkout: Path = ROOT) -> int:
    """Write what a checkout prints."""
    sys.path.insert(0, str(checkout))
    folder.mkdir(parents=True, exist_ok=True)
    for name, words in inputs():
        for command in COMMANDS:
            own = words[: words.index("--resamples")] if "--resamples" in words else words
            asked = own if command == "inspect" else words
            (folder / f"{name}.{command}.json").write_text(printed([command, *asked]), "utf-8")
    (folder / "metrics.json").write_text(printed(["metrics"]), "utf-8")
    return 0


def printed(words: list[str]) -> str:
    """Return what the command line prints, and its exit code."""
    out, code = io.StringIO(), 0
    out.reconfigure = lambda **_: None  # type: ignore[attr-defined]
    sys.argv = ["evalboard", *words, "--json"]
    try:
        with contextlib.redirect_stdout(out):
            code = import_module("evalboard.__main__").run()
    except SystemExit as left:
        code = int(left.code or 0)
    return f"{out.getvalue()}exit code {code}\n"


def compare(folder: Path, other: Path) -> int:
    """Print which files differ or stand in one folder alone."""
    names = sorted({path.name for place in (folder, other) for path in place.iterdir()})
    _, differing, missing = filecmp.cmpfiles(folder, other, names, shallow=False)
    for name in differing + missing:
        print(name)
    print(f"{len(names)} files, {len(differing) + len(missing)} differ")
    return int(bool(differing or missing))


if __name__ == "__main__":
    command, *places = sys.argv[1:]
    sys.exit({"write": write, "compare": compare}[command](*map(Path, places)))
