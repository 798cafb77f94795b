//! The turns before the moving phase: layers against a plain search, from last to first, and whole games by them.

use std::collections::HashMap;
use std::fs;

use sarai::base::control::Control;
use sarai::exact::blocks::ROOM;
use sarai::exact::cell::Cell;
use sarai::exact::file;
use sarai::exact::finished::Finished;
use sarai::exact::header::Fingerprint;
use sarai::exact::loaded::{Loaded, Opening, Oracle};
use sarai::exact::plan::layer_groups;
use sarai::exact::retrograde::Effort;
use sarai::exact::solvable::{Layers, Pair, Solvable, Tables};
use sarai::exact::solve::{AnySolvable, Event};
use sarai::exact::summary::Summary;
use sarai::games::shah::{Begin, Board, MillProtection, OpeningRemovals, Rules, Shah, State};
use sarai::{Error, Game, Player, Turn};

use super::exact::{Folder, game};

/// Rule books of few stones that differ in all on which the turns before the moving phase depend.
fn few_stones() -> Vec<Shah> {
    let plain = Rules {
        pieces: 3,
        opening_removals: OpeningRemovals::None,
        max_turns: u16::MAX,
        no_capture_limit: 0,
        ..Rules::default()
    };
    let captures = Rules { pieces: 4, placement_captures: true, ..plain.clone() };
    let books = [
        plain.clone(),
        Rules { begin: Begin::FirstPlayer, ..plain },
        Rules { mill_protection: MillProtection::UnlessAllInMills, ..captures },
        Rules { pieces: 4, max_turns: u16::MAX, ..(Shah::PRESETS[1].rules)() },
    ];
    books.into_iter().map(|rules| Shah::new(rules).unwrap()).collect()
}

impl Folder {
    fn open(&self, game: &Shah) -> Loaded<Shah> {
        Loaded::open(&self.0, game, Opening { check: true, room: ROOM, threads: 1, pass_over: false })
            .unwrap()
    }

    /// The turns before the moving phase. Gives the files, by name.
    fn place(&self, game: &Shah, threads: usize) -> Vec<(String, Vec<u8>)> {
        let control = Control::default();
        game.solve(&self.0, None, Effort { threads, control: &control }, &mut |_| {}).unwrap();
        self.placed()
    }

    fn placed(&self) -> Vec<(String, Vec<u8>)> {
        let names =
            fs::read_dir(&self.0).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.contains("-turn-")).collect();
        names.sort();
        names.into_iter().map(|name| (name.clone(), fs::read(self.0.join(name)).unwrap())).collect()
    }
}

/// What a state of a turn before the moving phase is worth to who acts, by going through all that can follow; tables
/// alone say what the moving phase is worth.
fn by_search(game: &Shah, state: &State, tables: &impl Fn(Board) -> Cell) -> Cell {
    /// Value for player 0 and turns passed in all when the game ends.
    fn search(game: &Shah, state: &State, tables: &impl Fn(Board) -> Cell) -> (i8, u32) {
        let passed = game.turns_passed(state);
        if game.turn(state) == Turn::Over {
            let won = game.winner(state).map(|side| if side == game.side(Player(0)) { 1 } else { -1 });
            // The turn in which a game ends by a win is not counted.
            return (won.unwrap_or(0), passed + 1);
        }
        let player = game.player_on_turn(state).unwrap();
        let seen_by = |player: Player, value: i8| if player == Player(0) { value } else { -value };
        if let Some((board, acts)) = Solvable::board(game, state) {
            let cell = tables(board);
            let value = if acts { cell.value() } else { -cell.value() };
            return (seen_by(player, value), passed + cell.turns().unwrap_or(0) as u32);
        }
        let after = game.legal_actions(state).iter().map(|action| {
            let mut next = *state;
            game.apply(&mut next, action, &mut ());
            search(game, &next, tables)
        });
        let goodness = |&(value, ends): &(i8, u32)| {
            let value = seen_by(player, value);
            (value, -(value as i64) * ends as i64)
        };
        after.max_by_key(goodness).unwrap()
    }
    let (value, ends) = search(game, state, tables);
    let turns = (ends - game.turns_passed(state)) as u16;
    match if game.player_on_turn(state).unwrap() == Player(0) { value } else { -value } {
        1 => Cell::won(turns),
        -1 => Cell::lost(turns),
        _ => Cell::DRAWN,
    }
}

