//! The lines between the levels of the engine, held by reading the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use sarai::api::registry;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// The folders of `src`; what stands in one may use those before it and its own, and none after it.
const LEVELS: [&str; 11] =
    ["base", "draw", "rules", "exact", "games", "nets", "agents", "play", "api", "record", "session"];
/// The files that every game's folder has.
const SKELETON: [&str; 11] = [
    "rules.md",
    "how_to_play.md",
    "mod.rs",
    "rules.rs",
    "board.rs",
    "state.rs",
    "position.rs",
    "moves.rs",
    "observe.rs",
    "draw.rs",
    "tests.rs",
];
/// What may stand beside them.
const MAY_HAVE: [&str; 7] =
    ["check.rs", "draw", "evaluate.rs", "exact", "exact.rs", "features.rs", "greedy.rs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source below a folder, in a fixed order, as a path from `src`.
fn sources_in(folder: &str) -> Vec<PathBuf> {
    fn below(folder: &Path, shown: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("readable").path();
            let shown = shown.join(path.file_name().expect("a name"));
            if path.is_dir() {
                below(&path, &shown, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(shown);
            }
        }
    }
    let mut found = Vec::new();
    below(&root().join("src").join(folder), Path::new(folder), &mut found);
    found.sort();
    found
}

/// Every source of the engine.
fn sources() -> Vec<PathBuf> {
    sources_in("")
}

/// Every source of the crates that bind it to other languages.
fn bindings() -> Vec<PathBuf> {
    let sources = sources_in("../bindings");
    assert!(sources.len() > 20, "{sources:?}");
    sources
}

fn parsed(path: &Path) -> syn::File {
    let source = fs::read_to_string(root().join("src").join(path)).expect("readable");
    syn::parse_file(&source).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|a| a.path().is_ident("cfg") && a.meta.to_token_stream().to_string().contains("test"))
}

/// A source without its tests.
fn production(path: &Path) -> syn::File {
    let mut file = parsed(path);
    file.items.retain(|item| match item {
        Item::Mod(item) => !is_test(&item.attrs),
        Item::Fn(item) => !is_test(&item.attrs),
        Item::Impl(item) => !is_test(&item.attrs),
        Item::Use(item) => !is_test(&item.attrs),
        _ => true,
    });
    file
}

/// The identifiers of code and the words in its strings, without those of its documentation.
fn words(code: &syn::File) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(code.to_token_stream(), false, &mut found);
    found
}

fn collect(tokens: TokenStream, idents_only: bool, words: &mut BTreeSet<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(sharp) if sharp.as_char() == '#' => {
                let documents = |next: &TokenTree| {
                    matches!(next, TokenTree::Group(group)
                        if group.stream().to_string().starts_with("doc"))
                };
                let mut rest = tokens.clone().skip_while(|next| matches!(next, TokenTree::Punct(_)));
                if rest.next().as_ref().is_some_and(documents) {
                    tokens = rest.collect::<TokenStream>().into_iter().peekable();
                }
            }
            TokenTree::Group(group) => collect(group.stream(), idents_only, words),
            TokenTree::Ident(ident) => drop(words.insert(ident.to_string())),
            TokenTree::Literal(literal) if !idents_only => words.extend(
                literal
                    .to_string()
                    .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .filter(|word| !word.is_empty())
                    .map(str::to_owned),
            ),
            TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// What a `use` brings in: the name by which it goes here, nothing for all of a module, and its path.
type Import = (Option<String>, Vec<String>);

fn imported(tree: &UseTree, before: &[String], found: &mut Vec<Import>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => imported(&path.tree, &with(&path.ident), found),
        UseTree::Name(name) => found.push((Some(name.ident.to_string()), with(&name.ident))),
        UseTree::Rename(name) => found.push((Some(name.rename.to_string()), with(&name.ident))),
        UseTree::Glob(_) => found.push((None, before.to_vec())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, before, found)),
    }
}

