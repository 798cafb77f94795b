//! The numbering, forward and backward moves, against each other and against the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow::Continue;

use super::super::{Blocked, MillProtection, OpeningRemovals, Phase, Rules, Shah, State};
use super::{Board, Moving};
use crate::agents::rng::Stream;
use crate::exact::solvable::{Pair, Place, Solvable, Status, Step, Tables};
use crate::rules::{Game, Player, Turn};

/// Rule books that differ in all on which values depend, and no limits.
fn rule_books() -> Vec<Shah> {
    let preset = |number: usize| (Shah::PRESETS[number].rules)();
    let plain = Rules { opening_removals: OpeningRemovals::None, ..preset(0) };
    let books = [
        plain.clone(),
        preset(1),
        Rules { blocked: Blocked::Loses, ..plain.clone() },
        Rules { flying: true, mill_protection: MillProtection::UnlessAllInMills, ..plain },
    ];
    let unlimited = |rules| Shah::new(Rules { max_turns: u16::MAX, no_capture_limit: 0, ..rules });
    books.into_iter().map(|rules| unlimited(rules).unwrap()).collect()
}

/// Random positions of a pair; where `shut`, stones stand together, so that many are blocked.
fn boards(pair: Pair, number: u64, shut: bool) -> impl Iterator<Item = Board> {
    (0..number).map(move |n| {
        let mut stream = Stream::new(n, pair.own as u64 * 16 + pair.other as u64);
        let mut points: Vec<usize> = (0..24).collect();
        for at in (1..24).rev() {
            points.swap(at, stream.below(at as u32 + 1) as usize);
        }
        let set = |points: &[usize]| points.iter().fold(0, |set, point| set | 1 << point);
        let own = set(&points[..pair.own as usize]);
        if shut {
            // First around the others, as far as stones reach.
            points[pair.own as usize..].sort_by_key(|point| super::neighbours(own) >> point & 1 == 0);
        }
        Board { own, other: set(&points[pair.own as usize..][..pair.other as usize]) }
    })
}

fn pairs(tables: &Moving) -> Vec<Pair> {
    let (least, most) = tables.reach();
    let all = (least..=most).flat_map(|own| (least..=most).map(move |other| Pair { own, other }));
    all.collect()
}

#[test]
fn rows_and_columns_are_positions_and_back() {
    let tables = rule_books()[0].tables(12);
    for pair in pairs(&tables) {
        let (rows, columns) = (tables.rows(pair), tables.columns(pair));
        for row in (0..rows).step_by(1 + rows as usize / 50) {
            let context = tables.row(pair, row);
            assert_eq!(tables.is_symmetric(pair, row), tables.weight(pair, row) < 16);
            for column in (0..columns).step_by(1 + columns as usize / 50) {
                let board = tables.board(&context, column);
                assert_eq!(tables.pair(board), pair);
                assert_eq!(tables.place(board), Place { row, column }, "{board:?}");
            }
        }
    }
}

#[test]
fn equal_positions_share_a_row_and_show_each_other() {
    let tables = rule_books()[0].tables(6);
    for pair in [Pair { own: 3, other: 3 }, Pair { own: 6, other: 4 }] {
        for board in boards(pair, 2_000, false) {
            let place = tables.place(board);
            let images: Vec<Board> = (0..16)
                .map(|turn| Board {
                    own: tables.numbering.turned(turn, board.own),
                    other: tables.numbering.turned(turn, board.other),
                })
                .collect();
            let places: BTreeSet<u32> = images.iter().map(|&image| tables.place(image).column).collect();
            assert!(images.iter().all(|&image| tables.place(image).row == place.row));
            if !tables.is_symmetric(pair, place.row) {
                assert_eq!(places.len(), 1);
            }
            let mut shown = BTreeSet::new();
            tables.equals(board, place.row, |equal, at| {
                assert_eq!((tables.place(equal), at.row), (at, place.row));
                shown.insert(at.column);
            });
            assert!(shown.is_superset(&places) && shown.contains(&place.column));
        }
    }
}

