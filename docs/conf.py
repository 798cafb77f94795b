"""How Sphinx makes the documentation site; `make docs-site` runs it on what scripts/docs_site.py lays out."""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import pkgutil
import re
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from numpy.typing import ArrayLike
from sphinx.addnodes import pending_xref
from sphinx.domains.python import PyAttribute, PyFunction, PyProperty
from sphinx.util.inspect import signature, stringify_signature
from sphinx.util.typing import stringify_annotation

import sarai

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from docs_site import PLAYGROUND, address  # noqa: E402  (found through the line above)

project = "Sarai"
author = "The Sarai developers"
copyright = f"{author}, MIT or Apache-2.0"  # noqa: A001  (Sphinx calls it so)
release = version = sarai.__version__
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_design"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".rst": "restructuredtext"}
exclude_patterns = ["conf.py", "_static"]

# Pages are read on GitHub too, whose anchors these are. Nothing that is formatted needs more than GitHub's Markdown.
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4
# Notebooks are shown with the outputs that they were saved with.
nb_execution_mode = "off"
# They print tables as Markdown.
nb_render_markdown_format = "myst"
nb_execution_cache_path = str(ROOT / "target" / "docs-site" / "cache")
# Nothing is fetched from elsewhere by whoever reads a page.
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
html_math_renderer = None

# In docstrings `this` is code, and a link where it is the name of something that the reference has.
default_role = "py:obj"
nitpicky = True
# A name in a docstring may be an argument, an option or a file; types may be those of other libraries.
nitpick_ignore_regex = [
    ("py:obj", r"(?s).*"),
    (
        "py:.*",
        r"(numpy|np|torch|gymnasium|matplotlib|pandas|pyarrow|polars|minari|os|collections|pathlib|typing)\..*|NDArray|Figure|Axes|ResetNeeded|Seats|Self",
    ),
    # What is private, only the compiled module's, or the name of a type for types alone.
    (
        "py:class",
        r"sarai\._core\..*|.*\._\w+|.*\bStrPath|ManyStates|Evaluator|ProgressOption|sarai\.expansions\.S|parent|states",
    ),
]
autodoc_default_options = {"members": True, "undoc-members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_mock_imports = [
    "anywidget",
    "traitlets",
    "torch",
    "tensordict",
    "torchrl",
    "ray",
    "stable_baselines3",
    "sb3_contrib",
    "pyspiel",
    "pettingzoo",
]
maximum_signature_line_length = 88
python_display_short_literal_types = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = f"Sarai {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "../python/sarai/_web/static/icon.svg"
html_sidebars = {"index": []}
html_copy_source = html_show_sourcelink = False
html_theme_options: dict[str, Any] = {
    "logo": {"text": "Sarai"},
    "navigation_with_keys": False,
    "show_prev_next": True,
    "show_toc_level": 2,
    "header_links_before_dropdown": 7,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "back_to_top_button": False,
}
if address("Repository"):
    html_theme_options["github_url"] = address("Repository")

# Which pages are below which: the one place that knows, so that the pages themselves stay plain Markdown.
TREE = {
    "index": ["getting_started", "games", "howto", "explanation", "reference", "notebooks", "playground"],
    "getting_started": ["tour", "platforms"],
    "games": ["games/*"],
    "howto": [
        "play",
        "puzzles",
        "widget",
        "write_an_agent",
        "protocol",
        "training_an_agent",
        "arena",
        "benchmark",
        "analyse_a_game",
        "analyse_a_variant",
        "pictures",
        "metrics",
        "comparing",
        "positions",
        "exact",
        "networks",
        "environments",
        "libraries",
        "data",
        "scale",
    ],
    "explanation": [
        "rules_and_readings",
        "randomness",
        "architecture",
        "agents",
        "baselines",
        "solved",
        "openings",
        "nine_mens_morris",
        "solved_small",
    ],
    "rules_and_readings": ["rules/*"],
    "reference": [
        "api/index",
        "command_line",
        "records",
        "formats",
        "glossary",
        "coming_from",
        "bibliography",
        "contributing",
        "changelog",
    ],
    "notebooks": ["notebooks/*"],
}