/// The paths of code with more than one part, and those that `use` names.
fn paths(code: &syn::File) -> BTreeSet<Vec<String>> {
    struct Paths(BTreeSet<Vec<String>>);
    impl<'a> Visit<'a> for Paths {
        fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
            let mut found = Vec::new();
            imported(&item.tree, &[], &mut found);
            self.0.extend(found.into_iter().map(|(_, path)| path));
        }
        fn visit_path(&mut self, path: &'a syn::Path) {
            if path.segments.len() > 1 {
                self.0.insert(path.segments.iter().map(|part| part.ident.to_string()).collect());
            }
            visit::visit_path(self, path);
        }
        fn visit_attribute(&mut self, _: &'a Attribute) {}
    }
    let mut paths = Paths(BTreeSet::new());
    paths.visit_file(code);
    paths.0
}

/// Whether an identifier contains a game's name as one of its parts: `sho`, `Sho`, `ShoBatch`, `sho_rules`.
fn names_game(word: &str, game: &str) -> bool {
    let mut parts: Vec<String> = vec![String::new()];
    for c in word.chars() {
        if c == '_' || c.is_uppercase() || c.is_numeric() {
            parts.push(String::new());
        }
        if c != '_' {
            parts.last_mut().expect("one part at least").extend(c.to_lowercase());
        }
    }
    parts.iter().any(|part| part == game)
}

fn level(path: &Path) -> Option<usize> {
    let folder = path.components().next()?.as_os_str().to_str()?;
    LEVELS.iter().position(|level| *level == folder)
}

fn is_tests(path: &Path) -> bool {
    path.components()
        .any(|part| ["tests", "tests.rs", "testing.rs"].iter().any(|name| part.as_os_str() == *name))
}

/// The module that a source belongs to: itself, or the folder where a module has several files; a game is one module.
fn module(path: &Path) -> Vec<String> {
    let parts = path
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect::<Vec<_>>();
    let most = if parts[0] == "games" { 2 } else { parts.len() };
    let mut parts = parts[..parts.len().min(most)].to_vec();
    // A folder beside a file of its name.
    for length in 1..parts.len() {
        if root().join("src").join(parts[..length].join("/")).with_extension("rs").is_file() {
            parts.truncate(length);
            break;
        }
    }
    parts
}

/// A source as the parts of its path: those of its folder where it stands for the folder.
fn parts(path: &Path) -> Vec<String> {
    let mut parts: Vec<String> = path
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    parts.pop_if(|last| ["lib", "mod"].contains(&&**last));
    parts
}

/// The source with these parts, if there is one.
fn source(parts: &[String]) -> Option<PathBuf> {
    let path = PathBuf::from(parts.join("/"));
    [path.with_extension("rs"), path.join("mod.rs"), path.join("lib.rs")]
        .into_iter()
        .find(|path| root().join("src").join(path).is_file())
}

/// What every source brings in with `use` outside its functions.
fn imports(source: &Path) -> &'static [Import] {
    static IMPORTS: OnceLock<BTreeMap<PathBuf, Vec<Import>>> = OnceLock::new();
    let all = || {
        let imports = |path: &PathBuf| {
            let mut found = Vec::new();
            for item in &production(path).items {
                if let Item::Use(item) = item {
                    imported(&item.tree, &[], &mut found);
                }
            }
            found
        };
        sources().into_iter().map(|path| (path.clone(), imports(&path))).collect()
    };
    &IMPORTS.get_or_init(all)[source]
}

/// The source that a path names from inside another, if it names one: where a name is defined, not where it is passed on.
fn named(from: &Path, path: &[String]) -> Option<PathBuf> {
    let mut at = parts(from);
    let mut rest = path;
    match path[0].as_str() {
        "crate" => at.clear(),
        "self" => {}
        "super" => drop(at.pop()),
        // A folder beside the source, or a name of something else.
        first => {
            at.push(first.to_owned());
            source(&at)?;
        }
    }
    rest = &rest[1..];
    while let [part, after @ ..] = rest {
        if part == "super" {
            at.pop();
        } else {
            at.push(part.clone());
            if source(&at).is_none() {
                at.pop();
                break;
            }
        }
        rest = after;
    }
    let found = source(&at)?;
    let passed_on = rest.first().and_then(|name| {
        let (_, path) = imports(&found).iter().find(|(known_as, _)| known_as.as_ref() == Some(name))?;
        named(&found, path)
    });
    passed_on.or(Some(found))
}

/// The module of the engine that a path names from inside a source, if it names one.
fn target(from: &Path, path: &[String]) -> Option<Vec<String>> {
    named(from, path).map(|found| module(&found))
}

