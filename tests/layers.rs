//! The lines between the layers, held by reading the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sarai::games::REGISTRY;

/// The files that every game's folder has.
const SKELETON: [&str; 8] =
    ["rules.md", "mod.rs", "rules.rs", "board.rs", "state.rs", "moves.rs", "observe.rs", "tests.rs"];
/// What may stand beside them.
const MAY_HAVE: [&str; 1] = ["greedy.rs"];
/// The modules of the crate that a game is made of.
const CORE: [&str; 7] = ["player", "action", "chance", "game", "error", "options", "forms"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a folder with this extension, in a fixed order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// How long the string with which a source begins is, or the quote as a character.
fn literal(source: &str) -> Option<usize> {
    if source.starts_with("r#\"") {
        return Some(source.find("\"#").map_or(source.len(), |end| end + 2));
    }
    if let Some(quote) = ["'\"'", "'\\\"'"].iter().find(|quote| source.starts_with(**quote)) {
        return Some(quote.len());
    }
    let mut escaped = false;
    let end = source.strip_prefix('"')?.char_indices().find(|&(_, c)| {
        let end = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        end
    });
    Some(end.map_or(source.len(), |(at, _)| at + 2))
}

/// Rust source without comments; strings stay. Lines stay where they are.
fn without_comments(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").map_or(rest.len(), |at| at + 2);
            code.extend(rest[..end].chars().filter(|&c| c == '\n'));
            rest = &rest[end..];
        } else if let Some(length) = literal(rest) {
            code.push_str(&rest[..length]);
            rest = &rest[length..];
        } else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    code
}

/// Code without the contents of its strings.
fn without_strings(code: &str) -> String {
    let mut bare = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let length = literal(rest);
        if length.is_none() {
            bare.push(c);
        }
        rest = &rest[length.unwrap_or(c.len_utf8())..];
    }
    bare
}

/// Code without comments and without `#[cfg(test)]` modules: their blocks are found by their braces.
fn production(source: &str) -> String {
    let mut code = without_comments(source);
    while let Some(start) = code.find("#[cfg(test)]") {
        let after = &code[start..];
        let semicolon = after.find(';').unwrap_or(after.len());
        let end = match after.find('{') {
            Some(open) if open < semicolon => {
                let mut depth = 0;
                let close = after[open..].char_indices().find(|&(_, c)| {
                    depth += (c == '{') as i32 - (c == '}') as i32;
                    depth == 0
                });
                open + close.expect("a module is closed").0 + 1
            }
            _ => semicolon + 1,
        };
        code.replace_range(start..start + end.min(code.len() - start), "");
    }
    code
}

/// The identifiers of a source, each with its line.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.lines().enumerate().flat_map(|(line, text)| {
        text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .map(move |word| (line + 1, word))
    })
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

fn is_in(path: &Path, folder: &str) -> bool {
    path.starts_with(root().join(folder))
}

#[test]
fn the_reader_sees_code_and_nothing_else() {
    let source = "use a; // sho\n/* sho\n*/ let s = \"// not a comment\";\nlet q = '\"'; // sho\n#[cfg(test)]\nmod tests { fn sho() { {} } }\nfn after() {}";
    let code = production(source);
    assert!(!words(&code).any(|(_, word)| word == "sho"), "{code}");
    assert!(code.contains("// not a comment") && code.contains("fn after"), "{code}");
    assert_eq!(without_strings("f(\"unsafe\\\"\", r#\"unsafe \"\"#, '\"')"), "f(, , )");
    assert_eq!(production("#[cfg(test)]\nmod tests;\nfn after() {}").trim(), "fn after() {}");
    for word in ["sho", "Sho", "ShoBatch", "batch_of_sho", "Sho2"] {
        assert!(names_game(word, "sho"), "{word}");
    }
    for word in ["should", "show", "Show", "shorten", "shortest"] {
        assert!(!names_game(word, "sho"), "{word}");
    }
}

