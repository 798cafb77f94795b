//! Where a game of Shuanglu stands: the compact state, its invariants, its dict and its line of text.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::board::{BAR, OFF, PIECES, mirrored};
use super::{PLAYERS, Rules, Scoring, Shuanglu};
use crate::base::error::{Error, counted, shorten};
use crate::rules::forms::{bail, check_end, check_player, ensure, line, null, number, word};
use crate::rules::{Action, Game, Player, Show, Side};

/// What is asked for next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A chance node: each throws one die (R2).
    Opening,
    /// A chance node: the throw of a turn.
    Roll,
    /// The player chooses a step.
    Move,
    /// The game has ended.
    Over,
}

/// Where a game stands: less than two cache lines, without pointers.
///
/// Everything behind the counts follows from them, from the dice and from the rules; it is kept because it is needed often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Pieces of each seat by its own numbers: off (0), the points 1 to 24, the bar (25).
    pub(super) counts: [[u8; BAR + 1]; PLAYERS],
    /// Bit `i` where the seat has a piece at index `i`.
    pub(super) occupied: [u32; PLAYERS],
    /// Bit `25 - i`, the enemy's number, where the seat has two pieces or more at index `i`.
    pub(super) blocks: [u32; PLAYERS],
    /// The legal steps by each of `dice`: bit `p` from the own point `p`, bit 0 from the bar. None outside `Move`.
    pub(super) steps: [u32; 2],
    pub(super) turn: u16,
    /// The dice to play: two different ones, the larger first; a double twice, once its last move is due once; 0 for none.
    pub(super) dice: [u8; 2],
    /// How many moves the dice still give.
    pub(super) left: u8,
    pub(super) phase: Phase,
    /// The seat whose turn it is; 0 in `Opening` and `Over`.
    pub(super) player: Player,
}

/// The fields that others do not follow from, in a fixed form: see [`crate::base::hash`].
impl Hash for State {
    #[cfg_attr(fast, inline(always))]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.counts.iter().for_each(|counts| hasher.write(counts));
        let [low, high] = self.turn.to_le_bytes();
        hasher.write(&[low, high, self.dice[0], self.dice[1], self.left, self.phase as u8, self.player.0]);
    }
}

/// The position in which every game under these rules starts.
pub(super) fn start(rules: &Rules) -> State {
    let mut counts = [0; BAR + 1];
    for (point, pieces) in rules.setup() {
        counts[point] = pieces;
    }
    let mut state = State::of([counts; PLAYERS]);
    state.phase = Phase::Opening;
    state
}

/// The pieces as bits, see [`State::occupied`] and [`State::blocks`].
fn masks(counts: &[u8; BAR + 1]) -> (u32, u32) {
    let (mut occupied, mut blocks) = (0, 0);
    for (index, &count) in counts.iter().enumerate() {
        occupied |= ((count > 0) as u32) << index;
        blocks |= ((count > 1) as u32) << mirrored(index);
    }
    (occupied, blocks)
}

impl State {
    /// These pieces, before a throw of seat 0.
    pub(super) fn of(counts: [[u8; BAR + 1]; PLAYERS]) -> State {
        let [one, other] = [masks(&counts[0]), masks(&counts[1])];
        State {
            counts,
            occupied: [one.0, other.0],
            blocks: [one.1, other.1],
            steps: [0; 2],
            turn: 0,
            dice: [0; 2],
            left: 0,
            phase: Phase::Roll,
            player: Player(0),
        }
    }

    /// Takes a piece away.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn take(&mut self, seat: usize, index: usize) {
        let count = self.counts[seat][index] - 1;
        self.counts[seat][index] = count;
        self.occupied[seat] ^= ((count == 0) as u32) << index;
        self.blocks[seat] ^= ((count == 1) as u32) << mirrored(index);
    }

    /// Adds a piece.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn put(&mut self, seat: usize, index: usize) {
        let count = self.counts[seat][index] + 1;
        self.counts[seat][index] = count;
        self.occupied[seat] ^= ((count == 1) as u32) << index;
        self.blocks[seat] ^= ((count == 2) as u32) << mirrored(index);
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn set_dice(&mut self, high: u8, low: u8, left: u8) {
        self.dice = [high, low];
        self.left = left;
    }

    /// The dice to play one by one, descending.
    pub(super) fn dice(&self) -> Vec<u8> {
        let [high, low] = self.dice;
        if low == high {
            vec![high; self.left as usize]
        } else {
            self.dice[..(self.left as usize).min(2)].to_vec()
        }
    }

    /// The seat that has borne off everything (R8).
    pub(super) fn winner(&self) -> Option<Player> {
        [Player(0), Player(1)].into_iter().find(|player| self.counts[player.index()][OFF] == PIECES)
    }
}

