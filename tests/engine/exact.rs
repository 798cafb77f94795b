//! Exact play: tables against a solver that shares nothing with them but the rules, on threads, on disk and damaged.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use sarai::base::control::Control;
use sarai::exact::cell::Cell;
use sarai::exact::file::{Stored, write};
use sarai::exact::finished::Finished;
use sarai::exact::header::Fingerprint;
use sarai::exact::loaded::{AnyLoaded, Loaded, Opening};
use sarai::exact::plan::groups;
use sarai::exact::retrograde::Effort;
use sarai::exact::solvable::{Pair, Solvable, Tables};
use sarai::exact::solve::{AnySolvable, Event};
use sarai::exact::summary::Summary;
use sarai::exact::verify::verify;
use sarai::games::shah::{Board, OpeningRemovals, Rules, Shah};
use sarai::play::states::States;
use sarai::{Error, Game, Player, Turn};

/// A rule book without limits.
pub fn game(preset: usize) -> Shah {
    let rules = (Shah::PRESETS[preset].rules)();
    Shah::new(Rules { max_turns: u16::MAX, no_capture_limit: 0, ..rules }).unwrap()
}

/// An empty folder that is removed in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sarai-exact-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    pub fn solve(&self, game: &Shah, stones: (u8, u8), threads: usize) -> Vec<(Pair, String)> {
        let (control, mut written) = (Control::default(), Vec::new());
        let effort = Effort { threads, control: &control };
        let mut tell = |event: Event<'_>| {
            if let Event::Written { pair, digest, .. } = event {
                written.push((pair, digest.to_owned()));
            }
        };
        game.solve(&self.0, Some(stones), effort, &mut tell).unwrap();
        written
    }

    fn path(&self, pair: Pair) -> PathBuf {
        self.0.join(format!("shah-{pair}.exact"))
    }

    pub fn load(&self, game: &Shah, pair: Pair) -> Finished {
        open(&self.path(pair), game, pair).unwrap().read(1).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn open(path: &Path, game: &Shah, pair: Pair) -> Result<Stored, String> {
    let fingerprint = Fingerprint::of(game, None);
    Stored::open(path, &fingerprint, pair).map_err(|error| error.to_string())
}

const THREE: Pair = Pair { own: 3, other: 3 };

/// Three against three by going over all positions again and again until nothing changes, with the game's own moves:
/// the value for the side of the first set to move, by the numbers of both sets.
fn slowly(game: &Shah, sets: &[u32]) -> Vec<Cell> {
    /// A position by its number, or a win of the first side; whether the first side is to move there; turns on the way.
    type Way = (Option<u32>, bool, u16);
    let number: HashMap<u32, usize> = sets.iter().enumerate().map(|(n, &set)| (set, n)).collect();
    let at = |own: u32, other: u32| (number[&own] * sets.len() + number[&other]) as u32;
    let all: Vec<Board> =
        sets.iter().flat_map(|&own| sets.iter().map(move |&other| Board { own, other })).collect();
    // Where the ways of each position begin, and whether the other side chooses among them.
    let (mut ways, mut begins, mut turned): (Vec<Way>, Vec<usize>, Vec<bool>) = Default::default();
    for board in &all {
        begins.push(ways.len());
        let state = Solvable::state(game, *board);
        turned.push(game.player_on_turn(&state) == Some(Player(1)));
        let mut todo = if board.own & board.other == 0 { vec![state] } else { Vec::new() };
        while let Some(from) = todo.pop() {
            for action in game.legal_actions(&from).iter() {
                let mut next = from;
                game.apply(&mut next, action, &mut ());
                let passed = (game.turns_passed(&next) - game.turns_passed(&state)) as u16;
                match (game.turn(&next), Solvable::board(game, &next)) {
                    (Turn::Player(player), Some((board, acts))) => {
                        ways.push((Some(at(board.own, board.other)), (player == Player(0)) == acts, passed));
                    }
                    (Turn::Over, _) => ways.push((None, game.winner(&next) == Some(game.side(Player(0))), 1)),
                    _ => todo.push(next),
                }
            }
        }
    }
    begins.push(ways.len());
    let mut known = vec![Cell::DRAWN; all.len()];
    loop {
        let mut changes = 0;
        for position in 0..all.len() {
            let (mut best, mut all_lost) = (None, true);
            for &(next, first_moves, passed) in &ways[begins[position]..begins[position + 1]] {
                let (value, turns) = match next {
                    None => (if first_moves { 1 } else { -1 }, passed),
                    Some(next) => {
                        let cell = known[next as usize];
                        let value = if first_moves { cell.value() } else { -cell.value() };
                        (value, cell.turns().unwrap_or(0) + passed)
                    }
                };
                match if turned[position] { -value } else { value } {
                    1 => best = Some(best.map_or(turns, |best: u16| best.min(turns))),
                    -1 => {}
                    _ => all_lost = false,
                }
            }
            let longest = || {
                let ways = &ways[begins[position]..begins[position + 1]];
                let turns = |&(next, _, passed): &Way| {
                    next.map_or(0, |n| known[n as usize].turns().unwrap_or(0)) + passed
                };
                ways.iter().map(turns).max()
            };
            let (wins, turns) = match best {
                Some(turns) => (true, Some(turns)),
                None if all_lost => (false, longest()),
                None => (false, None),
            };
            let cell = match turns {
                None => Cell::DRAWN,
                Some(turns) if wins != turned[position] => Cell::won(turns),
                Some(turns) => Cell::lost(turns),
            };
            changes += (known[position] != cell) as u32;
            known[position] = cell;
        }
        if changes == 0 {
            return known;
        }
    }
}

#[test]
#[ignore = "nightly"]
fn three_against_three_is_what_a_slow_solver_finds() {
    // Of Shah alone: three stones that fly have so many moves that going over them all takes half a minute.
    let sets: Vec<u32> = (0u32..1 << 24).filter(|set| set.count_ones() == 3).collect();
    let game = game(0);
    let folder = Folder::new("slow");
    folder.solve(&game, (3, 3), 1);
    let (tables, solved) = (game.tables(3), folder.load(&game, THREE));
    let slow = slowly(&game, &sets);
    let mut blocked = 0;
    for (n, &own) in sets.iter().enumerate() {
        for (m, &other) in sets.iter().enumerate().filter(|&(_, &other)| own & other == 0) {
            let board = Board { own, other };
            assert_eq!(solved.get(tables.place(board)), slow[n * sets.len() + m], "{board:?}");
            blocked += (tables.status(board) != sarai::exact::solvable::Status::Moves) as u32;
        }
    }
    assert_eq!(blocked, 8, "of 2,691,920");
}

#[test]
fn positions_of_few_stones_are_worth_the_best_of_their_moves() {
    positions_are_worth_the_best_of_their_moves((3, 3), 0..1);
}

#[test]
#[ignore = "nightly"]
fn every_position_is_worth_the_best_of_its_moves() {
    positions_are_worth_the_best_of_their_moves((4, 4), 0..2);
}

fn positions_are_worth_the_best_of_their_moves(stones: (u8, u8), presets: std::ops::Range<usize>) {
    for preset in presets {
        let game = game(preset);
        let folder = Folder::new(&format!("moves-{preset}"));
        folder.solve(&game, stones, 2);
        let (tables, control) = (game.tables(stones.0), Control::default());
        let all: Vec<Finished> = groups(&tables, stones)
            .iter()
            .flat_map(|group| group.pairs.clone())
            .map(|pair| folder.load(&game, pair))
            .collect();
        for table in &all {
            let solved = |(_, pair)| all.iter().find(|table| table.pair == pair);
            let effort = Effort { threads: 2, control: &control };
            let every = if table.pair == THREE { 1 } else { 7 };
            let checked = verify(&game, (&tables, None), (None, table), solved, (0, every), effort).unwrap();
            assert_eq!((checked.wrong, checked.first), (0, None), "{} under preset {preset}", table.pair);
            assert!(checked.positions >= table.len() as u64 / every);
        }
        // And what is wrong is found.
        let mut wrong = all[0].clone();
        wrong.palette.swap(1, 2);
        let solved = |(_, pair)| {
            if pair == THREE { Some(&wrong) } else { all.iter().find(|table| table.pair == pair) }
        };
        let check = |every, threads| {
            verify(
                &game,
                (&tables, None),
                (None, &wrong),
                solved,
                every,
                Effort { threads, control: &control },
            )
            .unwrap()
        };
        let all = check((0, 1), 1);
        assert!(all.wrong > 1 && all == check((0, 1), 2));
        // In parts, every wrong one is counted once, and the first of all is the first of a part.
        let parts = [0, 1, 2].map(|from| check((from, 3), 2));
        assert_eq!(parts.iter().map(|part| part.wrong).sum::<u64>(), all.wrong);
        assert_eq!(parts.into_iter().filter_map(|part| part.first).min(), all.first);
    }
}

#[test]
fn threads_change_nothing() {
    let game = game(0);
    let files = |threads: usize| -> Vec<Vec<u8>> {
        let folder = Folder::new(&format!("threads-{threads}"));
        let written = folder.solve(&game, (3, 4), threads);
        written.iter().map(|&(pair, _)| fs::read(folder.path(pair)).unwrap()).collect()
    };
    let alone = files(1);
    assert_eq!(alone.len(), 3);
    assert!(files(3) == alone);
}

#[test]
fn what_is_missing_is_solved_and_nothing_else() {
    let game = game(0);
    let folder = Folder::new("resumed");
    let first = folder.solve(&game, (3, 4), 1);
    let names: Vec<String> = first.iter().map(|(pair, _)| pair.to_string()).collect();
    assert_eq!(names, ["3-3", "3-4", "4-3"]);
    assert!(folder.solve(&game, (3, 4), 1).is_empty());
    let path = folder.path(first[2].0);
    let whole = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(folder.solve(&game, (3, 4), 2), first[1..]);
    assert!(fs::read(&path).unwrap() == whole);
    // Nothing is left beside the tables.
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3);
}