def add_tree(app: object, name: str, source: list[str]) -> None:
    """Put the list of the pages below a page at its end, where only Sphinx sees it."""
    if name in TREE:
        entries = "\n".join(TREE[name])
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n:maxdepth: 2\n\n{entries}\n```\n"


# With or without it, every page is read again.
playground = PLAYGROUND.exists()


# What the first page shows where there is no board to play on.
PICTURE = re.compile(r"^!\[.*\]\(solved_game\.svg\)$", re.MULTILINE)


def add_playground(app: object, name: str, source: list[str]) -> None:
    """Put the playground on its page, on the pages of the games, and on the first page in place of the picture."""
    folder, _, game = name.rpartition("/")
    if not playground or (name not in ("index", "playground") and folder != "games"):
        return
    up = "../" if folder else ""
    chosen = f' data-game="{game if folder else "shah"}"' if name != "playground" else ""
    script = f'<script type="module" src="{up}playground/playground.js"></script>'
    board = f'```{{raw}} html\n<div class="sarai-playground"{chosen}></div>\n{script}\n```'
    if name == "index":
        source[0] = PICTURE.sub(lambda _: board, source[0], count=1)
        return
    lead, heading, rest = source[0].partition("\n## ")
    source[0] = f"{lead}\n\n{board}\n{heading}{rest}"


def add_openings(app: object, name: str, source: list[str]) -> None:
    """Put the board of the openings on their page."""
    if name == "openings":
        board = '<div class="sarai-openings" data-values="_static/openings.json"></div>'
        script = '<script type="module" src="_static/openings.js"></script>'
        lead, heading, rest = source[0].partition("\n## ")
        source[0] = f"{lead}\n\n```{{raw}} html\n{board}\n{script}\n```\n{heading}{rest}"


def stubs() -> dict[str, str]:
    """The signature of every function and method of the compiled module, which only its stub knows."""
    tree = ast.parse((ROOT / "python/sarai/_core.pyi").read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for node in tree.body:
        members = (
            [(f"{node.name}.", member) for member in node.body]
            if isinstance(node, ast.ClassDef)
            else [("", node)]
        )
        for owner, member in members:
            if isinstance(member, ast.FunctionDef) and f"sarai.{owner}{member.name}" not in found:
                arguments = ast.unparse(member.args)
                for first in ("self", "cls"):
                    arguments = (
                        arguments.removeprefix(first).removeprefix(", ").removeprefix("/").removeprefix(", ")
                    )
                returned = f" -> {ast.unparse(member.returns)}" if member.returns else ""
                found[f"sarai.{owner}{member.name}"] = f"({arguments}){returned}"
    return found


def stub_types() -> dict[str, str]:
    """The types of the properties of every class of the compiled module, which only its stub knows."""
    tree = ast.parse((ROOT / "python/sarai/_core.pyi").read_text(encoding="utf-8"))
    return {
        f"sarai.{node.name}.{member.name}": ast.unparse(member.returns)
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for member in node.body
        if isinstance(member, ast.FunctionDef) and member.decorator_list and member.returns
    }


STUBS = stubs()
STUB_TYPES = stub_types()
ALIASES = {
    stringify_annotation(alias, "smart"): f"~{name}"
    for alias, name in [
        (sarai.agents.Agents, "sarai.agents.Agents"),
        (sarai.agents.Agent, "sarai.agents.Agent"),
        (sarai.agents.Policy, "sarai.agents.Policy"),
        (ArrayLike, "numpy.typing.ArrayLike"),
    ]
}
"""What types are called that have a name, by what Sphinx writes for them; the longest first."""

ARRAY = re.compile(
    r"~numpy\.ndarray\[tuple\[(?:~typing\.Any|int), \.\.\.\], "
    r"~numpy\.dtype\[(~typing\.Any|~numpy\.\w+(?:\[~typing\.Any\])?)\]\]"
)
# In a docstring, the section that says what attributes are, and what it says of one or some of them.
SECTION = re.compile(r"^Attributes:\n(?:    .*\n?|\n(?=    ))+", re.MULTILINE)
ENTRY = re.compile(r"^    (\w+(?:, \w+)*): (.*(?:\n     +\S.*)*)\n?", re.MULTILINE)


def attributes(owner: type) -> dict[str, str]:
    """What the docstring of a class says of the attributes that it declares."""
    section = SECTION.search(inspect.cleandoc(owner.__doc__ or "") + "\n")
    declared = vars(owner).get("__annotations__", {})
    return {
        name: text
        for names, text in ENTRY.findall(section[0] if section else "")
        for name in names.split(", ")
        if name in declared
    }


def plain(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Keep napoleon from taking what is before a colon in the first line for a type: that line is an empty comment."""
    if what in ("attribute", "data", "property"):
        lines[:0] = ["..", ""]


def move_attributes(
    app: object, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Leave out of the description of a class what stands below it, at its attributes."""
    if what not in ("class", "exception"):
        return
    declared = {one for base in type.mro(thing) for one in vars(base).get("__annotations__", ())}  # type: ignore[call-overload]

    def others(section: re.Match[str]) -> str:
        left = ENTRY.sub(lambda one: "" if {*one[1].split(", ")} <= declared else one[0], section[0])
        return left if ENTRY.search(left) else ""

    lines[:] = SECTION.sub(others, "\n".join([*lines, ""])).split("\n")


def named(signature: str | None) -> str | None:
    """A signature with types called by their names, as the source calls them."""
    if signature is None:
        return None
    for written, name in ALIASES.items():
        signature = signature.replace(written, name)
        # What Python 3.10 cannot evaluate is as it is written in the source.
        signature = re.sub(rf"(?<![\w.~]){name.rpartition('.')[2]}\b", name, signature)
    signature = re.sub(r"\b(npz|arguments)\.StrPath\b", "str | ~os.PathLike[str]", signature)
    # What a factory makes has no value that could be written.
    return ARRAY.sub(r"~numpy.typing.NDArray[\1]", signature).replace("<factory>", "...")


class Typed:
    """What is documented, with types called by their names; of what is compiled, those of its stub."""

    def handle_signature(self, sig: str, signode: Any) -> Any:
        """Write one of them."""
        options = self.options  # type: ignore[attr-defined]
        written = options.get("type") or STUB_TYPES.get(f"{options.get('module')}.{sig}")
        if written:
            options["type"] = named(written)
        return super().handle_signature(sig, signode)  # type: ignore[misc]


class Function(PyFunction):
    """A function, with its own signature in place of its overloads, which are for type checkers."""

    def get_signatures(self) -> list[str]:
        """Its one signature."""
        first, *others = super().get_signatures()
        if others:
            name = first.partition("(")[0]
            found = pkgutil.resolve_name(f"{self.options['module']}:{name}")
            first = name + stringify_signature(signature(found), unqualified_typehints=True)
        return [named(first) or ""]


class Attribute(Typed, PyAttribute):
    """An attribute, described by what its class says of it."""

    def run(self) -> list[nodes.Node]:
        """Write it."""
        owner, _, name = self.arguments[0].rpartition(".")
        if owner:
            found = pkgutil.resolve_name(f"{self.options['module']}:{owner}")
            texts = [attributes(base).get(name) for base in found.__mro__]
            if text := next(filter(None, texts), None):
                lines = [line.strip() for line in text.splitlines()]
                mark_up(None, "attribute", name, None, None, lines)
                self.content = StringList(lines, source=f"docstring of {owner}")
        return super().run()


class Property(Typed, PyProperty):
    """A property."""


def unlink(app: object, tree: nodes.document) -> None:
    """Link to nothing from what is built in: `bytes` is the type, and not an attribute of that name."""
    for reference in list(tree.findall(pending_xref)):
        if reference.get("refdomain") == "py" and hasattr(builtins, reference["reftarget"]):
            reference.replace_self(reference.children)


def resolve(app: Any, env: Any, node: pending_xref, content: nodes.Node) -> nodes.Node | None:
    """Link to the name of a type where a class is looked for, which Sphinx 8 does not."""
    if (node["refdomain"], node["reftype"]) != ("py", "class"):
        return None
    python = env.get_domain("py")
    return python.resolve_xref(env, node["refdoc"], app.builder, "obj", node["reftarget"], node, content)


# The signature of a class that inherits from a library that is not here, and of a protocol.
UNKNOWN = re.compile(r"\(\*args(: \S*Any)?, \*\*kwargs(: \S*Any)?\)")


def sign(
    app: object, what: str, name: str, thing: Any, options: object, arguments: str, returned: str
) -> tuple[str | None, str | None]:
    """Call types by their names; give what is compiled the types of its stub, and a class its own arguments."""
    if type(thing).__name__ in ("builtin_function_or_method", "method_descriptor") and name in STUBS:
        arguments, _, returned = STUBS[name].partition(" -> ")
        return arguments, returned
    if what == "class" and UNKNOWN.fullmatch(arguments or ""):
        arguments = ""
        if "__init__" in vars(thing) and not getattr(thing, "_is_protocol", False):
            own = inspect.signature(thing.__init__)
            # Its types are named by what such a library alone has; the descriptions say what they are.
            bare = [one.replace(annotation=one.empty) for one in own.parameters.values()]
            own = own.replace(parameters=bare[1:], return_annotation=own.empty)
            arguments = stringify_signature(own, unqualified_typehints=True)
    # What is private is not for callers.
    return named(re.sub(r", _\w+: [^,()]+", "", arguments) if arguments else arguments), named(returned)


def mark_up(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Link to pages, and mark the indented lines below "like this:" as code, which only Markdown does by itself."""
    # In a terminal pages are files.
    lines[:] = [re.sub(r"docs/(\w+)\.md", r":doc:`/\1`", line) for line in lines]
    for number in range(len(lines) - 2):
        line, below, code = lines[number : number + 3]
        indent = len(line) - len(line.lstrip())
        if line.endswith(":") and not below and code[indent : indent + 4].isspace() and ">>>" not in code:
            lines[number] += ":"


def setup(app: Any) -> None:
    """Called by Sphinx."""
    for kind, directive in (("function", Function), ("attribute", Attribute), ("property", Property)):
        app.add_directive_to_domain("py", kind, directive, override=True)
    app.add_config_value("playground", False, "env")
    # Pages are read again when this file changes, on which depends what becomes of docstrings.
    app.add_config_value("made_by", hashlib.sha256(Path(__file__).read_bytes()).hexdigest(), "env")
    app.connect("source-read", add_playground)
    app.connect("source-read", add_openings)
    app.connect("source-read", add_tree)
    app.connect("autodoc-process-signature", sign)
    # Before napoleon.
    app.connect("autodoc-process-docstring", mark_up, priority=400)
    app.connect("autodoc-process-docstring", move_attributes, priority=400)
    app.connect("autodoc-process-docstring", plain, priority=400)
    app.connect("doctree-read", unlink)
    app.connect("missing-reference", resolve)