/// The state dict of the rule book.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a dict")]
pub struct Dict {
    phase: Phase,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    player: Option<u8>,
    points: Vec<Vec<u8>>,
    bar: Vec<u8>,
    off: Vec<u8>,
    dice: Vec<u8>,
    turn: u16,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    winner: Option<u8>,
    points_won: u8,
}

impl Shuanglu {
    pub(super) fn start(&self) -> State {
        self.start
    }

    /// What the winner has won (R9); 0 before the end and in a draw.
    pub(super) fn points_won(&self, s: &State) -> u8 {
        let Some(winner) = s.winner() else { return 0 };
        let loser = &s.counts[winner.index() ^ 1];
        if self.rules.scoring == Scoring::Single || loser[OFF] != 0 {
            return 1;
        }
        // The winner's points 1 to 6, by the loser's numbers, and the bar.
        let far = loser[mirrored(6)..].iter().any(|&count| count != 0);
        if far { 3 } else { 2 }
    }

    /// Dice as a dict has them.
    fn set_given_dice(&self, s: &mut State, dice: &[u8]) -> Result<(), Error> {
        if let Some(die) = dice.iter().find(|die| !(1..=6).contains(*die)) {
            bail!("dice has {die}; a die shows 1 to 6");
        }
        match *dice {
            [] => {}
            [die] => s.set_dice(die, 0, 1),
            [high, low] if high > low => s.set_dice(high, low, 2),
            [die, ref others @ ..] if others.iter().all(|&other| other == die) => {
                ensure!(
                    dice.len() <= self.rules.doubles as usize,
                    "dice has {} entries; a double gives {} moves",
                    dice.len(),
                    self.rules.doubles
                );
                s.set_dice(die, die, dice.len() as u8);
            }
            _ => {
                bail!(
                    "dice is {dice:?}; it is two different dice in descending order, a double, or what is left of them"
                );
            }
        }
        Ok(())
    }

    /// Every invariant of a position.
    pub(super) fn check_state(&self, s: &State) -> Result<(), Error> {
        let State { dice, left, .. } = *s;
        let phase = word(&s.phase);
        check_pieces(s)?;
        if s.counts.iter().all(|counts| counts[OFF] == PIECES) {
            bail!("both players have borne off everything, but the game ends with the first");
        }
        ensure!(s.player.index() < PLAYERS, "player is {}; seats are 0 and 1", s.player.0);
        ensure!(
            s.phase != Phase::Opening || *s == self.start,
            "phase opening is only for the start of a game"
        );
        let (turns, over) = ((s.turn, self.rules.max_turns), (&s.phase, s.phase == Phase::Over));
        check_end(turns, over, s.winner().map(|player| player.0))?;
        ensure!(s.phase != Phase::Over || s.player.0 == 0, "nobody acts when the game is over");

        let mut again = *s;
        again.set_dice(0, 0, 0);
        self.set_given_dice(&mut again, &s.dice())?;
        ensure!((again.dice, again.left) == (dice, left), "the dice {dice:?} do not give {left} moves");
        let moving = s.phase == Phase::Move;
        ensure!(
            moving == (left != 0),
            "dice is {:?} in phase {phase}; there are dice only in phase move",
            s.dice()
        );
        let steps = if moving { self.legal_steps(s) } else { [0; 2] };
        ensure!(s.steps == steps, "the legal steps are not those of the position");
        ensure!(
            !moving || steps != [0; 2],
            "player {} has no legal step with {:?}, so the turn should have passed",
            s.player.0,
            s.dice()
        );
        Ok(())
    }
}

fn parse_points<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<u8>, Error> {
    let mut points = vec![0; BAR - 1];
    for word in words {
        let (point, pieces) = word.split_once(':').ok_or_else(|| {
            Error::position(format!("a point is written point:pieces, not '{}'", shorten(word)))
        })?;
        let (point, pieces): (usize, u8) = (number(point)?, number(pieces)?);
        ensure!((1..BAR).contains(&point), "there is no point {point}; points are 1 to 24");
        ensure!(pieces != 0, "point {point} is written with no pieces; leave it out");
        ensure!(points[point - 1] == 0, "point {point} is written twice");
        points[point - 1] = pieces;
    }
    Ok(points)
}