/// A state after so many turns of random play, if none was the last.
fn played(game: &Shah, turns: u32, seed: u64) -> Option<State> {
    let (mut state, mut drawn) = (game.initial_state(), seed);
    while game.turns_passed(&state) < turns || game.layer_of(&state).is_none() {
        if game.turn(&state) == Turn::Over {
            return None;
        }
        drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let legal: Vec<_> = game.legal_actions(&state).iter().collect();
        game.apply(&mut state, legal[(drawn >> 33) as usize % legal.len()], &mut ());
    }
    Some(state)
}

#[test]
fn placing_three_stones_is_what_a_search_to_the_moving_phase_finds() {
    placing_is_what_a_search_finds(&few_stones()[..1], 5);
}

#[test]
#[ignore = "nightly"]
fn placing_few_stones_is_what_a_search_to_the_moving_phase_finds() {
    placing_is_what_a_search_finds(&few_stones(), 1);
}

/// With one in so many of the states.
fn placing_is_what_a_search_finds(books: &[Shah], every: u64) {
    let (mut wins, mut all) = (0, 0);
    for (number, game) in books.iter().enumerate() {
        let folder = Folder::new(&format!("placing-{number}-{every}"));
        let pieces = game.rules().pieces;
        folder.solve(game, (pieces, pieces), 2);
        folder.place(game, 2);
        let (numbering, loaded) = (game.tables(pieces), folder.open(game));
        let solved: HashMap<Pair, Finished> = (3..=pieces)
            .flat_map(|own| (3..=pieces).map(move |other| Pair { own, other }))
            .map(|pair| (pair, folder.load(game, pair)))
            .collect();
        let tables = |board| solved[&numbering.pair(board)].get(numbering.place(board));
        for (last, states) in [(1, 100), (2, 20), (3, 2)] {
            let turns = 2 * pieces as u32 - last;
            for state in (0..states).step_by(every as usize).filter_map(|seed| played(game, turns, seed)) {
                let found = loaded.value(&state).unwrap().unwrap();
                let due = by_search(game, &state, &tables);
                assert_eq!(
                    (found.value, found.turns),
                    (due.value(), due.turns()),
                    "{state:?} of {:?}",
                    game.rules()
                );
                wins += (found.value == 1) as u32;
                all += 1;
            }
        }
        // Every position is worth the best of its turns, down to the empty board.
        let (control, mut positions) = (Control::default(), 0);
        let effort = Effort { threads: 2, control: &control };
        let every = if pieces == 3 { every } else { 29 };
        let right =
            game.verify(&folder.0, true, every, effort, &mut |checked| positions += checked.positions);
        assert_eq!(right, Ok(true));
        assert!(positions * every >= layer_groups(game).iter().map(|group| group.places).sum());
        whole_games(game, &loaded);
    }
    let due = 100 * books.len() as u32 / every as u32;
    assert!(all > due && wins > due / 4 && wins < all, "{wins} of {all}");
}

/// From the empty board, and from what chance begins with, the best actions keep what a position is worth to the end.
fn whole_games(game: &Shah, loaded: &Loaded<Shah>) {
    for seed in 0..6 {
        let Some(mut state) = played(game, seed, u64::from(seed)) else { continue };
        let (begin, promised) = (game.turns_passed(&state), loaded.value(&state).unwrap().unwrap());
        let (first, mut turns) = (game.player_on_turn(&state).unwrap(), 0);
        while game.turn(&state) != Turn::Over {
            let worth = loaded.value(&state).unwrap().unwrap();
            let moves = loaded.moves(&state).unwrap().unwrap();
            assert_eq!(loaded.best(&state).unwrap(), Some(moves[0]));
            assert_eq!((moves[0].1, moves.len()), (worth, game.legal_actions(&state).len()));
            // The turn that ends the game does not pass.
            turns = (game.turns_passed(&state) - begin) as u16 + 1;
            if promised.value == 0 && turns > 40 {
                break;
            }
            game.apply(&mut state, moves[0].0, &mut ());
        }
        if promised.value != 0 {
            assert_eq!(promised.turns, Some(turns));
            let winner = game.winner(&state).unwrap();
            assert_eq!(winner == game.side(first), promised.value == 1);
        }
    }
}

