//! A network with its description.

use std::fs::{self, File};
use std::io::Read;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::book::{Book, Outputs, are_two, sides};
use super::encoding::Encoding;
use super::file;
use super::mlp::{Layer, Mlp};
use crate::base::error::{Error, counted, hex, shorten, shorten_path};
use crate::rules::{ActionSet, Encode, Game, MAX_ACTIONS, MAX_PLAYERS, PerPlayer, Player, Side};

/// The largest file of a network, in bytes. The largest network that there may be is smaller.
pub const MAX_BYTES: u64 = 64 << 20;

/// What a network is made for.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// The game.
    pub game: &'static str,
    /// The rules for which it was made. It plays any rules of the game with as many seats.
    pub rules: Value,
    /// How cells become inputs.
    pub encoding: Encoding,
    /// What comes out.
    pub outputs: Outputs,
    /// A note by its author.
    pub card: String,
    /// How it was trained by [`crate::play::training`], so that training can go on.
    pub training: Option<Value>,
}

/// A network that judges the positions of a game.
#[derive(Clone, Debug)]
pub struct Net {
    description: Description,
    players: usize,
    /// How many of the outputs are logits.
    logits: usize,
    sides: PerPlayer<Side>,
    mlp: Mlp,
    /// The file.
    bytes: Vec<u8>,
    digest: String,
}

impl Net {
    /// A network of these layers for a game, given by its name and its options as a JSON object.
    ///
    /// # Errors
    /// When the layers do not fit the game, or one another.
    ///
    /// ```
    /// use sarai::nets::{Activation, Encoding, Layer, Net, Outputs};
    /// let layer = Layer { weights: vec![0.0; 59 + 2], bias: vec![0.25], activation: Activation::Identity };
    /// let error = Net::new("shuanglu", "{}", Encoding::Raw, Outputs::Viewer, "", None, &[layer]).unwrap_err();
    /// assert!(error.to_string().contains("inputs"), "{error}");
    /// ```
    pub fn new(
        game: &str,
        rules: &str,
        encoding: Encoding,
        outputs: Outputs,
        card: &str,
        training: Option<&Value>,
        layers: &[Layer],
    ) -> Result<Self, Error> {
        let refused = |why: String| Error::new(format!("no network can be made of this: {why}"));
        let book = Book::find(game, rules)
            .ok_or_else(|| refused(format!("there is no game '{}'", shorten(game))))?
            .map_err(|error| refused(error.to_string()))?;
        let bytes = file::written(&book, encoding, outputs, card, training, layers).map_err(refused)?;
        Self::read(bytes).map_err(refused)
    }