#[test]
fn a_solve_that_is_stopped_leaves_no_table() {
    let game = game(0);
    let folder = Folder::new("stopped");
    let control = Control::default();
    control.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    let effort = Effort { threads: 1, control: &control };
    assert_eq!(game.solve(&folder.0, Some((3, 3)), effort, &mut |_| {}), Err(Error::Cancelled));
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let shah = game(0);
    let folder = Folder::new("damaged");
    folder.solve(&shah, (3, 3), 1);
    let path = folder.path(THREE);
    let whole = fs::read(&path).unwrap();
    assert_eq!(open(&path, &shah, THREE).unwrap().header().pair, THREE);
    let other = open(&path, &game(1), THREE).unwrap_err();
    assert!(other.contains("is of other rules"), "{other}");
    assert!(open(&path, &shah, Pair { own: 3, other: 4 }).is_err());
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        open(&path, &shah, THREE).and_then(|stored| stored.read(2).map_err(|error| error.to_string()))
    };
    assert!(read(&whole).is_ok());
    // One bit flipped anywhere, and the end cut off.
    for at in (0..whole.len()).step_by(whole.len() / 100).chain(0..64) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        let error = read(&flipped).expect_err("a flipped bit");
        assert!(error.contains("solve the pair again") || error.contains("other rules"), "{error}");
    }
    for length in [0, 3, 12, 16, 200, whole.len() / 2, whole.len() - 1] {
        assert!(read(&whole[..length]).is_err());
    }
    assert!(read(&[&whole[..], &[0]].concat()).is_err());
}