/// What a position leads to, by the game's own rules: positions with how they were come to, sorted, and wins.
fn by_rules(game: &Shah, board: Board) -> (Vec<(Board, bool)>, usize) {
    fn explore(game: &Shah, state: &State, taken: bool, found: &mut (Vec<(Board, bool)>, usize)) {
        for action in game.legal_actions(state).iter() {
            let mut next = *state;
            game.apply(&mut next, action, &mut ());
            let taken = taken || state.phase == Phase::Remove;
            match Solvable::board(game, &next) {
                Some((board, _)) => found.0.push((board, taken)),
                None if game.turn(&next) == Turn::Over => found.1 += 1,
                None => explore(game, &next, taken, found),
            }
        }
    }
    let mut found = (Vec::new(), 0);
    explore(game, &Solvable::state(game, board), false, &mut found);
    found.0.sort_by_key(|(board, taken)| (board.own, board.other, *taken));
    found
}

fn forward(tables: &Moving, board: Board) -> (Vec<(Board, bool)>, usize) {
    let (mut found, mut wins) = (Vec::new(), 0);
    tables.successors(board, |step| {
        match step {
            Step::Quiet(next) => found.push((next, false)),
            Step::Capture(next) => found.push((next, true)),
            Step::Win => wins += 1,
        }
        Continue(())
    });
    // Where being blocked loses, the game ends before there is a position.
    let lost = found.iter().filter(|(next, _)| tables.status(*next) == Status::Lost).count();
    found.retain(|(next, _)| tables.status(*next) != Status::Lost);
    found.sort_by_key(|(board, taken)| (board.own, board.other, *taken));
    (found, wins + lost)
}

#[test]
fn moves_are_those_of_the_rules() {
    for game in rule_books() {
        let tables = game.tables(12);
        let (mut blocked, mut extra_to_blocked) = (0, 0);
        for pair in pairs(&tables) {
            for board in boards(pair, 300, false).chain(boards(pair, 300, true)) {
                let status = tables.status(board);
                if matches!(status, Status::Lost | Status::Drawn) {
                    assert!(!game.can_move(board.own, board.empty()));
                    continue;
                }
                let found = forward(&tables, board);
                let (positions, ends) = by_rules(&game, board);
                // A capture that leaves two stones is one win for each stone that may be taken.
                let one_each = if pair.other == 3 && found.1 > 0 { ends.min(found.1) } else { ends };
                assert_eq!(
                    (found.0, found.1.min(one_each)),
                    (positions, one_each),
                    "{board:?} {:?}",
                    game.rules()
                );
                if status == Status::Blocked {
                    blocked += 1;
                    let opens = |step| match step {
                        Step::Quiet(next) => tables.status(next) == Status::Moves,
                        _ => unreachable!("extra moves capture nothing"),
                    };
                    tables.successors(board, |step| {
                        extra_to_blocked += !opens(step) as u32;
                        Continue(())
                    });
                }
            }
        }
        let extra = game.rules().blocked == Blocked::OpponentOpens;
        assert_eq!((blocked > 500, extra_to_blocked > 5), (extra, extra), "{blocked} {extra_to_blocked}");
    }
}