/// The roots of all paths of a source: what stands before a `::` that no other comes before, and what `use` names.
fn roots(code: &str) -> Vec<(usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut roots = Vec::new();
    for (line, text) in code.lines().enumerate() {
        for (at, _) in text.match_indices("::") {
            let from = text[..at].rfind(|c| !part(c)).map_or(0, |before| before + 1);
            // `name::<T>` and `.name::<T>` are functions, whose paths were seen where they were imported.
            if !text[..from].ends_with("::") && from < at && !text[at..].starts_with("::<") {
                roots.push((line + 1, &text[from..at]));
            }
        }
        if let Some(used) = text.trim_start().trim_start_matches("pub ").strip_prefix("use ") {
            roots.push((line + 1, used.split(|c| !part(c)).next().unwrap_or_default()));
        }
    }
    roots
}

/// The modules of the crate that a source names: `crate::a`, and each of `crate::{a, b::{c, d}}`.
fn modules(code: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let mut depth = 0;
        let mut due = true;
        let mut module = String::new();
        for c in rest.chars() {
            let part = c.is_alphanumeric() || c == '_';
            if due && part {
                module.push(c);
            } else if !module.is_empty() {
                modules.push(std::mem::take(&mut module));
                due = false;
            }
            depth += (c == '{') as i32 - (c == '}') as i32;
            due |= c == ',' && depth == 1;
            if depth == 0 && !part {
                break;
            }
        }
    }
    modules
}

#[test]
fn a_game_uses_std_serde_and_the_core_only() {
    assert_eq!(modules("use crate::{a, b::{c, d}, e};\ncrate::f::g()"), ["a", "b", "e", "f"]);
    assert_eq!(roots("let x = a::b::c(<d as e::F>::g);"), [(1, "a"), (1, "e")]);
    const ROOTS: [&str; 6] = ["std", "core", "serde", "crate", "super", "self"];
    const TYPES: [&str; 14] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "f32", "f64", "str", "char"];
    for entry in REGISTRY {
        let folder = root().join("src/games").join(entry.name);
        let stem = |path: &PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
        let own: BTreeSet<String> = files(&folder, "rs").iter().map(stem).collect();
        for path in files(&folder, "rs") {
            // Tests may use more of the crate, and proptest, but no other game.
            let test = stem(&path) == "tests" || path.starts_with(folder.join("tests"));
            let source = read(&path);
            let code = if test { without_comments(&source) } else { production(&source) };
            for other in REGISTRY.iter().filter(|other| other.name != entry.name) {
                for (line, word) in words(&code) {
                    assert!(!names_game(word, other.name), "{}:{line}: {word}", path.display());
                }
            }
            if test {
                continue;
            }
            for (line, first) in roots(&code) {
                let known = ROOTS.contains(&first)
                    || TYPES.contains(&first)
                    || CORE.contains(&first)
                    || own.contains(first)
                    || first.starts_with(|c: char| c.is_uppercase());
                assert!(known, "{}:{line}: {first} is neither std, serde nor the core", path.display());
            }
            for module in modules(&code) {
                assert!(CORE.contains(&&*module), "{}: crate::{module} is not the core", path.display());
            }
            assert!(!code.contains("super::super"), "{}: a path that leaves the folder", path.display());
        }
    }
}

#[test]
fn no_game_is_named_outside_its_folder_and_the_registry() {
    for path in files(&root().join("src"), "rs") {
        if is_in(&path, "src/games") {
            continue;
        }
        let code = production(&read(&path));
        for entry in REGISTRY {
            for (line, word) in words(&code) {
                assert!(!names_game(word, entry.name), "{}:{line}: {word}", path.display());
            }
        }
    }
}