#[test]
fn a_table_in_which_nobody_can_move_is_refused() {
    // Twelve stones each fill the board.
    let rules = (Shah::PRESETS[0].rules)();
    let rules = Rules { pieces: 12, opening_removals: OpeningRemovals::None, ..rules };
    let game = Shah::new(rules).unwrap();
    let (pair, folder) = (Pair { own: 12, other: 12 }, Folder::new("full"));
    let tables = game.tables(12);
    let (rows, columns) = (tables.rows(pair), tables.columns(pair));
    let cells = (rows * columns) as usize;
    let table = Finished::of(pair, columns, cells, || (0..cells).map(|_| Cell::lost(0))).unwrap();
    fs::create_dir_all(&folder.0).unwrap();
    write(&folder.0, Fingerprint::of(&game, None), &table, Summary::of(&tables, &table), 1).unwrap();
    let opening = Opening { check: false, room: 1 << 20, threads: 1, pass_over: false };
    let loaded = Loaded::open(&folder.0, &game, opening).unwrap();
    let sample = |control: &Control| {
        loaded.sample(&mut States::new(game.clone(), 0).unwrap(), 1, Some(pair), 0, control)
    };
    let refused = sample(&Control::default()).unwrap_err().to_string();
    assert!(refused.contains("nobody can move"), "{refused}");
    let control = Control::default();
    control.cancel.store(true, Ordering::Relaxed);
    assert_eq!(sample(&control), Err(Error::Cancelled));
}
