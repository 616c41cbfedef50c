"""The code blocks of docs/adding-a-kind.md, put into a copy of the tree as a reader would."""

import ast
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^`([^`\n]+)`\n\n```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# Lines of a file that exists go where the page's words say: behind the line that begins so.
BEHIND = {
    ("domain/work/kind.py", "FOLDER_CENSUS"): '    CRAWL = "Crawl"',
    ("domain/work/kind.py", "PROXY_SPACE"): "    FOLDER_CENSUS",
    ("entrypoints/worker/runner_container.py", "folder_census ="): "    crawl = ",
    ("entrypoints/worker/runner_container.py", "providers.List(WorkKind.FOLDER"): (
        "        providers.List(WorkKind.CRAWL"
    ),
    ("entrypoints/worker/runner_container.py", "proxy_space ="): "    folder_census = ",
    ("entrypoints/worker/runner_container.py", "providers.List(WorkKind.PROXY"): (
        "        providers.List(WorkKind.FOLDER_CENSUS"
    ),
    ("entrypoints/api/container.py", "enqueue_work ="): "    work_item_events_resource = ",
    ("entrypoints/api/app.py", "app.add_route"): (
        '    app.add_route(f"{admin}/work-items", container.work_items_resource())'
    ),
    ("entrypoints/api/operations.py", "Operation("): "WORK_ITEMS = (",
    ("entrypoints/common/settings.py", "proxy_space_interval"): "    crawl_interval_hours",
    ("entrypoints/common/settings.py", '"WORKER__PROXY_SPACE'): (
        '            "WORKER__CRAWL_INTERVAL_HOURS"'
    ),
    ("application/schedules/declared.py", "proxy_space:"): "    crawl: timedelta",
    ("application/schedules/declared.py", "UnscopedSchedule("): "        CrawlSchedule(",
    ("entrypoints/worker/keeper_container.py", "proxy_space="): "            crawl=",
    ("entrypoints/api/container.py", "proxy_space="): "        crawl=",
}


@dataclass(frozen=True)
class Block:
    file: str
    text: str


def blocks_of(page: str) -> list[Block]:
    return [Block(file, text) for file, text in BLOCK.findall(page)]


def put(block: Block, root: Path) -> None:
    """AssertionError where the page says nothing of where the lines belong."""
    path = root / block.file
    if not path.exists() or block.text.startswith('"""'):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)
        return
    path.write_text(_merged(path.read_text(), block))


def _merged(source: str, block: Block) -> str:
    text = _unwrapped(block.text)
    bare = textwrap.dedent(text)
    for (file, beginning), line in BEHIND.items():
        if file == block.file and bare.startswith(beginning):
            name = bare.partition(" = ")[0]
            known = re.search(
                rf"^    {re.escape(name)} = .*?^    \)\n", source, re.DOTALL | re.MULTILINE
            )
            if known and " = " in bare.splitlines()[0]:
                return source.replace(known.group(), text)
            return _behind(source, line, text)
    if block.text.startswith(" "):
        return _replaced_lines(source, block)
    for statement in ast.parse(block.text).body:
        source = _with_statement(source, statement, block.text)
    return source


def _unwrapped(text: str) -> str:
    """Entries of a tuple or list are printed in brackets, so that they are Python."""
    if argument := re.fullmatch(r"(\w+) = \((.*),\)\n", text):
        return f"        {argument[1]}={argument[2]},\n"
    lines = text.splitlines(keepends=True)
    if text.startswith("(") and text.rstrip().endswith(",)"):
        return " " * 8 + text.rstrip().removeprefix("(").removesuffix(",)") + ",\n"
    if lines[0] == "(\n" and lines[-1] == ")\n":
        return textwrap.indent("".join(lines[1:-1]), "    ")
    return text


def _behind(source: str, line: str, text: str) -> str:
    """After the whole statement or entry that begins with this line; it is there once."""
    starts = [found.start() for found in re.finditer(rf"^{re.escape(line)}", source, re.MULTILINE)]
    assert len(starts) == 1, f"{line!r} is there {len(starts)} times"
    end = source.index("\n", starts[0]) + 1
    first = source[starts[0] : end]
    if first.rstrip().endswith("(") and not line.endswith("("):
        indent = re.match(" *", line).group()  # type: ignore[union-attr]
        end = source.index(f"\n{indent})", end) + len(indent) + 3
    return source[:end] + text + source[end:]


def _replaced_lines(source: str, block: Block) -> str:
    """An indented statement that is there in another form: the one that begins like it."""
    beginning = re.escape(block.text.splitlines()[0].split("==")[0].rstrip())
    whole = rf"^{beginning}[^\n]*?(?:\[\n.*?^    \]\n|\n)"
    found = re.search(whole, source, re.MULTILINE | re.DOTALL)
    assert found, f"{block.file}: {block.text.splitlines()[0]}"
    return source.replace(found.group(), block.text)


def _with_statement(source: str, statement: ast.stmt, text: str) -> str:
    code = ast.get_source_segment(text, statement)
    assert code is not None
    tree = ast.parse(source).body
    lines = source.splitlines(keepends=True)
    for known in tree:
        if _name(known) == _name(statement):
            start = known.lineno - 1
            return "".join([*lines[:start], code, "\n", *lines[known.end_lineno or start :]])
    if isinstance(statement, ast.ImportFrom):
        at = next(each for each in tree if isinstance(each, ast.ImportFrom)).lineno - 1
    elif isinstance(statement, ast.ClassDef):
        at = max(
            each.end_lineno or 0
            for each in tree
            if isinstance(each, ast.ClassDef) and _bases(each) == _bases(statement)
        )
        code = f"\n\n{code}"
    else:  # before what it is made for
        at = next(each.lineno - 1 for each in tree if _name(each) == "RESULT_TABLES")
        code += "\n"
    return "".join([*lines[:at], code, "\n", *lines[at:]])


def _bases(statement: ast.ClassDef) -> list[str]:
    return [ast.unparse(base) for base in statement.bases]


def _name(statement: ast.stmt) -> str:
    match statement:
        case ast.ImportFrom(module=module):
            return f"from {module}"
        case ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ast.unparse(statement)
