//! Random games under random options: every invariant holds, and the bit tricks agree with the rules read one by one.

use proptest::prelude::*;

use super::super::board::{ENDS, LINES};
use super::*;
use crate::agents::playout::sample;
use crate::agents::random;
use crate::agents::rng::Stream;

pub(super) fn any_rules() -> impl Strategy<Value = Rules> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let first = prop_oneof![
        Just(FirstPlayer::Random),
        Just(FirstPlayer::Seat(Player(0))),
        Just(FirstPlayer::Seat(Player(1)))
    ];
    (3u8..=12, flags, prop_oneof![Just(0u16), 1u16..=200], first, 1u16..=400).prop_map(
        |(pieces, flags, no_capture_limit, first_player, max_turns)| {
            let (placement_captures, mills, protect, flying, loses, both) = flags;
            let both = both && !placement_captures;
            Rules {
                pieces: if both { 12 } else { pieces },
                placement_captures,
                begin: if mills { Begin::FirstMill } else { Begin::FirstPlayer },
                opening_removals: if both { OpeningRemovals::Both } else { OpeningRemovals::None },
                mill_protection: if protect {
                    MillProtection::UnlessAllInMills
                } else {
                    MillProtection::None
                },
                flying,
                blocked: if loses { Blocked::Loses } else { Blocked::OpponentOpens },
                no_capture_limit,
                first_player,
                max_turns,
            }
        },
    )
}

/// A board as 24 letters.
type Board = Vec<char>;

/// The pairs of neighbouring points, read from the lines.
fn neighbouring() -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for line in LINES {
        let on: Vec<usize> = (0..24).filter(|point| line >> point & 1 != 0).collect();
        for pair in on.windows(2) {
            pairs.extend([(pair[0], pair[1]), (pair[1], pair[0])]);
        }
    }
    pairs
}

/// R5, R14: what a player with an empty hand may move, as pairs of points.
fn moves(rules: &Rules, board: &Board, seat: char) -> Vec<(usize, usize)> {
    let stones = board.iter().filter(|&&c| c == seat).count();
    let pairs = match rules.flying && stones == 3 {
        true => (0..24).flat_map(|from| (0..24).map(move |to| (from, to))).collect(),
        false => neighbouring(),
    };
    pairs.into_iter().filter(|&(from, to)| board[from] == seat && board[to] == '.').collect()
}

fn in_mill(board: &Board, point: usize) -> bool {
    LINES
        .iter()
        .any(|line| line >> point & 1 != 0 && (0..24).all(|p| line >> p & 1 == 0 || board[p] == board[point]))
}

/// The names of what is legal, read from the dict point by point.
fn naive_legal(t: &Table) -> Vec<String> {
    let dict = serde_json::to_value(t.game.to_dict(&t.state)).expect("plain data");
    let rules = t.game.rules();
    let board: Board = dict["board"].as_str().expect("a string").chars().collect();
    let me = dict["player"].as_u64().expect("a seat") as usize;
    let (own, enemy) = (['0', '1'][me], ['0', '1'][1 - me]);
    let name = |point: usize| super::super::board::NAMES[point];
    let mut legal: Vec<String> = match dict["phase"].as_str().expect("a word") {
        "place" => (0..24).filter(|&p| board[p] == '.').map(|p| name(p).to_owned()).collect(),
        "land" => {
            let lifted = dict["lifted"].as_u64().expect("a point") as usize;
            (0..24).filter(|&p| board[p] == '.' && p != lifted).map(|p| name(p).to_owned()).collect()
        }
        "remove" => {
            let all: Vec<usize> = (0..24).filter(|&p| board[p] == enemy).collect();
            let outside: Vec<usize> = all.iter().copied().filter(|&p| !in_mill(&board, p)).collect();
            let protects = rules.mill_protection == MillProtection::UnlessAllInMills
                && dict["opening_removals"] == 0
                && !outside.is_empty();
            (if protects { outside } else { all }).into_iter().map(|p| format!("x{}", name(p))).collect()
        }
        _ => {
            let all = moves(rules, &board, own);
            let opens = |&(from, to): &(usize, usize)| {
                let mut after = board.clone();
                after.swap(from, to);
                !moves(rules, &after, enemy).is_empty()
            };
            let extra = dict["extra"].as_bool().expect("a flag");
            assert!(!extra || moves(rules, &board, enemy).is_empty(), "extra needs a blocked opponent");
            let opening: Vec<_> = all.iter().copied().filter(|pair| extra && opens(pair)).collect();
            let flies = rules.flying && board.iter().filter(|&&c| c == own).count() == 3;
            let chosen = if extra && !opening.is_empty() { opening } else { all };
            let write = |(from, to)| match flies {
                true => format!("fly {}", name(from)),
                false => format!("{}-{}", name(from), name(to)),
            };
            chosen.into_iter().map(write).collect()
        }
    };
    legal.sort();
    legal.dedup();
    legal
}

