//! The bit tricks against the rules read one by one: whole turns, written out in full, on random games and on random
//! hand-made positions.

use super::*;
use crate::agents::playout::sample;
use crate::agents::random;
use crate::agents::rng::Stream;

/// A mover's and his enemy's pieces, each by his own numbers: off at 0, the bar at 25.
#[derive(Clone, Copy, PartialEq)]
struct Board {
    me: [u8; 26],
    enemy: [u8; 26],
}

impl Board {
    /// R3 to R6 for one piece, or `None` where it cannot step.
    fn step(&self, rules: &Rules, die: usize, from: usize) -> Option<Board> {
        let mut after = *self;
        if self.me[from] == 0 || from == 0 || (self.me[25] > 0 && from != 25) {
            return None;
        }
        after.me[from] -= 1;
        if from > die {
            let to = from - die;
            if self.enemy[25 - to] >= 2 {
                return None;
            }
            if self.enemy[25 - to] == 1 {
                after.enemy[25 - to] = 0;
                after.enemy[25] += 1;
            }
            after.me[to] += 1;
            return Some(after);
        }
        let all_home = (7..=25).all(|index| self.me[index] == 0);
        let highest = (from + 1..=25).all(|index| self.me[index] == 0);
        let exact = from == die;
        if !all_home || !(exact || (rules.bear_off == BearOff::Overshoot && highest)) {
            return None;
        }
        after.me[0] += 1;
        Some(after)
    }
}

/// Steps of a turn: die and source.
type Turns = Vec<Vec<(u8, u8)>>;

/// All sequences of steps that cannot be continued, with these dice in this order.
fn sequences(rules: &Rules, board: &Board, dice: &[u8], done: &mut Vec<(u8, u8)>, turns: &mut Turns) {
    let mut continued = false;
    if let Some((&die, rest)) = dice.split_first() {
        for from in 1..=25 {
            // Nothing is played after the end of the game.
            if board.me[0] == 15 {
                break;
            }
            if let Some(after) = board.step(rules, die as usize, from) {
                continued = true;
                done.push((die, if from == 25 { 0 } else { from as u8 }));
                sequences(rules, &after, rest, done, turns);
                done.pop();
            }
        }
    }
    if !continued {
        turns.push(done.clone());
    }
}

/// The turns that R7 allows: the longest, and of single steps by different dice the larger die's.
fn turns(rules: &Rules, board: &Board, one: u8, other: u8) -> Turns {
    let mut turns = Turns::new();
    if one == other {
        sequences(rules, board, &vec![one; rules.doubles as usize], &mut Vec::new(), &mut turns);
    } else {
        sequences(rules, board, &[one, other], &mut Vec::new(), &mut turns);
        sequences(rules, board, &[other, one], &mut Vec::new(), &mut turns);
    }
    let most = turns.iter().map(Vec::len).max().expect("there is the empty turn at least");
    turns.retain(|turn| turn.len() == most);
    let larger = one.max(other);
    if most == 1 && rules.larger_die && turns.iter().any(|turn| turn[0].0 == larger) {
        turns.retain(|turn| turn[0].0 == larger);
    }
    turns
}

/// Throws and plays the turn at random, comparing what is legal before every step; how many steps there were.
fn compare(game: &Shuanglu, state: &mut State, rng: &mut Stream) -> usize {
    let before = *state;
    let seat = before.player;
    let [one, other] = {
        let outcome = sample(game.chance(state), rng);
        game.resolve(state, outcome, &mut ());
        if before.phase == Phase::Opening {
            OPENING_FACES[outcome.index()]
        } else {
            D6_FACES[outcome.index()]
        }
    };
    let seat = if before.phase == Phase::Opening { Player((other > one) as u8) } else { seat };
    let board =
        |state: &State| Board { me: state.counts[seat.index()], enemy: state.counts[1 - seat.index()] };
    let mut here = board(&before);
    let mut allowed = turns(game.rules(), &here, one, other);
    for done in 0.. {
        let due: BTreeSet<Action> = allowed
            .iter()
            .filter_map(|turn| turn.get(done))
            .map(|&(die, source)| crate::games::shuanglu::Step { die, source }.action())
            .collect();
        let text = || format!("{one}-{other} after {done} steps from {}", game.text(&before));
        if due.is_empty() {
            let over = here.me[0] == 15 || before.turn + 1 == game.rules().max_turns;
            assert_eq!(state.phase, if over { Phase::Over } else { Phase::Roll }, "{}", text());
            assert_eq!(state.turn, before.turn + (here.me[0] != 15) as u16, "{}", text());
            assert!(over || state.player == seat.next(2));
            return done;
        }
        assert_eq!((state.phase, state.player), (Phase::Move, seat), "{}", text());
        let legal = game.legal_actions(state);
        assert_eq!(legal.iter().collect::<BTreeSet<_>>(), due, "{}", text());
        let action = random(legal, rng);
        let (die, source) = (action.0 / 25 + 1, action.0 % 25);
        allowed.retain(|turn| turn[done] == (die as u8, source as u8));
        let from = if source == 0 { 25 } else { source as usize };
        here = here.step(game.rules(), die as usize, from).expect("a step of an allowed turn");
        game.apply(state, action, &mut ());
        game.check(state).unwrap_or_else(|error| panic!("{error}: {}", text()));
        assert!(here == board(state), "{}", text());
    }
    unreachable!("a turn has an end");
}