#[test]
fn the_reader_sees_code_and_nothing_else() {
    let source = "//! sho\n/// sho\nuse a::{b, c::d}; // sho\nfn f() { e::g(\"let sho\"); /* x */ }\n";
    let code = syn::parse_file(source).expect("code");
    let words = words(&code);
    assert!(words.contains("sho") && words.contains("f") && !words.contains("x"), "{words:?}");
    let without_string = syn::parse_file(&source.replace("\"let sho\"", "")).expect("code");
    assert!(!self::words(&without_string).contains("sho"));
    let paths: Vec<String> = paths(&code).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["a::b", "a::c::d", "e::g"]);
    for word in ["sho", "Sho", "ShoBatch", "batch_of_sho", "Sho2"] {
        assert!(names_game(word, "sho"), "{word}");
    }
    for word in ["should", "show", "Show", "shorten", "shortest"] {
        assert!(!names_game(word, "sho"), "{word}");
    }
    let uses = |from: &str, path: &[&str]| {
        let path: Vec<String> = path.iter().map(|part| part.to_string()).collect();
        target(Path::new(from), &path).map(|module| module.join("::"))
    };
    assert_eq!(uses("agents/mcts.rs", &["crate", "rules", "game", "Game"]).as_deref(), Some("rules::game"));
    assert_eq!(uses("agents/mcts.rs", &["super", "playout", "settle"]).as_deref(), Some("agents::playout"));
    assert_eq!(uses("play/batch/lane.rs", &["super", "BatchConfig"]).as_deref(), Some("play::batch"));
    assert_eq!(uses("agents/mcts.rs", &["std", "fmt"]), None);
    let named = |from: &str, path: &str| {
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        named(Path::new(from), &path).map(|found| found.to_string_lossy().into_owned())
    };
    assert_eq!(named("play/batch/lane.rs", "super::BatchConfig").as_deref(), Some("play/batch/config.rs"));
    assert_eq!(named("play/batch/lane.rs", "super::Batch").as_deref(), Some("play/batch.rs"));
    assert_eq!(named("play/batch.rs", "lane::Lane").as_deref(), Some("play/batch/lane.rs"));
    assert_eq!(named("play/batch.rs", "crate::Game").as_deref(), Some("rules/game.rs"));
}

/// Which source uses which other.
fn uses() -> BTreeSet<(PathBuf, PathBuf)> {
    let sources = sources().into_iter().filter(|path| level(path).is_some() && !is_tests(path));
    let uses = |from: PathBuf| {
        let used = paths(&production(&from));
        used.into_iter().filter_map(move |path| named(&from, &path).map(|to| (from.clone(), to)))
    };
    sources.flat_map(uses).filter(|(from, to)| from != to).collect()
}

#[test]
fn every_source_has_a_level_and_uses_none_above_it() {
    for path in sources() {
        let at_root = path == Path::new("lib.rs") || path == Path::new("testing.rs");
        assert!(at_root || level(&path).is_some(), "src/{}: not in a folder of {LEVELS:?}", path.display());
    }
    for (from, to) in uses() {
        let names = format!("{} uses {}", from.display(), to.display());
        assert!(level(&to) <= level(&from), "{names}, a level above it");
    }
}

/// In each folder, which of what stands in it uses which. A file and the folder of its name are one, and it may share names
/// with what is in there; so may `mod.rs` with its folder.
fn neighbours() -> BTreeMap<PathBuf, BTreeMap<String, BTreeSet<String>>> {
    let mut neighbours: BTreeMap<_, BTreeMap<_, BTreeSet<_>>> = BTreeMap::new();
    for (from, to) in uses() {
        let (from, to) = (parts(&from), parts(&to));
        let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
        if let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) {
            let folder = neighbours.entry(from[..shared].iter().collect()).or_default();
            folder.entry(one.clone()).or_default().insert(other.clone());
        }
    }
    neighbours
}