/// Every move forward is found backward, and every move backward is one.
#[test]
fn moves_backward_are_moves_forward() {
    for game in rule_books() {
        let tables = game.tables(12);
        let mut extra = 0;
        for pair in pairs(&tables) {
            for board in boards(pair, 20, false).chain(boards(pair, 20, true)) {
                let leads = |from: Board, to: Board| {
                    let mut times = 0;
                    tables.successors(from, |step| {
                        times += (step == Step::Quiet(to)) as u32;
                        Continue(())
                    });
                    times
                };
                // Backward moves go from the smallest of a row, as tables do.
                let Place { row, column } = tables.place(board);
                let row = tables.row(pair, row);
                let board = tables.board(&row, column);
                let mut before = BTreeMap::new();
                tables.predecessors(&row, board, |from, place| {
                    assert_eq!(place, tables.place(from));
                    assert_eq!((tables.pair(from), tables.status(from)), (pair.turned(), Status::Moves));
                    *before.entry((from.own, from.other)).or_insert(0) += 1;
                });
                tables.blocked_predecessors(board, |from, place| {
                    assert_eq!(place, tables.place(from));
                    assert_eq!(tables.status(from), Status::Blocked);
                    extra += 1;
                    *before.entry((from.own, from.other)).or_insert(0) += 1;
                });
                for ((own, other), times) in before {
                    assert_eq!(leads(Board { own, other }, board), times);
                }
                tables.successors(board, |step| {
                    let Step::Quiet(next) = step else { return Continue(()) };
                    let (mut found, place) = (false, tables.place(next));
                    let row = tables.row(tables.pair(next), place.row);
                    // The same move, turned to where the table has it.
                    let next = tables.board(&row, place.column);
                    let home = tables.place(board);
                    tables.predecessors(&row, next, |_, place| found |= place.row == home.row);
                    tables.blocked_predecessors(next, |_, place| found |= place.row == home.row);
                    assert!(found, "{board:?}");
                    Continue(())
                });
            }
        }
        assert_eq!(extra > 10, game.rules().blocked == Blocked::OpponentOpens, "{extra}");
    }
}

#[test]
fn states_are_positions_and_back() {
    let game = &rule_books()[0];
    let tables = game.tables(12);
    for board in boards(Pair { own: 4, other: 9 }, 500, true) {
        let state = Solvable::state(game, board);
        let acts = tables.status(board) == Status::Moves;
        assert_eq!(Solvable::board(game, &state), Some((board, acts)));
        assert_eq!(game.turn(&state), Turn::Player(Player(!acts as u8)));
    }
    assert_eq!(Solvable::board(game, &game.initial_state()), None);
}

/// Shah's opening removals leave eleven stones, and nine men's morris has nine.
#[test]
fn tables_reach_as_far_as_stones() {
    let reach = |rules: Rules, most| Shah::new(rules).unwrap().tables(most).reach();
    assert_eq!(reach(Rules::default(), 12), (3, 11));
    assert_eq!(reach(Rules::default(), 5), (3, 5));
    assert_eq!(reach((Shah::PRESETS[1].rules)(), 200), (3, 9));
    assert_eq!(reach(Rules { opening_removals: OpeningRemovals::None, ..Rules::default() }, 12), (3, 12));
}

#[test]
fn a_number_stands_for_all_equal_positions_and_for_no_other() {
    for game in rule_books() {
        let layers = game.layers(u16::MAX);
        let mut known: BTreeMap<u64, (u16, u32)> = BTreeMap::new();
        for seed in 0..40 {
            let (mut state, mut stream) = (game.initial_state(), Stream::new(seed, 1));
            while let Turn::Player(_) = game.turn(&state) {
                if game.layer_of(&state).is_some() || game.board(&state).is_some_and(|(_, acts)| acts) {
                    let number = game.number(&layers, &state);
                    let back = game.numbered(number);
                    assert_eq!(game.number(&layers, &back), number);
                    assert_eq!(game.legal_actions(&back).len(), game.legal_actions(&state).len());
                    let me = state.player.index();
                    let stones = |at: usize| state.stones[at].count_ones();
                    let seen = (state.turn.min(game.moving_from), stones(me) << 8 | stones(1 - me));
                    assert_eq!(*known.entry(number).or_insert(seen), seen);
                }
                let actions = game.legal_actions(&state);
                let action = actions.nth(stream.below(actions.len() as u32) as usize).unwrap();
                game.apply(&mut state, action, &mut ());
            }
        }
    }
}
