"""Where the sources can be broken, and how: one small change each, in Python and in Rust.

`scripts/breakages.py` uses this; its docstring says what for.
"""

from __future__ import annotations

import ast
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Neither runs in `make test`: each stands on a library that is not there.
NOT_TESTED = ("adapters", "agents/models.py")


@dataclass(frozen=True)
class Breakage:
    """A change of one place: the bytes from `start` to `end` of a file become `after`."""

    file: str
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str
    # How many changes of this kind and text stand before it in the file, to find it again in another version.
    nth: int = 0
    # Where a note goes that says that a test runs it: what is inserted, by the offset at which. In Python only.
    notes: tuple[tuple[int, str], ...] = ()

    @property
    def text(self) -> str:
        """What changes, on one line."""
        short = [" ".join(part.split()) for part in (self.before, self.after)]
        return " -> ".join(part if len(part) <= 70 else part[:67] + "..." for part in short)

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What it is called in any version of the sources."""
        return self.file, self.kind, self.before, self.after, self.nth


def applied(source: bytes, edits: Iterable[tuple[int, int, str]]) -> bytes:
    """A source with the bytes from `start` to `end` replaced, for each edit. None may overlap another."""
    parts, at = [], 0
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        parts += [source[at:start], text.encode()]
        at = end
    return b"".join([*parts, source[at:]])


def sample(
    found: list[Breakage], count: int, seed: str, fits: Callable[[Breakage], bool] = lambda one: True
) -> list[Breakage]:
    """So many that fit, at most one on a line, of each file in proportion to its size; rare kinds are favoured."""
    kinds = Counter(one.kind.partition(" of ")[0] for one in found)
    files: dict[str, dict[int, list[Breakage]]] = {}
    for one in found:
        files.setdefault(one.file, {}).setdefault(one.line, []).append(one)
    rng = random.Random(seed)
    total = sum(len(lines) for lines in files.values())
    chosen: list[Breakage] = []
    due = rng.random()
    for name in sorted(files):
        due += len(files[name]) * count / total
        wanted = int(due) if name != max(files) else count - len(chosen)
        due -= wanted
        order = [one for line in files[name].values() for one in line]
        keys = {id(one): rng.random() ** (kinds[one.kind.partition(" of ")[0]] ** 0.5) for one in order}
        taken: list[Breakage] = []
        for one in sorted(order, key=lambda one: -keys[id(one)]):
            apart = all(one.line != other.line and not overlap(one, other) for other in taken)
            if len(taken) < wanted and apart and fits(one):
                taken.append(one)
        chosen += taken
    return sorted(chosen, key=lambda one: (one.file, one.start))


def overlap(one: Breakage, other: Breakage) -> bool:
    """Whether both change the same bytes, or one inserts within what the other replaces."""
    return one.start <= other.end and other.start <= one.end


def numbered(found: Iterable[Breakage]) -> list[Breakage]:
    """The same, each with how many like it stand before it."""
    seen: Counter[tuple[str, ...]] = Counter()
    out = []
    for one in found:
        key = one.key[:4]
        out.append(Breakage(**{**vars(one), "nth": seen[key]}))
        seen[key] += 1
    return out


# Python

FLIPPED: dict[type[ast.AST], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
OPERATOR = re.compile(r"<=|>=|==|!=|<|>|\bis\s+not\b|\bnot\s+in\b|\bis\b|\bin\b")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class PythonPlaces:
    """Finds where one Python file can be broken."""

    def __init__(self, file: str, source: bytes) -> None:
        self.file = file
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.tree = ast.parse(source)
        self.functions = [node for node in ast.walk(self.tree) if isinstance(node, FUNCTIONS)]
        self.found: list[Breakage] = []

    def span(self, node: Any) -> tuple[int, int]:
        """The bytes of a node."""
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def text(self, node: Any) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def all(self) -> list[Breakage]:
        """Every breakage; some may turn out not to be Python any more."""
        for statement in self.tree.body:
            self.statement(statement, None)
        return numbered(sorted(self.found, key=lambda one: (one.start, one.end, one.kind)))

    def add(self, kind: str, start: int, end: int, after: str, notes: tuple[tuple[int, str], ...]) -> None:
        line = self.source.count(b"\n", 0, start) + 1
        before = self.source[start:end].decode()
        self.found.append(Breakage(self.file, line, kind, start, end, before, after, notes=notes))

    def statement(self, node: ast.stmt, function: ast.AST | None) -> None:
        """Look at a statement, within a function or at what an import runs."""
        notes = self.notes(node) if function else self.notes_everywhere()
        if isinstance(node, FUNCTIONS):
            if any("overload" in self.text(one) for one in node.decorator_list):
                return
            inside = self.notes(first(node)) if first(node) else ()
            for default in [*node.args.defaults, *node.args.kw_defaults]:
                if default is not None:
                    self.expression(default, inside, "default")
            for decorator in node.decorator_list:
                self.expression(decorator, inside)
            for child in node.body:
                self.statement(child, node)
            return
        if isinstance(node, ast.ClassDef):
            for child in node.body:
                self.statement(child, function)
            return
        if isinstance(node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.Delete):
            return
        if isinstance(node, ast.If) and "TYPE_CHECKING" in self.text(node.test):
            return
        if isinstance(node, ast.Assign) and any("__all__" in self.text(one) for one in node.targets):
            return
        self.whole(node, function, notes)
        for field, value in ast.iter_fields(node):
            if field == "annotation":
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.stmt):
                    self.statement(child, function)
                elif isinstance(child, ast.ExceptHandler | ast.match_case):
                    for inner in child.body:
                        self.statement(inner, function)
                    if isinstance(child, ast.match_case) and child.guard:
                        self.expression(child.guard, notes)
                elif isinstance(child, ast.withitem):
                    self.expression(child.context_expr, notes)
                elif isinstance(child, ast.expr):
                    self.expression(child, notes, "" if function else "type")

    def whole(self, node: ast.stmt, function: ast.AST | None, notes: tuple[tuple[int, str], ...]) -> None:
        """Changes of a statement as a whole."""
        start, end = self.span(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self.add("call deleted", start, end, "pass", notes)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and function:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(one, ast.Attribute | ast.Subscript) for one in targets):
                self.add("assignment deleted", start, end, "pass", notes)
            if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
                left, right = self.span(node.target)[1], self.span(node.value)[0]
                gap = self.source[left:right].decode()
                self.add("sign", left, right, gap.translate(str.maketrans("+-", "-+")), notes)
        elif isinstance(node, ast.Return) and node.value is not None and self.text(node.value) != "None":
            self.add("nothing returned", start, end, "return None", notes)
        elif isinstance(node, ast.If | ast.While):
            start, end = self.span(node.test)
            if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise) and not node.orelse:
                self.add("guard removed", start, end, "False", notes)
            self.add("condition negated", start, end, f"not ({self.text(node.test)})", notes)

    def expression(self, node: ast.AST, notes: tuple[tuple[int, str], ...], role: str = "") -> None:
        """Look at an expression and all that it is made of."""
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.Subscript) and role == "type":
            # A type, or a look-up in a table, of no interest.
            return
        if isinstance(node, ast.Call) and re.search(r"(TypeVar|cast|ParamSpec)$", self.text(node.func)):
            return
        self.expression_itself(node, notes, role)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr | ast.keyword | ast.comprehension | ast.Slice):
                self.expression(child, notes, role)

    def expression_itself(self, node: ast.AST, notes: tuple[tuple[int, str], ...], role: str) -> None:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            self.between(
                "comparison", node.left, node.comparators[0], OPERATOR, FLIPPED[type(node.ops[0])], notes
            )
        elif isinstance(node, ast.BoolOp):
            other = "or" if isinstance(node.op, ast.And) else "and"
            self.between("and, or", node.values[0], node.values[1], re.compile(r"\b(and|or)\b"), other, notes)
        elif isinstance(node, ast.IfExp):
            self.add("condition negated", *self.span(node.test), f"not ({self.text(node.test)})", notes)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            sides = node.left, node.right
            if not any(
                isinstance(side, ast.JoinedStr | ast.List | ast.Tuple) or is_text(side) for side in sides
            ):
                other = "-" if isinstance(node.op, ast.Add) else "+"
                self.between("sign", *sides, re.compile(r"[+-]"), other, notes)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            start, end = self.span(node)
            kind = "default" if role == "default" else "constant"
            if isinstance(node.value, bool):
                self.add(kind if kind == "default" else "truth", start, end, str(not node.value), notes)
            else:
                step = 1 if node.value < 2 or (start + node.value) % 2 else -1
                self.add(kind, start, end, str(node.value + step), notes)
        elif isinstance(node, ast.Constant) and node.value is None and role == "default":
            self.add("default", *self.span(node), "0", notes)
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.ctx, ast.Load):
            self.swapped(node.elts, notes)
        elif isinstance(node, ast.Slice):
            for bound, change in ((node.lower, "+ 1"), (node.upper, "- 1")):
                if bound is not None:
                    self.add("slice", *self.span(bound), f"({self.text(bound)}) {change}", notes)
        elif isinstance(node, ast.Call):
            if len(node.args) > 1:
                self.swapped(node.args[:2], notes)
            given = sorted([*node.args, *node.keywords], key=self.span)
            for place, one in enumerate(given):
                if isinstance(one, ast.keyword) and one.arg not in (None, "help", "epilog"):
                    start, end = self.span(one)
                    if place > 0:
                        start = self.span(given[place - 1])[1]
                    elif len(given) > 1:
                        end = self.span(given[1])[0]
                    self.add("argument dropped", start, end, "", notes)

    def between(
        self,
        kind: str,
        left: ast.expr,
        right: ast.expr,
        pattern: re.Pattern[str],
        other: str,
        notes: tuple[tuple[int, str], ...],
    ) -> None:
        """Change the operator that stands between two operands; what is shown has the operands, too."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap, changes = pattern.subn(other, self.source[start:end].decode(), count=1)
        if changes:
            first_byte, last_byte = self.span(left)[0], self.span(right)[1]
            self.add(kind, first_byte, last_byte, self.text(left) + gap + self.text(right), notes)

    def swapped(self, pair: list[ast.expr], notes: tuple[tuple[int, str], ...]) -> None:
        if any(isinstance(one, ast.Starred) or (is_text(one) and " " in self.text(one)) for one in pair):
            return
        (start, left), (right, end) = map(self.span, pair)
        gap = self.source[left:right].decode()
        self.add("order", start, end, self.text(pair[1]) + gap + self.text(pair[0]), notes)

    def notes(self, node: ast.stmt | None) -> tuple[tuple[int, str], ...]:
        """What to insert so that a statement notes that it runs. Lines keep their numbers wherever they can."""
        if node is None:
            return ()
        header = header_of(node)
        if header is not None:
            start, end = self.span(header)
            return (start, "(NOTE or ("), (end, "))")
        start = self.span(node)[0]
        if decorators := getattr(node, "decorator_list", None):
            start = self.source.rindex(b"@", 0, self.span(decorators[0])[0] + 1)
        if isinstance(node, ast.Try | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return ((start, "NOTE\n" + " " * node.col_offset),)
        return ((start, "NOTE; "),)

    def notes_everywhere(self) -> tuple[tuple[int, str], ...]:
        """For what an import runs: every function of the file."""
        return tuple(note for one in self.functions for note in self.notes(first(one)))


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def first(function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt | None:
    """The first statement of a function that is not its docstring."""
    rest = [node for node in function.body if not (isinstance(node, ast.Expr) and is_text(node.value))]
    return rest[0] if rest else None


def header_of(node: ast.stmt) -> ast.expr | None:
    """What a compound statement looks at first."""
    if isinstance(node, ast.If | ast.While):
        return node.test
    if isinstance(node, ast.For | ast.AsyncFor):
        return node.iter
    if isinstance(node, ast.With | ast.AsyncWith):
        return node.items[0].context_expr
    return node.subject if isinstance(node, ast.Match) else None


def noted(source: bytes, chosen: list[tuple[str, Breakage]]) -> bytes:
    """A Python source that notes, at the place of each breakage, that this runs."""
    edits = [
        (at, at, text.replace("NOTE", f"_sarai_note({name!r})"))
        for name, one in chosen
        for at, text in one.notes
    ]
    # An expression ends before what begins at the same byte.
    edits.sort(key=lambda edit: (edit[0], not edit[2].startswith("))")))
    out = applied(source, edits)
    compile(out, "noted", "exec")
    return out


# What the package is given when it notes things itself: `sarai/_notes.py`.
NOTES = '''\
"""Notes which of the breakages run."""

import builtins
import os

file = os.environ.get("SARAI_NOTES")
seen = set()


def note(name):
    if file and name not in seen:
        try:
            handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(handle, (name + "\\n").encode())
            os.close(handle)
            seen.add(name)
        except OSError:
            pass  # a test that takes away what a file needs


builtins._sarai_note = note
'''


def python_places(root: Path) -> list[Breakage]:
    """Everything that can be broken in the package."""
    package = root / "python" / "sarai"
    found = []
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if not name.startswith(NOT_TESTED):
            found += PythonPlaces(f"python/sarai/{name}", path.read_bytes()).all()
    return found


def is_python(root: Path) -> Callable[[Breakage], bool]:
    """Says whether what a breakage leaves is Python, and not the same Python."""

    def fits(one: Breakage) -> bool:
        source = (root / one.file).read_bytes()
        try:
            broken = ast.parse(applied(source, [(one.start, one.end, one.after)]))
        except SyntaxError:
            return False
        return ast.dump(broken) != ast.dump(ast.parse(source))

    return fits


# Rust

OTHER = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
    "&": "|",
    "|": "&",
    "^": "&",
    "<<": ">>",
    ">>": "<<",
}
# What is compiled for tests alone, or not here.
ELSEWHERE = re.compile(r'\btest\b|cfg\(target_family = "wasm"|cfg\(not\((target_arch|feature)')
INTEGERS = re.compile(r"[iu](8|16|32|64|128|size)")
# Within these, nothing is looked at: the compiler wants constants there, or patterns, or types.
CLOSED = {
    "const_item",
    "static_item",
    "enum_item",
    "macro_invocation",
    "macro_definition",
    "attribute_item",
    "inner_attribute_item",
    "type_arguments",
    "array_type",
    "const_block",
}


def is_pattern(kind: str) -> bool:
    return kind.endswith("_pattern")


class RustPlaces:
    """Finds where one Rust file can be broken."""

    def __init__(self, file: str, source: bytes, parser: Any) -> None:
        self.file = file
        self.source = source
        self.found: list[Breakage] = []
        self.look(parser.parse(source).root_node, inside=False)

    def add(self, kind: str, node: Any, after: str, at: int | None = None) -> None:
        start, end = (node.start_byte, node.end_byte) if at is None else (at, at)
        before = self.source[start:end].decode()
        line = self.source.count(b"\n", 0, start) + 1
        self.found.append(Breakage(self.file, line, kind, start, end, before, after))

    def text(self, node: Any) -> str:
        return str(node.text.decode())

    def children(self, node: Any) -> Iterator[Any]:
        """What a node is made of, less the tests and what is compiled away."""
        tests = False
        for child in node.named_children:
            if child.type == "attribute_item":
                tests |= ELSEWHERE.search(self.text(child)) is not None
            elif "comment" not in child.type:
                if not tests:
                    yield child
                tests = False

    def look(self, node: Any, inside: bool) -> None:
        """Look at a node and all that it is made of; `inside` of a function that runs, things are broken."""
        if node.type in CLOSED:
            return
        if node.type == "function_item":
            modifiers = [self.text(child) for child in node.children if child.type == "function_modifiers"]
            if any("const" in one.split() for one in modifiers):
                return
            self.early(node)
            self.look(node.child_by_field_name("body"), inside=True)
            return
        if is_pattern(node.type) or node.type == "closure_parameters":
            guard = node.child_by_field_name("condition") if node.type == "match_pattern" else None
            if guard is not None and "let" not in guard.type:
                self.add("guard", guard, "true")
                self.look(guard, inside)
            return
        if inside:
            self.itself(node)
        length = node.child_by_field_name("length") if node.type == "array_expression" else None
        pattern = node.child_by_field_name("pattern")
        for child in self.children(node):
            if child != length and (child != pattern or is_pattern(child.type)):
                self.look(child, inside)

    def itself(self, node: Any) -> None:
        if node.type in ("binary_expression", "compound_assignment_expr"):
            operator = node.child_by_field_name("operator")
            sign = self.text(operator)
            compound = node.type != "binary_expression"
            other = OTHER.get(sign[:-1] if compound else sign)
            if other:
                at = operator.start_byte - node.start_byte
                whole = node.text
                after = whole[:at] + other.encode() + b"=" * compound + whole[at + len(sign) :]
                self.add(f"operator {sign}", node, after.decode())
        elif node.type == "unary_expression" and node.children[0].type in ("!", "-"):
            self.add(f"unary {node.children[0].type}", node, self.text(node.named_children[0]))
        elif node.type == "integer_literal" and node.parent.type != "field_expression":
            match = re.fullmatch(r"(\d[\d_]*?)(_?[iu](?:8|16|32|64|128|size))?", self.text(node))
            if match:
                value = int(match[1])
                step = 1 if value < 2 or (node.start_byte + value) % 2 else -1
                self.add("constant", node, f"{value + step}{match[2] or ''}")

    def early(self, node: Any) -> None:
        """A function that returns at once, where its type has something to return."""
        body, returns = node.child_by_field_name("body"), node.child_by_field_name("return_type")
        if body is None or not body.named_children:
            return
        kind = "()" if returns is None else self.text(returns)
        name = self.text(node.child_by_field_name("name"))
        value = None
        if kind == "()":
            value = ""
        elif kind == "bool":
            value = ("true", "false")[node.start_byte % 2]
        elif INTEGERS.fullmatch(kind):
            value = ("0", "1")[node.start_byte % 2]
        elif kind.startswith("Option<"):
            value = "None"
        elif re.fullmatch(r"Result<\(\)(, .*)?>", kind) and name != "fmt":
            value = "Ok(())"
        if value is not None:
            self.add(
                f"early return of {name}", body, f"return {value};".replace(" ;", ";"), body.start_byte + 1
            )


def rust_places(root: Path) -> tuple[list[Breakage], list[Breakage]]:
    """Everything that can be broken in the games, and in the rest of the engine."""
    import tree_sitter
    import tree_sitter_rust

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
    games: list[Breakage] = []
    rest: list[Breakage] = []
    for path in sorted((root / "src").rglob("*.rs")):
        parts = path.relative_to(root / "src").parts
        if (
            parts[0] in ("testing.rs", "lib.rs")
            or path.name.startswith("no_")
            or {"tests", "tests.rs"} & {*parts}
        ):
            continue
        name = path.relative_to(root).as_posix()
        found = numbered(RustPlaces(name, path.read_bytes(), parser).found)
        (games if parts[0] == "games" else rest).extend(found)
    return games, rest


def switched(number: int, one: Breakage) -> tuple[int, int, str]:
    """The edit by which a breakage can be switched on while the program runs."""
    on = f"crate::breakages::on({number})"
    if one.start == one.end:
        return one.start, one.end, f" if {on} {{ {one.after} }}"
    return one.start, one.end, f"(if {on} {{ {one.after} }} else {{ {one.before} }})"


# What the engine asks whether a breakage is on. It also notes which ones a test reaches.
SWITCH = """\
//! The switches of `scripts/breakages.py`.
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static SEEN: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];
static SETTING: OnceLock<(usize, Option<std::ffi::OsString>)> = OnceLock::new();

/// Whether the breakage of this number is switched on.
#[inline]
pub fn on(number: usize) -> bool {
    let (on, notes) = SETTING.get_or_init(|| {
        let on = std::env::var("SARAI_BREAKAGE").ok().and_then(|text| text.parse().ok());
        (on.unwrap_or(usize::MAX), std::env::var_os("SARAI_NOTES"))
    });
    if let Some(path) = notes && !SEEN[number].load(Relaxed) {
        note(number, path);
    }
    *on == number
}

#[cold]
#[inline(never)]
fn note(number: usize, path: &std::ffi::OsStr) {
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    if file.is_ok_and(|mut file| file.write_all(format!("r{number}\\n").as_bytes()).is_ok()) {
        SEEN[number].store(true, Relaxed);
    }
}

/// Forgets what has been reached, for the next test.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn sarai_forget_notes() {
    for seen in &SEEN {
        seen.store(false, Relaxed);
    }
}
"""
