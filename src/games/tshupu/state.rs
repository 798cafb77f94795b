//! Where a game of T'shu-p'u stands: the compact state, its invariants, its dict and its line of text.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::TshuPu;
use super::board::{
    CENTRE, COLOURS, FACES, HAND, LOOP, MAX_PIECES, OFF, Pieces, QUARTER, START, START_AGAIN,
};
use crate::base::error::{Error, counted};
use crate::rules::forms::{bail, check_end, check_player, ensure, line, null, number, word};
use crate::rules::{Action, FirstPlayer, Game, MAX_PLAYERS, Player, Show, Side, Turn};

/// What is asked for next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A chance node: who begins.
    First,
    /// A chance node: the throw of a turn.
    Roll,
    /// The player chooses what moves, by one die or by both.
    Move,
    /// The player chooses what moves by the other die.
    Second,
    /// The game has ended.
    Over,
}

/// Where a game stands: 28 bytes, without pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) pieces: [Pieces; MAX_PLAYERS],
    /// The squares that enemies bar for whose pieces move, as bits of progress; 0 outside `Move` and `Second`.
    pub(super) barred: u32,
    pub(super) turn: u16,
    pub(super) phase: Phase,
    /// The seat whose turn it is; 0 in `First` and `Over`.
    pub(super) player: Player,
    /// The faces still to play: both ascending in `Move`, one and a 0 in `Second`, else zeros.
    pub(super) dice: [u8; 2],
    /// Where the first piece now stands, in `Second`; else 0.
    pub(super) moved: u8,
}

/// The fields that others do not follow from, in a fixed form: see [`crate::base::hash`].
impl Hash for State {
    #[cfg_attr(fast, inline(always))]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [low, high] = self.turn.to_le_bytes();
        hasher.write(self.pieces.map(Pieces::values).as_flattened());
        hasher.write(&[low, high, self.phase as u8, self.player.0, self.dice[0], self.dice[1], self.moved]);
    }
}

impl State {
    /// The team whose pieces are all off (R11).
    pub(super) fn finished_team(&self) -> Option<Side> {
        let off = self.pieces.map(|pieces| pieces == Pieces::ALL_OFF);
        match off {
            [true, _, true, _] => Some(Side(0)),
            [_, true, _, true] => Some(Side(1)),
            _ => None,
        }
    }
}

/// The state dict of the rule book.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a dict")]
pub struct Dict {
    phase: Phase,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    player: Option<u8>,
    pieces: Vec<Vec<u8>>,
    dice: Vec<u8>,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    moved: Option<u8>,
    turn: u16,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    winner: Option<u8>,
}

fn check_faces(dice: &[u8]) -> Result<(), Error> {
    match dice.iter().find(|face| !FACES.contains(face)) {
        Some(face) => bail!("a die shows {face}; its faces are 1, 3, 4 and 6"),
        None => Ok(()),
    }
}

impl TshuPu {
    pub(super) fn start(&self) -> State {
        let first = self.rules.first_player.seat();
        State {
            pieces: [Pieces::all_on(START, self.rules.pieces); MAX_PLAYERS],
            barred: 0,
            turn: 0,
            phase: if first.is_some() { Phase::Roll } else { Phase::First },
            player: first.unwrap_or_default(),
            dice: [0; 2],
            moved: 0,
        }
    }

    /// The pieces that a seat really has.
    pub(super) fn values(&self, pieces: Pieces) -> Vec<u8> {
        pieces.values()[..self.rules.pieces as usize].to_vec()
    }