/// Every player has his pieces, no point has pieces of both, and the bits are those of the counts.
pub(super) fn check_pieces(s: &State) -> Result<(), Error> {
    for (seat, counts) in s.counts.iter().enumerate() {
        let pieces: u32 = counts.iter().map(|&count| count as u32).sum();
        ensure!(pieces == PIECES as u32, "player {seat} has {pieces} pieces, not {PIECES}");
    }
    for point in 1..BAR {
        if s.counts[0][point] != 0 && s.counts[1][mirrored(point)] != 0 {
            bail!(
                "player 0's point {point} is player 1's point {}, and both have pieces there",
                mirrored(point)
            );
        }
    }
    for (seat, counts) in s.counts.iter().enumerate() {
        ensure!(
            masks(counts) == (s.occupied[seat], s.blocks[seat]),
            "player {seat}'s bits are not those of the player's pieces"
        );
    }
    Ok(())
}

line!(Dict: player, turn, dice, winner, points_won; points, bar, off);

impl Show for Shuanglu {
    type Dict = Dict;

    const BESIDE: &'static [&'static str] = &["bar", "off"];

    fn to_dict(&self, s: &State) -> Dict {
        let each = |index: usize| s.counts.iter().map(|counts| counts[index]).collect();
        Dict {
            phase: s.phase,
            player: self.player_on_turn(s).map(|player| player.0),
            points: s.counts.iter().map(|counts| counts[1..BAR].to_vec()).collect(),
            bar: each(BAR),
            off: each(OFF),
            dice: s.dice(),
            turn: s.turn,
            winner: s.winner().map(|player| player.0),
            points_won: self.points_won(s),
        }
    }

    // Holds a dict in a state; refuses what no state can hold. [`Shuanglu::check_state`] does the rest.
    fn state_from_dict(&self, dict: Dict) -> Result<State, Error> {
        for (name, entries) in
            [("points", dict.points.len()), ("bar", dict.bar.len()), ("off", dict.off.len())]
        {
            if entries != PLAYERS {
                let entries = counted(entries, "entry", "entries");
                bail!("{name} has {entries}; it needs one for each of the two players");
            }
        }
        let mut counts = [[0; BAR + 1]; PLAYERS];
        for (seat, points) in dict.points.iter().enumerate() {
            ensure!(points.len() == BAR - 1, "player {seat} has {} points, not 24", points.len());
            counts[seat][1..BAR].copy_from_slice(points);
            counts[seat][BAR] = dict.bar[seat];
            counts[seat][OFF] = dict.off[seat];
        }
        check_player(dict.player, &dict.phase, matches!(dict.phase, Phase::Opening | Phase::Over))?;
        let mut state = State::of(counts);
        state.phase = dict.phase;
        state.player = Player(dict.player.unwrap_or(0));
        state.turn = dict.turn;
        self.set_given_dice(&mut state, &dict.dice)?;
        // Both follow from the pieces; a dict that says otherwise contradicts itself.
        check_pieces(&state)?;
        let (winner, points_won) = (state.winner().map(|player| player.0), self.points_won(&state));
        if dict.winner != winner {
            bail!("winner is {}, but by the pieces borne off it is {}", null(dict.winner), null(winner));
        }
        ensure!(dict.points_won == points_won, "points_won is {}, not {points_won}", dict.points_won);
        if state.phase == Phase::Move && state.player.index() < PLAYERS {
            state.steps = self.legal_steps(&state);
        }
        Ok(state)
    }

    fn text(&self, s: &State) -> String {
        let mut line = self.to_dict(s).head();
        for counts in &s.counts {
            let _ = write!(line, " | bar={} off={}", counts[BAR], counts[OFF]);
            for point in (1..BAR).rev().filter(|&point| counts[point] != 0) {
                let _ = write!(line, " {point}:{}", counts[point]);
            }
        }
        line
    }

    fn parse(&self, text: &str) -> Result<State, Error> {
        let (mut dict, groups) = Dict::read(text)?;
        for mut group in groups {
            dict.bar.push(group.field("bar")?);
            dict.off.push(group.field("off")?);
            dict.points.push(parse_points(group.words())?);
        }
        self.state_from_dict(dict)
    }

    fn action_name(&self, state: &State, action: Action) -> String {
        self.move_name(state, action)
    }

    fn num_places(&self) -> usize {
        BAR - 1
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (side, counts) in state.counts.iter().enumerate() {
            for (index, &pieces) in counts.iter().enumerate() {
                let place = match index {
                    BAR => BAR - 1,
                    OFF => BAR,
                    point if side == 0 => point - 1,
                    point => mirrored(point) - 1,
                };
                if pieces > 0 {
                    tell(place, Side(side as u8), pieces);
                }
            }
        }
    }
}