/// Every mix of the options that matter for what is legal.
fn all_rules() -> impl Iterator<Item = Rules> {
    (0..16).map(|mix| Rules {
        setup: if mix & 8 == 0 { Setup::English } else { Setup::FromOrigin },
        doubles: if mix & 1 == 0 { 2 } else { 4 },
        bear_off: if mix & 2 == 0 { BearOff::Exact } else { BearOff::Overshoot },
        larger_die: mix & 4 == 0,
        scoring: if mix & 1 == 0 { Scoring::Gammon } else { Scoring::Single },
        max_turns: 2000,
    })
}

#[test]
fn r7_whole_turns_of_random_games() {
    let mut decisions = 0;
    for (number, rules) in all_rules().enumerate() {
        let game = Shuanglu::new(rules).expect("valid rules");
        let mut rng = Stream::new(7, number as u64);
        for _ in 0..3 {
            let mut state = game.initial_state();
            while game.turn(&state) != Turn::Over {
                decisions += compare(&game, &mut state, &mut rng);
            }
        }
    }
    assert!(decisions > 5000, "{decisions}");
}

/// Spreads `pieces` over points of a range, in heaps.
fn scatter(
    counts: &mut [u8; 26],
    mut pieces: u8,
    low: usize,
    high: usize,
    free: impl Fn(usize) -> bool,
    rng: &mut Stream,
) {
    while pieces > 0 {
        let point = low + rng.below((high - low + 1) as u32) as usize;
        if !free(point) {
            // No point of the range may be free: what is left has been borne off.
            if rng.below(20) == 0 {
                counts[0] += pieces;
                return;
            }
            continue;
        }
        let heap = 1 + rng.below(pieces.min(3) as u32) as u8;
        counts[point] += heap;
        pieces -= heap;
    }
}

/// Positions of the kinds where R7 is hard: few pieces, walls, pieces on the bar, the last piece on its way home.
fn hand_made(game: &Shuanglu, rng: &mut Stream) -> State {
    let mut counts = [[0u8; 26]; 2];
    let kind = rng.below(6);
    // The enemy first: a wall, or anything.
    let enemy_off = rng.below(6) as u8;
    let (low, high) = [(1, 24), (1, 6), (7, 20), (13, 24), (1, 12), (19, 24)][rng.below(6) as usize];
    counts[1][0] = enemy_off;
    scatter(&mut counts[1], 15 - enemy_off, low, high, |_| true, rng);
    let taken = counts[1];
    let free = |point: usize| taken[25 - point] == 0;
    let me = &mut counts[0];
    let left = match kind {
        0 => 15,
        1 | 2 => 1 + rng.below(4) as u8,
        _ => 1 + rng.below(12) as u8,
    };
    me[0] = 15 - left;
    match kind {
        // On the bar, the others anywhere.
        3 => {
            let bar = 1 + rng.below(left.min(3) as u32) as u8;
            me[25] = bar;
            scatter(me, left - bar, 1, 24, free, rng);
        }
        // One outside, the others home.
        4 => {
            scatter(me, 1, 7, 14, free, rng);
            scatter(me, left - 1, 1, 6, free, rng);
        }
        // All home.
        5 | 2 => scatter(me, left, 1, 6, free, rng),
        _ => scatter(me, left, 1, 24, free, rng),
    }
    if counts[0][0] == 15 {
        // Nothing found a place: another position.
        return hand_made(game, rng);
    }
    let (seat, turn) = (rng.below(2) as usize, 1 + rng.below(1000));
    let mut line = counts;
    line.rotate_left(seat);
    let head = ROLL.replace("player=0", &format!("player={seat}")).replace("turn=1", &format!("turn={turn}"));
    let shown = line.map(|counts| {
        let mut words = vec![format!("bar{} off{}", counts[25], counts[0])];
        words.extend((1..25).filter(|&p| counts[p] != 0).map(|p| format!("{p}:{}", counts[p])));
        words.join(" ")
    });
    game.parse(&super::line(&head, &shown.join("|"))).expect("a position")
}

#[test]
fn r7_whole_turns_of_hand_made_positions() {
    let mut kinds = [0usize; 5];
    for (number, rules) in all_rules().take(8).enumerate() {
        let game = Shuanglu::new(rules).expect("valid rules");
        let mut rng = Stream::new(8, number as u64);
        for _ in 0..2500 {
            let mut state = hand_made(&game, &mut rng);
            assert_eq!(game.check(&state), Ok(()));
            for _ in 0..4 {
                if game.turn(&state) != Turn::Chance {
                    break;
                }
                let steps = compare(&game, &mut state, &mut rng);
                kinds[steps] += 1;
            }
        }
    }
    // Turns of every length were met.
    assert!(kinds.iter().all(|&met| met > 150), "{kinds:?}");
}