    /// Every invariant of a position.
    pub(super) fn check_state(&self, s: &State) -> Result<(), Error> {
        let State { turn, .. } = *s;
        let phase = word(&s.phase);
        for (seat, pieces) in s.pieces.iter().enumerate() {
            let values = pieces.values();
            if !values.is_sorted() || values[MAX_PIECES - 1] > OFF {
                bail!("the pieces of seat {seat}, {values:?}, are not in order up to {OFF}");
            }
            if values[self.rules.pieces as usize..].iter().any(|&value| value != OFF) {
                bail!("seat {seat} has more than {} pieces", self.rules.pieces);
            }
        }
        ensure!(
            s.player.index() < MAX_PLAYERS,
            "player is {}; seats are 0 to {}",
            s.player.0,
            MAX_PLAYERS - 1
        );
        let random = self.rules.first_player == FirstPlayer::Random;
        if s.phase == Phase::First && !(random && *s == self.start()) {
            bail!("phase first is only for the start of a game with first_player=\"random\"");
        }

        // The end: a team has everything off, or the turns have run out.
        if s.pieces == [Pieces::ALL_OFF; MAX_PLAYERS] {
            bail!("both teams have all their pieces off, but the game ends with the first");
        }
        let (turns, over) = ((s.turn, self.rules.max_turns), (&s.phase, s.phase == Phase::Over));
        check_end(turns, over, s.finished_team().map(|team| team.0))?;
        let due = !matches!(s.phase, Phase::First | Phase::Over);
        if due && self.is_passed_over(s, s.player) {
            bail!(
                "player {} has all pieces off, so with finished_player=\"pass\" the turn should have passed",
                s.player.0
            );
        }
        if let FirstPlayer::Seat(first) = self.rules.first_player
            && due
        {
            // R12: each turn that passes counts, so seats and turns keep step.
            let whose = (first.index() + turn as usize) % MAX_PLAYERS;
            ensure!(
                s.player.index() == whose,
                "player is {} with turn {turn}; with first_player={} it is the turn of player {whose}",
                s.player.0,
                first.0
            );
        }
        if !due && s.player != Player(0) {
            bail!("player is {} in phase {phase}", s.player.0);
        }
        self.check_throw(s, &phase)?;
        let choosing = matches!(s.phase, Phase::Move | Phase::Second);
        if s.barred != if choosing { self.barred(s, self.owner(s)) } else { 0 } {
            bail!("the barred squares are not those of the position");
        }
        if self.turn(s) == Turn::Player(s.player) && self.legal(s).is_empty() {
            bail!(
                "player {} has no legal action in phase {phase}, so the turn should have passed",
                s.player.0
            );
        }
        Ok(())
    }

    /// Dice and moved, as far as each phase can show them.
    fn check_throw(&self, s: &State, phase: &str) -> Result<(), Error> {
        let [low, high] = s.dice;
        let (faces, due) = match s.phase {
            Phase::Move => (FACES.contains(&low) && FACES.contains(&high), "two faces"),
            Phase::Second => (FACES.contains(&low) && high == 0, "one face"),
            Phase::First | Phase::Roll | Phase::Over => (s.dice == [0; 2], "none"),
        };
        let shown: Vec<u8> = s.dice.into_iter().filter(|&face| face != 0).collect();
        check_faces(&shown)?;
        ensure!(faces, "dice is {shown:?} in phase {phase}, which has {due}");
        if s.phase == Phase::Move && low > high {
            bail!("the dice {shown:?} are not in ascending order");
        }
        if s.phase != Phase::Second {
            ensure!(s.moved == 0, "moved is {} in phase {phase}", s.moved);
            return Ok(());
        }
        let stands = self.values(s.pieces[self.owner(s)]).contains(&s.moved);
        if s.moved == 0 || !stands {
            bail!(
                "moved is {}; it must be where the first piece is now, because the second die is played next",
                null((s.moved != 0).then_some(s.moved))
            );
        }
        Ok(())
    }
}

line!(Dict: player, turn, dice, moved, winner; pieces);

/// Squares of a seat's own between the loop and the centre.
const WAY: usize = (CENTRE - START_AGAIN) as usize - 1;
const PLACES: usize = LOOP + 4 * WAY + 1;

impl Show for TshuPu {
    type Dict = Dict;

