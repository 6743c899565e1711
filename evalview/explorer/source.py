"""The explorer's own files, as the two texts that a page or a report takes in."""

import re

import evalview

ROOMS = (evalview.ASSETS / "explorer", evalview.ASSETS / "lessons")
"""Where the files stand; no two of them have the same name."""

_IMPORT = re.compile(
    r'^import (?P<names>\{[^}]*\}) from "\.(?:\./explorer)?/(?P<module>\w+)\.js";$', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?P<kind>const|(?:async )?function) (?P<name>\w+)", re.MULTILINE)


def component(module: str, state: str = "") -> str:
    """Return the text of a Streamlit component that shows what `module` mounts.

    `state` is the name under which the component keeps what the module tells.
    """
    parts = [_as_constant(name) for name in _in_order(module, _in_order("streamlit", []))]
    render = f'$streamlit.component(${module}.mount, "{state}")'
    return "\n".join([*parts, f"export default {render};\n"])


def script(entry: str) -> str:
    """Return the module `entry` and all that it imports as the text of one ES module.

    Each imported module becomes a constant that holds its exports, so that names may repeat from
    module to module; what `entry` exports stays exported.
    """
    *needed, last = _in_order(entry, [])
    return "\n".join([*map(_as_constant, needed), _linked(_text(last))])


def of_report(*, with_explorer: bool) -> str:
    """Return the script of a report: its tables can be copied, and an explorer is mounted."""
    own = evalview.ASSETS / "report"
    # In braces, so that names may repeat.
    tables = f"{{\n{(own / 'tables.js').read_text('utf-8')}}}\n"
    if not with_explorer:
        return tables
    return f"{tables}{script('explorer')}\n{(own / 'report.js').read_text('utf-8')}"


def style(*sheets: str) -> str:
    """Return style sheets as one text; those of the whole explorer where none is named."""
    named = sheets or ("menu", "explorer")
    return "\n".join(_read(f"{name}.css") for name in named)


def _in_order(module: str, seen: list[str]) -> list[str]:
    """Return the modules that this one imports, directly or not, and then itself."""
    for match in _IMPORT.finditer(_text(module)):
        if match["module"] not in seen:
            seen = _in_order(match["module"], seen)
    return [*seen, module]


def _as_constant(module: str) -> str:
    text = _text(module)
    exports = ", ".join(match["name"] for match in _EXPORT.finditer(text))
    body = _EXPORT.sub(r"\g<kind> \g<name>", _linked(text))
    return f"const ${module} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();\n"


def _linked(text: str) -> str:
    return _IMPORT.sub(r"const \g<names> = $\g<module>;", text)


def _text(module: str) -> str:
    return _read(f"{module}.js")


def _read(name: str) -> str:
    found = next(room / name for room in ROOMS if (room / name).exists())
    return found.read_text(encoding="utf-8")