    /// The network that the content of a file describes.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(bytes.to_vec())
            .map_err(|why| Error::new(format!("this is no network that can be used: {why}")))
    }

    /// The network in a file.
    ///
    /// # Errors
    /// When it cannot be read, or used.
    pub fn load(path: &str) -> Result<Self, Error> {
        let quoted = shorten_path(path);
        let bytes =
            bytes_in(path).map_err(|why| Error::new(format!("cannot read the network '{quoted}': {why}")))?;
        Self::read(bytes)
            .map_err(|why| Error::new(format!("'{quoted}' is no network that can be used: {why}")))
    }

    fn read(bytes: Vec<u8>) -> Result<Self, String> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(too_large(bytes.len() as u64));
        }
        let (book, file::Header { encoding, outputs, card, training, .. }, mlp) = file::read(&bytes)?;
        let given = mlp.outputs();
        if outputs.is_viewers() && !are_two(&book.sides) {
            return Err(format!(
                "it has one value, and these rules of {} have more than two sides; make one with a value for each of the \
                 {} seats",
                book.name, book.players
            ));
        }
        let logits = if outputs.has_policy() { book.actions } else { 0 };
        let values = match outputs {
            Outputs::Viewer | Outputs::PolicyViewer => 1,
            Outputs::Seats | Outputs::PolicySeats => book.players,
            Outputs::Policy => 0,
        };
        if given != logits + values {
            let value = match values {
                1 => "one for the viewer's value".to_owned(),
                _ => format!("one for the value of each of the {} seats", book.players),
            };
            let logit = format!("one for the logit of each of the {} actions", book.actions);
            let takes = match (logits, values) {
                (0, _) => value,
                (_, 0) => logit,
                _ => format!("{logit}, then {value}"),
            };
            return Err(format!(
                "it has {}; with outputs \"{}\" and these rules of {} it has {takes}",
                counted(given, "output", "outputs"),
                outputs.name(),
                book.name
            ));
        }
        let digest = hex(&Sha256::digest(&bytes));
        let description =
            Description { game: book.name, rules: book.rules, encoding, outputs, card, training };
        let Book { players, sides, .. } = book;
        Ok(Net { description, players, logits, sides, mlp, bytes, digest })
    }

    /// What it is made for.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Its description, layers and digest, as JSON.
    pub fn describe(&self) -> Value {
        let Description { game, rules, encoding, outputs, card, training } = &self.description;
        let layers = self.mlp.layers();
        json!({
            "game": game,
            "rules": rules,
            "encoding": encoding.name(),
            "inputs": self.mlp.inputs().len(),
            "units": self.mlp.units().collect::<Vec<_>>(),
            "activations": layers.iter().map(|layer| layer.activation.name()).collect::<Vec<_>>(),
            "outputs": outputs,
            "card": card,
            "training": training,
            "digest": self.digest,
        })
    }

    /// Its arithmetic.
    pub fn mlp(&self) -> &Mlp {
        &self.mlp
    }

    /// How many of its outputs are logits of actions: none, or one for each action of its game.
    pub fn logits(&self) -> usize {
        self.logits
    }

    /// How many seats its game has.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Its file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The SHA-256 of its file, in hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Refuses a game that it is not made for.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn fits<G: Game>(&self, game: &G) -> Result<(), String> {
        let Description { game: own, outputs, .. } = &self.description;
        if *own != G::NAME {
            return Err(format!("is made for {own} and does not play {}", G::NAME));
        }
        if self.players != game.num_players() {
            return Err(format!(
                "is made for {} players, and these rules of {own} have {}",
                self.players,
                game.num_players()
            ));
        }
        if outputs.is_viewers() && !are_two(&sides(game)) {
            return Err(format!("judges two sides, and these rules of {own} have more"));
        }
        Ok(())
    }

    /// Refuses a game whose positions it does not judge, for which it must have values.
    ///
    /// # Errors
    /// Why it does not.
    pub fn judges<G: Game>(&self, game: &G) -> Result<(), String> {
        self.fits(game)?;
        if self.description.outputs.has_values() {
            return Ok(());
        }
        Err("has logits of actions and no values; play by it with agents.Network(net, head=\"policy\")"
            .to_owned())
    }

    /// Refuses a game in which it does not choose actions, for which it must have logits.
    ///
    /// # Errors
    /// Why it does not.
    pub fn chooses<G: Game>(&self, game: &G) -> Result<(), String> {
        self.fits(game)?;
        if self.description.outputs.has_policy() {
            return Ok(());
        }
        Err("has values and no logits of actions; play by it with agents.Network(net)".to_owned())
    }

    /// The expected return of each player, in the units and the range of [`Game::returns`]. The sum is 0, unless a value had
    /// to be clamped where there are more than two sides. The network is run once, as the player to move sees the position;
    /// before that is decided, as the first seat does.
    ///
    /// It does not know the throw that a player is about to play, unless it was made to: it is meant for positions at the
    /// end of a turn.
    ///
    /// # Panics
    /// It may, when it does not fit the game or has no values.
    ///
    /// ```
    /// use sarai::games::shah::Shah;
    /// use sarai::games::sho::Sho;
    /// use sarai::nets::{Activation, Encoding, Layer, Net, Outputs};
    /// use sarai::{Encode, Game};
    /// // One unit, which expects a quarter of a win whatever it sees.
    /// let (weights, bias) = (vec![0.0; Shah::OBSERVATION_LEN], vec![0.25]);
    /// let layer = Layer { weights, bias, activation: Activation::Identity };
    /// let net = Net::new("shah", "{}", Encoding::Raw, Outputs::Viewer, "", None, &[layer])?;
    /// let game = Shah::new(Default::default())?;
    /// assert_eq!(net.evaluate(&game, &game.initial_state()).as_slice(), [0.25, -0.25]);
    /// assert!(net.fits(&game).is_ok() && net.fits(&Sho::new(Default::default())?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn evaluate<G: Encode>(&self, game: &G, state: &G::State) -> PerPlayer<f64> {
        let viewer = game.player_on_turn(state).unwrap_or(Player(0));
        if self.logits > 0 {
            let values = self.decide(game, state, viewer, ActionSet::EMPTY, &mut []);
            return values.expect("a network with values");
        }
        let mut out = [0.0; MAX_PLAYERS];
        let out = &mut out[..self.mlp.outputs()];
        self.mlp.judge(game, state, viewer, out);
        seen(game, viewer, out)
    }

    /// The logits of these actions in a position as this player sees it, in ascending order of the actions, and the expected
    /// return of each player, where it has values. The network is run once, and of the last layer only what is asked for.
    ///
    /// # Panics
    /// When `logits` does not have a cell for each action; it may when it does not fit the game or has no logits.
    #[cfg_attr(fast, inline(always))]
    pub fn decide<G: Encode>(
        &self,
        game: &G,
        state: &G::State,
        viewer: Player,
        actions: ActionSet,
        logits: &mut [f32],
    ) -> Option<PerPlayer<f64>> {
        let (mut wanted, mut out) = ([0; MAX_ACTIONS + MAX_PLAYERS], [0.0; MAX_ACTIONS + MAX_PLAYERS]);
        let mut count = 0;
        for action in actions {
            wanted[count] = action.0;
            count += 1;
        }
        let first = count;
        for value in self.logits..self.mlp.outputs() {
            wanted[count] = value as u16;
            count += 1;
        }
        self.mlp.judge_some(game, state, viewer, &wanted[..count], &mut out[..count]);
        logits.copy_from_slice(&out[..first]);
        (count > first).then(|| seen(game, viewer, &out[first..count]))
    }

    /// The outputs for an observation: the logits, if it has any, then, if it has values, one for each seat, counted from the
    /// viewer's.
    ///
    /// # Panics
    /// When there is not a cell for each of them, or the observation is none.
    pub fn expect(&self, observation: &[i8], out: &mut [f32]) {
        assert_eq!(out.len(), self.width(), "a number for each logit and seat");
        let given = self.mlp.outputs();
        self.mlp.evaluate(observation, &mut out[..given]);
        if self.description.outputs.is_viewers() {
            let own = out[given - 1];
            // Teams alternate, so that the sides look the same from every seat.
            for (seat, value) in out[self.logits..].iter_mut().enumerate() {
                let is_own = self.sides.as_slice()[seat] == self.sides.as_slice()[0];
                *value = if is_own { own } else { -own };
            }
        }
    }

    /// How many numbers [`Net::expect`] gives.
    pub fn width(&self) -> usize {
        self.logits + if self.description.outputs.has_values() { self.players } else { 0 }
    }
}

