//! Counts of paths against numbers that another program computed: every `tests/perft/*.perft`.
//!
//! The head of `tests/perft/sho.perft` describes the form of these files.

use sarai::base::control::Control;
use std::fs;
use std::path::Path;

use sarai::api::registry::find;
use sarai::play::position::AnyPosition;

/// One count to be met.
#[derive(Default)]
struct Block<'a> {
    line: usize,
    fields: Vec<(&'a str, &'a str)>,
}

const FIELDS: [&str; 6] = ["game", "rules", "position", "depth", "count", "source"];

impl<'a> Block<'a> {
    fn field(&self, name: &str) -> &'a str {
        self.fields.iter().find(|(field, _)| *field == name).expect("checked when it was read").1
    }
}

/// The blocks of a file; a file that is not in the form is an error that names the line.
fn blocks<'a>(name: &str, text: &'a str) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            open &= !line.is_empty();
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or_else(|| panic!("{name}:{}: no field", at + 1));
        if !open {
            blocks.push(Block { line: at + 1, fields: Vec::new() });
            open = true;
        }
        blocks.last_mut().expect("one is open").fields.push((field.trim(), value.trim()));
    }
    for block in &blocks {
        let fields: Vec<&str> = block.fields.iter().map(|(field, _)| *field).collect();
        assert_eq!(fields, FIELDS, "{name}:{}: a block has these fields in this order", block.line);
    }
    assert!(!blocks.is_empty(), "{name} has no block");
    blocks
}

#[test]
fn counts_of_paths_are_those_of_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let (mut seen, never) = (0, Control::default());
    for entry in fs::read_dir(&folder).expect("tests/perft") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_none_or(|extension| extension != "perft") {
            continue;
        }
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a readable file");
        for block in blocks(&name, &text) {
            let here = format!("{name}:{}", block.line);
            let game = find(block.field("game")).unwrap_or_else(|error| panic!("{here}: {error}"));
            let game =
                game.make(None, block.field("rules")).unwrap_or_else(|error| panic!("{here}: {error}"));
            let position: Box<dyn AnyPosition> = match block.field("position") {
                "start" => game.new_position(),
                line => game.parse(line).unwrap_or_else(|error| panic!("{here}: {error}")),
            };
            let depth: u32 = block.field("depth").parse().expect("depth is a number");
            let count: u64 = block.field("count").parse().expect("count is a number");
            assert_eq!(
                position.perft(depth, &never),
                Some(count),
                "{here}: {} at depth {depth}",
                block.field("position")
            );
            assert!(!block.field("source").is_empty(), "{here}: who counted?");
            seen += 1;
        }
    }
    assert!(seen > 0, "no .perft file was read");
}