#[test]
fn every_state_of_placing_has_its_place() {
    let mut books = few_stones();
    books.extend([game(0), game(1)]);
    for game in books {
        let layers = game.layers(u16::MAX);
        for turns in 0..layers.count() as u32 {
            for state in (0..20).filter_map(|seed| played(&game, turns, seed)) {
                let (layer, position) = game.layer_of(&state).unwrap();
                let (pair, place) = layers.place(layer, position);
                assert!(layers.pairs(layer).contains(&pair), "{state:?}");
                assert!(place.row < layers.rows(layer, pair) && place.column < layers.columns(layer, pair));
                // The place stands for a state that is the same up to seats and symmetry, and sound.
                let held = layers.position(&layers.row(layer, pair, place.row), place.column);
                let again = game.state_in(layer, held);
                assert_eq!(game.check(&again), Ok(()), "{again:?}");
                assert_eq!(layers.place(layer, held).1.row, place.row);
                assert_eq!(game.legal_actions(&again).len(), game.legal_actions(&state).len());
            }
        }
    }
}

/// The last turns of Shah itself: two removals and a placement, from a table of the moving phase that is made up.
#[test]
#[ignore = "nightly"]
fn opening_removals_lead_to_the_moving_phase() {
    let shah = game(0);
    let folder = Folder::new("removals");
    fs::create_dir_all(&folder.0).unwrap();
    let (numbering, pair) = (shah.tables(11), Pair { own: 11, other: 11 });
    let (rows, columns) = (numbering.rows(pair), numbering.columns(pair));
    let made_up = |index: u64| match index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61 {
        0 => Cell::DRAWN,
        n @ 1..=3 => Cell::won(3 * n as u16),
        n => Cell::lost(2 * n as u16),
    };
    let len = rows as u64 * columns as u64;
    let table = Finished::of(pair, columns, len as usize, || (0..len).map(made_up)).unwrap();
    let summary = Summary { places: len, ..Summary::default() };
    file::write(&folder.0, Fingerprint::of(&shah, None), &table, summary, 2).unwrap();
    let control = Control::default();
    let effort = Effort { threads: 2, control: &control };
    let mut written = Vec::new();
    let mut tell = |event: Event<'_>| {
        if let Event::Written { layer: Some(layer), .. } = event {
            written.push(layer);
            control.cancel.fetch_or(layer == 23, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let done = shah.solve(&folder.0, None, effort, &mut tell);
    assert_eq!((done, written), (Err(Error::Cancelled), vec![25, 24, 23]));
    let tables = |board| table.get(numbering.place(board));
    let loaded = folder.open(&shah);
    for turns in 23..=25 {
        for state in (0..60).filter_map(|seed| played(&shah, turns, seed)) {
            let found = loaded.value(&state).unwrap().unwrap();
            let due = by_search(&shah, &state, &tables);
            assert_eq!((found.value, found.turns), (due.value(), due.turns()), "{state:?}");
        }
    }
}

#[test]
fn threads_and_stops_change_nothing_in_placing() {
    threads_and_stops_change_nothing(&few_stones()[0]);
}

#[test]
#[ignore = "nightly"]
fn threads_and_stops_change_nothing_in_placing_with_captures() {
    threads_and_stops_change_nothing(&few_stones()[2]);
}

fn threads_and_stops_change_nothing(shah: &Shah) {
    let pieces = shah.rules().pieces;
    let solved = Folder::new(&format!("placing-threads-{pieces}"));
    solved.solve(shah, (pieces, pieces), 2);
    let alone = solved.place(shah, 1);
    assert_eq!(alone.len(), layer_groups(shah).len());
    for (name, _) in &alone[2..] {
        fs::remove_file(solved.0.join(name)).unwrap();
    }
    // Stopped again and again, after each table.
    for _ in 0..alone.len() {
        let control = Control::default();
        let effort = Effort { threads: 3, control: &control };
        let mut stop = |event: Event<'_>| {
            let written = matches!(event, Event::Written { .. });
            control.cancel.fetch_or(written, std::sync::atomic::Ordering::Relaxed);
        };
        if shah.solve(&solved.0, None, effort, &mut stop).is_ok() {
            break;
        }
    }
    assert!(solved.placed() == alone);
    // A table that is needed is missed before anything is done.
    let empty = Folder::new(&format!("placing-empty-{pieces}"));
    let control = Control::default();
    let effort = Effort { threads: 1, control: &control };
    let error = shah.solve(&empty.0, None, effort, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("does not hold the table"), "{error}");
}