    const BESIDE: &'static [&'static str] = &["hand", "off"];

    fn to_dict(&self, state: &State) -> Dict {
        let faces = state.dice.iter().copied().filter(|&face| face != 0);
        Dict {
            phase: state.phase,
            player: self.player_on_turn(state).map(|player| player.0),
            pieces: state.pieces.iter().map(|&pieces| self.values(pieces)).collect(),
            dice: faces.collect(),
            moved: (state.moved != 0).then_some(state.moved),
            turn: state.turn,
            winner: state.finished_team().map(|side| side.0),
        }
    }

    // Holds a dict in a state; refuses only what no state can hold. [`TshuPu::check_state`] does the rest.
    fn state_from_dict(&self, dict: Dict) -> Result<State, Error> {
        let mut state = self.start();
        if dict.pieces.len() != MAX_PLAYERS {
            let pieces = counted(dict.pieces.len(), "entry", "entries");
            bail!("pieces has {pieces}, not {MAX_PLAYERS}");
        }
        for (seat, values) in dict.pieces.iter().enumerate() {
            ensure!(
                values.len() == self.rules.pieces as usize,
                "seat {seat} has {} pieces, not {}",
                values.len(),
                self.rules.pieces
            );
            if let Some(value) = values.iter().find(|&&value| value > OFF) {
                bail!("seat {seat} has a piece on {value}; progress is 0 to {OFF}");
            }
            ensure!(values.is_sorted(), "the pieces of seat {seat}, {values:?}, are not in ascending order");
            let mut all = [OFF; MAX_PIECES];
            all[..values.len()].copy_from_slice(values);
            state.pieces[seat] = Pieces::new(all);
        }
        ensure!(dict.dice.len() <= 2, "dice has {} entries; there are two dice", dict.dice.len());
        check_faces(&dict.dice)?;
        ensure!(
            dict.moved.is_none_or(|moved| (1..=OFF).contains(&moved)),
            "moved is {}; it is null or 1 to {OFF}",
            dict.moved.unwrap_or(0)
        );
        check_player(dict.player, &dict.phase, matches!(dict.phase, Phase::First | Phase::Over))?;
        if dict.winner != state.finished_team().map(|side| side.0) {
            bail!(
                "winner is {}, but {}",
                null(dict.winner),
                match state.finished_team() {
                    Some(team) => format!("all pieces of team {} are off", team.0),
                    None => "no team has all its pieces off".into(),
                }
            );
        }
        state.phase = dict.phase;
        state.player = Player(dict.player.unwrap_or(0));
        state.dice = [0; 2];
        state.dice[..dict.dice.len()].copy_from_slice(&dict.dice);
        state.moved = dict.moved.unwrap_or(0);
        state.turn = dict.turn;
        if matches!(state.phase, Phase::Move | Phase::Second) {
            state.barred = self.barred(&state, self.owner(&state));
        }
        Ok(state)
    }

    fn text(&self, state: &State) -> String {
        let dict = self.to_dict(state);
        let mut line = dict.head();
        for values in &dict.pieces {
            line += " |";
            for value in values {
                let _ = write!(line, " {value}");
            }
        }
        line
    }

    fn parse(&self, text: &str) -> Result<State, Error> {
        let (mut dict, groups) = Dict::read(text)?;
        for group in groups {
            dict.pieces.push(group.words().map(number).collect::<Result<_, _>>()?);
        }
        self.state_from_dict(dict)
    }

    fn action_name(&self, state: &State, action: Action) -> String {
        self.move_name(state, action)
    }

    fn num_places(&self) -> usize {
        PLACES
    }

    fn place_name(&self, place: usize) -> String {
        match place.checked_sub(LOOP) {
            None => (place + 1).to_string(),
            Some(way) if way < 4 * WAY => {
                let square = START_AGAIN as usize + 1 + way % WAY;
                // As the drawing calls them: seat 0 numbers its own way.
                if way < WAY { square.to_string() } else { format!("{} {square}", COLOURS[way / WAY]) }
            }
            Some(_) => CENTRE.to_string(),
        }
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (seat, pieces) in state.pieces.iter().enumerate() {
            let side = self.side(Player(seat as u8));
            // Those that a seat does not have come last, as if they were off.
            for progress in pieces.values().into_iter().take(self.rules.pieces as usize) {
                let place = match progress {
                    HAND => PLACES,
                    CENTRE => PLACES - 1,
                    OFF => PLACES + 1,
                    1..=START_AGAIN => (progress as usize - 1 + LOOP - seat * QUARTER) % LOOP,
                    _ => LOOP + seat * WAY + (progress - START_AGAIN) as usize - 1,
                };
                tell(place, side, 1);
            }
        }
    }
}