#[test]
fn every_game_has_the_same_skeleton() {
    let listed: BTreeSet<String> = fs::read_dir(root().join("src/games"))
        .expect("src/games")
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect();
    let due: BTreeSet<String> =
        REGISTRY.iter().map(|entry| entry.name.to_owned()).chain(["mod.rs".to_owned()]).collect();
    assert_eq!(listed, due, "src/games holds the registered games and mod.rs");
    for entry in REGISTRY {
        let folder = root().join("src/games").join(entry.name);
        for name in SKELETON {
            let file = folder.join(name);
            assert!(file.is_file(), "{} is missing", file.display());
        }
        for file in fs::read_dir(&folder).expect("a game's folder") {
            let name = file.expect("readable").file_name().to_string_lossy().into_owned();
            let known = SKELETON.contains(&&*name) || MAY_HAVE.contains(&&*name) || name == "tests";
            assert!(known, "{}/{name} is not part of the skeleton", folder.display());
        }
        for file in [
            format!("python/sarai/render/games/{}/drawing.py", entry.name),
            format!("python/sarai/render/games/{}/text.py", entry.name),
            format!("tests/perft/{}.perft", entry.name),
        ] {
            assert!(root().join(&file).is_file(), "{file} is missing");
        }
    }
}

/// Python source without comments, docstrings and strings of several words, which may be examples; a string that is
/// one word stays. Lines stay where they are.
fn python_code(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        if c == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        }
        let quote = ["\"\"\"", "\'\'\'", "\"", "\'"].into_iter().find(|quote| rest.starts_with(quote));
        let Some(quote) = quote else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        let inside = &rest[quote.len()..];
        let end = inside
            .match_indices(quote)
            .map(|(at, _)| at)
            .find(|&at| inside[..at].chars().rev().take_while(|&c| c == '\\').count().is_multiple_of(2))
            .unwrap_or(inside.len());
        let text = &inside[..end];
        if text.contains(char::is_whitespace) {
            code.extend(text.chars().filter(|&c| c == '\n'));
        } else {
            code.push_str(text);
        }
        rest = &inside[(end + quote.len()).min(inside.len())..];
    }
    code
}

#[test]
fn python_names_a_game_in_its_renderers_only() {
    let sample = "\"\"\"sho\n\"\"\"\nx = 'sho' # a\ny = \"run \\\" sho\" + '' + z\n";
    assert_eq!(python_code(sample), "\n\nx = sho \ny =  +  + z\n");
    let package = root().join("python/sarai");
    for path in files(&package, "py").into_iter().chain(files(&package, "pyi")) {
        let code = python_code(&read(&path));
        for entry in REGISTRY {
            // Its board as SVG and its board as text.
            if path.starts_with(package.join("render/games").join(entry.name)) {
                continue;
            }
            for (line, word) in words(&code) {
                assert!(!names_game(word, entry.name), "{}:{line}: {word}", path.display());
            }
        }
    }
}

/// The lines of a source that say `unsafe`, and the functions that only some processors can run.
fn unsafe_lines(source: &str) -> Vec<usize> {
    let code = without_strings(&without_comments(source));
    words(&code)
        .filter(|(_, word)| *word == "unsafe" || *word == "target_feature")
        .map(|(line, _)| line)
        .collect()
}

/// The module of the engine that may have `unsafe` code; what pyo3's macros write in the binding is none of ours.
#[test]
fn unsafe_code_stands_in_one_module_with_its_reasons() {
    assert_eq!(
        unsafe_lines("// unsafe\nlet a = \"unsafe\";\nunsafe { f() }\n#[target_feature(enable = \"x\")]"),
        [3, 4]
    );
    let crate_root = without_comments(&read(&root().join("src/lib.rs")));
    assert!(crate_root.contains("#![deny(unsafe_code)]"), "src/lib.rs denies unsafe code");
    for path in files(&root().join("src"), "rs") {
        let source = read(&path);
        let lines = unsafe_lines(&source);
        if path != root().join("src/cpu.rs") {
            assert!(lines.is_empty(), "{}:{}: unsafe outside src/cpu.rs", path.display(), lines[0]);
            let allowed = without_comments(&source).matches("allow(unsafe_code").count();
            let due = if path == root().join("src/lib.rs") { 2 } else { 0 };
            assert_eq!(allowed, due, "{}: modules that allow unsafe code: cpu and python", path.display());
            continue;
        }
        let text: Vec<&str> = source.lines().collect();
        for line in lines.into_iter().filter(|&line| !text[line - 1].contains("target_feature")) {
            let reason = text[line - 2].trim_start().starts_with("// SAFETY:");
            assert!(reason, "{}:{line}: no SAFETY line stands before it", path.display());
        }
    }
}