#[test]
fn nothing_uses_itself_by_way_of_its_neighbours() {
    /// A way from the last of `way` back to its first.
    fn back<'a>(
        uses: &'a BTreeMap<String, BTreeSet<String>>,
        way: &mut Vec<&'a String>,
        seen: &mut BTreeSet<&'a String>,
    ) -> bool {
        for to in uses.get(way[way.len() - 1]).into_iter().flatten() {
            if to == way[0] {
                return true;
            }
            if seen.insert(to) {
                way.push(to);
                if back(uses, way, seen) {
                    return true;
                }
                way.pop();
            }
        }
        false
    }
    let mut circles = BTreeSet::new();
    let neighbours = neighbours();
    for (folder, uses) in &neighbours {
        for one in uses.keys() {
            let mut way = vec![one];
            if back(uses, &mut way, &mut BTreeSet::new()) {
                way.sort();
                circles.insert((folder.clone(), way));
            }
        }
    }
    assert_eq!(circles, BTreeSet::new(), "folders, and what in them uses itself by way of the others");
}

#[test]
fn a_game_uses_std_serde_and_the_rules_only() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("readable");
    let (_, dependencies) = manifest.split_once("[dependencies]").expect("dependencies");
    let (dependencies, _) = dependencies.split_once("\n[").expect("a section after them");
    let names = dependencies
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.replace('-', "_"));
    let others: BTreeSet<String> = names.filter(|name| name != "serde").collect();
    assert!(others.contains("rand") && others.contains("serde_json"), "{others:?}");
    for path in
        sources().into_iter().filter(|path| path.starts_with("games") && path.components().count() > 2)
    {
        let own = module(&path);
        // Tests may use more of the crate, and proptest, but no other game.
        for other in registry::all().iter().filter(|other| other.name != own[1]) {
            for word in words(&parsed(&path)) {
                assert!(!names_game(&word, other.name), "src/{}: {word}", path.display());
            }
        }
        if is_tests(&path) {
            continue;
        }
        for used in paths(&production(&path)) {
            let name = used.join("::");
            if let Some(to) = target(&path, &used) {
                let known = to == own
                    || ["rules", "draw", "exact"].contains(&&*to[0])
                    || to[0] == "base" && to[1] == "error";
                assert!(known, "src/{}: {name} is no part of what a game is", path.display());
            }
            assert!(
                !others.contains(&used[0]),
                "src/{}: {name} is neither std, serde nor the rules",
                path.display()
            );
        }
    }
}

#[test]
fn no_game_is_named_outside_its_folder_and_the_list() {
    let engine = sources().into_iter().filter(|path| !path.starts_with("games") && !is_tests(path));
    for path in engine.chain(bindings()) {
        for word in words(&production(&path)) {
            for entry in registry::all() {
                assert!(!names_game(&word, entry.name), "src/{}: {word}", path.display());
            }
        }
    }
}

#[test]
fn every_game_has_the_same_skeleton() {
    let names = |folder: &Path| -> BTreeSet<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect()
    };
    let games = root().join("src/games");
    let due: BTreeSet<String> =
        registry::all().iter().map(|entry| entry.name.to_owned()).chain(["mod.rs".to_owned()]).collect();
    assert_eq!(names(&games), due, "src/games holds the registered games and mod.rs");
    for entry in registry::all() {
        let found = names(&games.join(entry.name));
        for name in SKELETON {
            assert!(found.contains(name), "src/games/{}/{name} is missing", entry.name);
        }
        for name in found {
            let known = SKELETON.contains(&&*name) || MAY_HAVE.contains(&&*name) || name == "tests";
            assert!(known, "src/games/{}/{name} is not part of the skeleton", entry.name);
        }
    }
}

/// `unsafe` code stands in one module, where clippy asks for a reason. The names of functions that WebAssembly exports are
/// marked so as well.
#[test]
fn unsafe_code_stands_in_one_module() {
    for path in sources().into_iter().chain(bindings()) {
        let mut words = BTreeSet::new();
        collect(parsed(&path).to_token_stream(), true, &mut words);
        let may = path == Path::new("base/cpu.rs") || path.ends_with("wasm/src/exports.rs");
        assert!(may || !words.contains("unsafe"), "src/{}: unsafe", path.display());
        // The macro of cpu.rs allows what it writes into others.
        let allows = ["lib.rs", "base/mod.rs", "base/cpu.rs"].map(Path::new).contains(&path.as_path());
        assert_eq!(words.contains("unsafe_code"), allows, "src/{}: unsafe_code", path.display());
    }
}