/// The expected return of each seat from a viewer's outputs: one number for the viewer, or one for each seat from the
/// viewer's on.
#[cfg_attr(fast, inline(always))]
pub(crate) fn seen<G: Game>(game: &G, viewer: Player, out: &[f32]) -> PerPlayer<f64> {
    let players = game.num_players();
    let (low, high) = game.returns_range();
    // What is no number is the worst.
    let within = |value: f64| value.max(low).min(high);
    let mut values = PerPlayer::new(players, 0.0);
    if let [value] = *out {
        let (value, own) = (within(f64::from(value)), game.side(viewer));
        for (seat, cell) in values.as_mut_slice().iter_mut().enumerate() {
            *cell = if game.side(Player(seat as u8)) == own { value } else { -value };
        }
        return values;
    }
    let mut mean = 0.0;
    for &value in out {
        mean += within(f64::from(value));
    }
    mean /= players as f64;
    for (after, &value) in out.iter().enumerate() {
        let seat = (viewer.index() + after) % players;
        values.as_mut_slice()[seat] = within(within(f64::from(value)) - mean);
    }
    values
}

fn too_large(bytes: u64) -> String {
    format!("it is {bytes} bytes long; a network has {MAX_BYTES} at most")
}

/// What is in a file, if that is no longer than a network may be.
fn bytes_in(path: &str) -> Result<Vec<u8>, String> {
    let told = fs::metadata(path).map_err(|error| error.to_string())?;
    // A folder has no content, and a pipe may never end.
    if !told.is_file() {
        return Err("it is no file".to_owned());
    }
    if told.len() > MAX_BYTES {
        return Err(too_large(told.len()));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}