fn agrees(t: &Table) -> Result<(), TestCaseError> {
    let mut legal = t.legal();
    legal.sort();
    prop_assert_eq!(legal, naive_legal(t), "{}", t.game.text(&t.state));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn random_games_keep_every_invariant(rules in any_rules(), seed in any::<u64>()) {
        let mut t = Table::start(rules);
        let mut rng = Stream::new(seed, 0);
        loop {
            match t.game.turn(&t.state) {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = sample(t.game.chance(&t.state), &mut rng);
                    t.resolve(outcome.index());
                }
                Turn::Player(_) => {
                    agrees(&t)?;
                    let action = random(t.game.legal_actions(&t.state), &mut rng);
                    t.game.apply(&mut t.state, action, &mut t.counts);
                    t.settle();
                }
            }
        }
    }

    /// Positions that play seldom reaches: few stones, players shut in, extra moves.
    #[test]
    fn drawn_positions_agree_with_the_rules(
        rules in any_rules(), seed in any::<u64>(), zero in 3usize..=11, one in 3usize..=11
    ) {
        let mut rng = Stream::new(seed, 1);
        let game = Shah::new(Rules { max_turns: 1000, ..rules }).expect("valid");
        let most = game.rules().pieces as usize - (game.moving_from > 2 * game.rules().pieces as u16) as usize;
        for _ in 0..20 {
            let mut state = game.initial_state();
            // Half of the time the stones of one player huddle in a corner, with the other's around them.
            let huddle = rng.below(2) == 0;
            let mut free: Vec<usize> = (0..24).collect();
            for (seat, count) in [(0, zero.min(most)), (1, one.min(most))] {
                for _ in 0..count {
                    let beside = free.iter().position(|&p| {
                        ENDS.iter().any(|e| e[0] as usize == p && state.stones[0] >> e[1] & 1 != 0)
                    });
                    let at = match beside {
                        Some(at) if huddle => at,
                        _ => rng.below(free.len() as u32) as usize,
                    };
                    state.stones[seat] |= 1 << free.swap_remove(at);
                }
            }
            state.hand = [0, 0];
            state.turn = 300;
            state.opening_removals = 0;
            state.beginner = 0;
            state.phase = Phase::Slide;
            state.player = Player(rng.below(2) as u8);
            for extra in [false, true] {
                state.extra = extra;
                if game.check(&state).is_ok() {
                    let mut t = Table::on(&game, state);
                    for _ in 0..10 {
                        if t.game.turn(&t.state) == Turn::Over {
                            break;
                        }
                        agrees(&t)?;
                        let action = random(t.game.legal_actions(&t.state), &mut rng);
                        t.game.apply(&mut t.state, action, &mut t.counts);
                        t.settle();
                    }
                }
            }
        }
    }
}

#[test]
fn drawn_and_random_positions_meet_what_is_rare() {
    // The properties above would hold of walks that never came to an extra move or a flight.
    let mut seen = [0u32; 4];
    let blocking = Rules { flying: true, ..Rules::default() };
    let game = Shah::new(blocking).expect("valid");
    for seed in 0..3000 {
        let mut rng = Stream::new(seed, 2);
        let mut state = game.initial_state();
        while let Turn::Player(_) = game.turn(&state) {
            seen[0] += (state.phase == Phase::Land) as u32;
            seen[1] += state.extra as u32;
            let action = random(game.legal_actions(&state), &mut rng);
            game.apply(&mut state, action, &mut ());
        }
        seen[2] += state.winner.is_some() as u32;
        seen[3] += state.winner.is_none() as u32;
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}
