//! A game under way that people play, alone, with each other or with agents: commands in, snapshots out, both as JSON.
//!
//! A session has no thread, no clock and no chance of its own. Dice and agents' choices come from its seed, a stream for each
//! step. What takes time is a [`Task`], which whoever holds the session does where it likes and tells with
//! [`Session::found`]; so the same game goes on in a terminal, on a server, in a notebook and in a page.
//!
//! It stands on the object-safe face, because a session may change its game.

mod catalogue;
mod course;
mod request;
mod task;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};

pub use catalogue::{catalogue, harmless};
pub use request::Request;
use task::Asked;
pub use task::Task;

use self::catalogue::plays;
use self::course::{Course, PERSON, persons_of};
use crate::agents::rng::{Stream, Streams};
use crate::api::AnyGame;
use crate::api::registry::find;
use crate::base::control::Control;
use crate::base::error::{Error, did_you_mean, shorten};
use crate::draw::Options;
use crate::draw::theme::named;
#[cfg(not(target_family = "wasm"))]
use crate::play::draft::Pieces;
use crate::play::position::AnyPosition;
use crate::record::{Record, read};
use crate::rules::game::Turn;
#[cfg(not(target_family = "wasm"))]
use crate::rules::keywords::Value as Seen;
use crate::rules::player::Player;

/// Who gives hints and analyses where the tables of the package do not know the position.
const ADVISER: &str = "mcts:1000,evaluator=heuristic";

/// Who gives them where they do.
const PERFECT: &str = "perfect";

/// How many steps a snapshot tells in words.
const LOGGED: usize = 40;

/// How many names of a line an analysis tells.
const LONGEST_LINE: usize = 8;

/// The most letters of a record or a position.
const LONGEST_TEXT: usize = 1 << 20;

/// The most letters of a name.
const LONGEST_NAME: usize = 200;

/// The most options of a rule book.
const MOST_OPTIONS: usize = 100;

/// What a command is answered with: `None` is a snapshot.
type Answer = Result<Option<Value>, Error>;

/// Carries out a command. It changes nothing before it knows that it can.
type Command = fn(&mut Session, &mut Request) -> Answer;

/// Every command; `docs/play.md` says what each takes.
const COMMANDS: &[(&str, Command)] = &[
    ("new", Session::begin),
    ("play", Session::play),
    ("undo", Session::undo),
    ("hint", Session::hint),
    ("analyse", Session::analyse),
    ("go", Session::go),
    ("branch", Session::branch),
    ("load", Session::load),
    ("position", Session::position),
    ("save", Session::save),
    ("log", Session::log),
    ("theme", Session::theme),
    ("stop", Session::stop),
    ("catalogue", Session::catalogue),
    ("check", Session::check),
    // A page without a server has the texts as files beside it, and setting up positions by clicks would make it load 5% more.
    #[cfg(not(target_family = "wasm"))]
    ("rules", Session::rules),
    #[cfg(not(target_family = "wasm"))]
    ("draft", Session::draft),
];

/// How a session is held.
#[derive(Clone, Default, Debug)]
pub struct Setup {
    /// Names of agents that are none of the engine's, and that whoever holds the session asks.
    pub guests: Vec<String>,
    /// Whether commands may seat only agents that are [`harmless`], and those that have a seat at the beginning.
    pub is_guarded: bool,
    /// Who gives hints and analyses; `None` leaves it to the tables of the package, or a search.
    pub adviser: Option<String>,
    /// "light" or "dark".
    pub theme: String,
    /// What the seeds of games come from that are begun without one.
    pub entropy: u64,
}

/// Somebody who thinks.
struct Job {
    number: u64,
    task: Arc<Task>,
    control: Arc<Control>,
    /// For whom the answer is, if it is no step of the game.
    advice: Option<Advice>,
    player: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Advice {
    Hint,
    Analysis,
}

/// A game under way that people play.
pub struct Session {
    setup: Setup,
    seeds: Stream,
    /// Who had a seat at the beginning, of which game: they may come back.
    seated: (Vec<String>, &'static str),
    course: Course,
    /// The step that is looked at.
    at: usize,
    version: u64,
    job: Option<Job>,
    jobs: u64,
    asked: Arc<Asked>,
    is_paused: bool,
    hint: Option<u64>,
    analysis: Option<(String, Value)>,
    trouble: Option<String>,
    /// What was shown last, with its version.
    shown: Option<(u64, Value)>,
}

impl Session {
    /// A session with a game that begins at a position, or as every game does, and what was played of it.
    ///
    /// # Errors
    /// When somebody cannot sit there, or a step is not legal.
    ///
    /// ```
    /// use sarai::api::registry::find;
    /// use sarai::session::{Session, Setup};
    /// let game = find("shah")?.make(None, "{}")?;
    /// let setup = Setup { theme: "light".into(), ..Setup::default() };
    /// let mut session = Session::new(game, None, [], None, 3, setup)?;
    /// session.carry_out(br#"{"do": "play", "action": 4}"#);
    /// // It is the turn of the agent on the other seat.
    /// let (number, task, control) = session.job().unwrap();
    /// let found = task.work(&control).map_err(|error| error.to_string());
    /// assert!(session.found(number, found));
    /// assert_eq!(session.snapshot()["length"], 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        game: Arc<dyn AnyGame>,
        start: Option<Box<dyn AnyPosition>>,
        steps: impl IntoIterator<Item = i64>,
        seats: Option<Vec<String>>,
        seed: u64,
        setup: Setup,
    ) -> Result<Self, Error> {
        named(&setup.theme)?;
        let open = Setup { is_guarded: false, ..setup.clone() };
        let seats = seated(&open, &[], &*game, seats)?;
        let mut known = seats.clone();
        known.extend(setup.adviser.clone());
        known.retain(|name| name != PERSON);
        let name = game.name();
        let course = Course::new(game, start, steps, seats, seed)?;
        let mut session = Session {
            seeds: Stream::new(setup.entropy, 0),
            setup,
            seated: (known, name),
            at: course.len(),
            course,
            version: 1,
            job: None,
            jobs: 0,
            asked: Arc::default(),
            is_paused: false,
            hint: None,
            analysis: None,
            trouble: None,
            shown: None,
        };
        session.go_on();
        Ok(session)
    }

    /// Carries out a command, which is an object of JSON. Where it cannot be done nothing changes, and "error" says why.
    pub fn carry_out(&mut self, command: &[u8]) -> Value {
        match Request::read(command).and_then(|request| self.done(request)) {
            Ok(None) => self.snapshot().clone(),
            Ok(Some(answer)) => answer,
            Err(error) => {
                let mut answer = self.snapshot().clone();
                answer["error"] = json!(self.course.named(&error.to_string()));
                answer
            }
        }
    }

    fn done(&mut self, mut request: Request) -> Answer {
        let Some((_, command)) = COMMANDS.iter().find(|(name, _)| *name == request.name()) else {
            let names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
            let meant = did_you_mean(request.name(), names.iter().copied());
            let there_are = format!("; there are {}", names.join(", "));
            let given = shorten(request.name());
            let more = if meant.is_empty() { there_are } else { meant };
            return Err(Error::new(format!("there is no command '{given}'{more}")));
        };
        command(self, &mut request)
    }

    /// All that a board shows.
    pub fn snapshot(&mut self) -> &Value {
        if self.shown.as_ref().is_none_or(|(version, _)| *version != self.version) {
            self.shown = Some((self.version, self.drawn()));
        }
        let (_, shown) = self.shown.as_ref().expect("it has just been drawn");
        shown
    }

    /// A number that grows with each change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The game so far.
    pub fn record(&self) -> &Record {
        &self.course.record
    }

    /// The position that is looked at.
    pub fn shown_position(&self) -> Box<dyn AnyPosition> {
        match self.at == self.course.len() {
            true => self.course.record.position.boxed(),
            false => self.course.record.at(self.at).expect("a step of the game").position,
        }
    }

    /// What somebody has to think about, under a number and with what calls it off; `None` while it is a person's turn.
    pub fn job(&self) -> Option<(u64, Arc<Task>, Arc<Control>)> {
        self.job.as_ref().map(|job| (job.number, Arc::clone(&job.task), Arc::clone(&job.control)))
    }

    /// Tells what came of a job, or why nothing did; returns whether anything has changed. What was called off is thrown away.
    pub fn found(&mut self, number: u64, found: Result<Value, String>) -> bool {
        let Some(job) = self.job.take_if(|job| job.number == number) else { return false };
        self.version += 1;
        let done = found.and_then(|found| match job.advice {
            None => self.step(&found).map_err(|error| error.to_string()),
            Some(Advice::Hint) => {
                self.hint = found["best"].as_u64();
                Ok(())
            }
            Some(Advice::Analysis) => {
                let by = job.task.agent.clone().unwrap_or_default();
                let lines = self.lines(&job.task, &found);
                self.analysis = Some((by, lines));
                Ok(())
            }
        });
        if let Err(sentence) = done {
            self.hold();
            self.trouble = Some(sentence);
        }
        true
    }

    /// Calls off whoever thinks; the game waits if it is not for a person to choose.
    pub fn hold(&mut self) {
        self.halt();
        self.is_paused = !self.course.waits();
    }

    fn step(&mut self, found: &Value) -> Result<(), Error> {
        let follows = self.at == self.course.len();
        self.course.take(found["action"].as_i64().unwrap_or(-1))?;
        if follows {
            self.at = self.course.len();
        }
        self.changed();
        self.go_on();
        Ok(())
    }

    // What the commands do.

    fn begin(&mut self, request: &mut Request) -> Answer {
        let game = rule_book(request)?;
        let (seats, seed) = (request.texts("seats")?, request.whole("seed")?);
        request.done()?;
        let seats = seated(&self.setup, &self.seated.0, &*game, seats)?;
        let seed = seed.unwrap_or_else(|| self.fresh_seed());
        self.take_up(Course::new(game, None, [], seats, seed)?, false)
    }

    fn play(&mut self, request: &mut Request) -> Answer {
        let action = request.number("action")?;
        let (seat, at) = (request.number_if_given("seat")?, request.number_if_given("at")?);
        request.done()?;
        let length = self.course.len();
        let course = &mut self.course;
        let refused = |sentence: String| Err(Error::new(sentence));
        if self.at != length {
            return refused(format!(
                "you are looking at step {} of {length}: go to the last one to play, or play on from here",
                self.at
            ));
        }
        if at.is_some_and(|at| at != length as u64) {
            return refused("the game has gone on meanwhile: look at the board and choose again".into());
        }
        if course.is_over() {
            return refused("the game is over: take a move back, or begin a new game".into());
        }
        let player = course.player();
        if !course.is_persons() || seat.is_some_and(|seat| player.map(|player| player as u64) != Some(seat)) {
            let turn = player.map_or_else(
                || "chance decides now".to_owned(),
                |player| format!("it is the turn of {}", course.who(player)),
            );
            return refused(format!("{turn}: wait for your own turn"));
        }
        course.take(i64::try_from(action).unwrap_or(i64::MAX))?;
        self.halt();
        self.at = length + 1;
        self.changed();
        self.go_on();
        Ok(None)
    }

    fn undo(&mut self, request: &mut Request) -> Answer {
        request.done()?;
        let back = self.course.last_of_a_person();
        let back = back.ok_or_else(|| Error::new("there is no move of yours to take back"))?;
        self.halt();
        self.course.back_to(back)?;
        self.at = back;
        self.changed();
        Ok(None)
    }

    fn hint(&mut self, request: &mut Request) -> Answer {
        request.done()?;
        self.advise(None, Advice::Hint)
    }

    fn analyse(&mut self, request: &mut Request) -> Answer {
        let agent = name(request, "agent")?;
        request.done()?;
        if let Some(agent) = &agent {
            if self.setup.guests.contains(agent) {
                let agent = shorten(agent);
                return Err(Error::new(format!(
                    "'{agent}' only chooses moves: let an agent of the engine analyse"
                )));
            }
            may_sit(&self.setup, &self.seated.0, &*self.course.record.game, agent)?;
        }
        self.advise(agent, Advice::Analysis)
    }

    fn go(&mut self, request: &mut Request) -> Answer {
        let (to, length) = (request.number("to")?, self.course.len());
        request.done()?;
        if to > length as u64 {
            return Err(Error::new(format!("the game has no step {to} yet; go to 0 to {length}")));
        }
        let to = to as usize;
        if to != self.at && self.job.as_ref().is_some_and(|job| job.advice.is_some()) {
            self.halt();
        }
        self.at = to;
        self.changed();
        if to == length && self.job.is_none() {
            self.go_on();
        }
        Ok(None)
    }

    fn branch(&mut self, request: &mut Request) -> Answer {
        request.done()?;
        if self.at == self.course.len() {
            return Err(Error::new("this is the last position already: just play on"));
        }
        self.halt();
        self.course.back_to(self.at)?;
        self.changed();
        self.go_on();
        Ok(None)
    }

    fn load(&mut self, request: &mut Request) -> Answer {
        let text = long_text(request, "record")?;
        request.done()?;
        let Record { game, start, steps, origin, .. } = {
            let mut record = read(&text)?;
            record.origin.agents = Some(persons_of(&record));
            record
        };
        let mut seats = origin.agents.unwrap_or_default();
        for seat in &mut seats {
            if may_sit(&self.setup, &self.seated.0, &*game, seat).is_err() {
                PERSON.clone_into(seat);
            }
        }
        let seed = origin.seed.unwrap_or_else(|| self.fresh_seed());
        let course = Course::new(game, start, steps.iter().map(|step| step.id), seats, seed)?;
        // A game that is over is looked at from its beginning, one that is not goes on where it was left.
        let is_over = course.is_over();
        self.take_up(course, is_over)
    }

    fn position(&mut self, request: &mut Request) -> Answer {
        let text = long_text(request, "text")?;
        request.done()?;
        let game = Arc::clone(&self.course.record.game);
        let start = game.parse(text.trim()).map_err(|error| Error::new(error.to_string()))?;
        let (seats, seed) = (self.course.seats.clone(), self.course.seed);
        self.take_up(Course::new(game, Some(start), [], seats, seed)?, false)
    }

    #[cfg(not(target_family = "wasm"))]
    fn draft(&mut self, request: &mut Request) -> Answer {
        const TAKES: &str = "a list of pieces, each with its place, its colour and how many,";
        let pieces = request.take("pieces").map(|given| {
            let read = serde_json::from_value::<Pieces>(given.clone());
            read.map_err(|_| request.refused("pieces", TAKES, &given))
        });
        let (pieces, given) = (pieces.transpose()?, request.take("given").unwrap_or_else(|| json!({})));
        request.done()?;
        let given = given.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), seen(value)));
        let given: Vec<(String, Seen)> = given.collect();
        let theme = named(&self.setup.theme).expect("a theme that was checked");
        let mut draft =
            self.shown_position().draft(pieces, given, &Options { theme, ..Options::default() })?;
        rename(&mut draft, &self.course);
        Ok(Some(draft))
    }

    fn save(&mut self, request: &mut Request) -> Answer {
        let form = request.one_of("format", ["json", "text"])?;
        request.done()?;
        let record = &self.course.record;
        let text = if form == Some("text") { record.to_text()? } else { record.to_json() };
        Ok(Some(json!({"error": null, "record": text})))
    }

    fn log(&mut self, request: &mut Request) -> Answer {
        let first = request.number_if_given("from")?.unwrap_or(0);
        request.done()?;
        Ok(Some(json!({"error": null, "log": self.course.log(usize::try_from(first).unwrap_or(usize::MAX))})))
    }

    fn theme(&mut self, request: &mut Request) -> Answer {
        let theme = request.one_of("theme", ["light", "dark"])?;
        request.done()?;
        let theme = theme.ok_or_else(|| Error::new("'theme' needs 'light' or 'dark' as 'theme'"))?;
        theme.clone_into(&mut self.setup.theme);
        self.version += 1;
        Ok(None)
    }

    fn stop(&mut self, request: &mut Request) -> Answer {
        request.done()?;
        self.hold();
        Ok(None)
    }

    fn catalogue(&mut self, request: &mut Request) -> Answer {
        request.done()?;
        let mut games = catalogue();
        let (seated, name) = &self.seated;
        for entry in games.iter_mut().filter(|entry| entry["name"] == *name) {
            let Value::Array(agents) = &mut entry["agents"] else { continue };
            let mut own: Vec<Value> = Vec::new();
            for name in seated.iter().map(|name| json!(name)) {
                if !agents.contains(&name) && !own.contains(&name) {
                    own.push(name);
                }
            }
            own.append(agents);
            *agents = own;
        }
        Ok(Some(json!({"error": null, "games": games})))
    }

    fn check(&mut self, request: &mut Request) -> Answer {
        let game = rule_book(request)?;
        request.done()?;
        let seats = 0..game.num_players();
        let sides: Vec<u8> = seats.map(|seat| game.side(Player(seat as u8)).0).collect();
        let (rules, players) = (game.rules(), game.seat_names());
        Ok(Some(json!({"error": null, "rules": rules, "players": players, "sides": sides})))
    }

    #[cfg(not(target_family = "wasm"))]
    fn rules(&mut self, request: &mut Request) -> Answer {
        let described = find(&request.text_needed("game")?)?.describe();
        request.done()?;
        let (how, book) = (&described["how_to_play"], &described["rule_book"]);
        Ok(Some(json!({"error": null, "how_to_play": how, "rule_book": book})))
    }

    // The game and what is shown of it.

    /// The moves of an analysis, the best first, as they are shown: with the chance of winning, where a game is worth
    /// nothing but that.
    fn lines(&self, task: &Task, found: &Value) -> Value {
        let game = task.game();
        let side = |seat: usize| game.side(Player(seat as u8));
        let seats = 0..game.num_players();
        let winners = found["player"]
            .as_u64()
            .map_or(1, |own| seats.filter(|&seat| side(seat) == side(own as usize)).count());
        let (least, most) = game.returns_range();
        let is_usual = (least, most) == (-1.0, self.course.usual_win(winners));
        let line = |line: &Value| {
            let mut shown = line.clone();
            let names = line["names"].as_array().into_iter().flatten().take(LONGEST_LINE);
            shown["line"] = names.cloned().collect();
            let value = line["value"].as_f64().filter(|_| is_usual);
            shown["chance"] = json!(value.map(|value| ((value - least) / (most - least)).clamp(0.0, 1.0)));
            if let Value::Object(shown) = &mut shown {
                shown.remove("names");
                shown.remove("actions");
            }
            shown
        };
        found["lines"].as_array().into_iter().flatten().map(line).collect()
    }

    fn fresh_seed(&mut self) -> u64 {
        self.seeds.next_u64() >> 32
    }

    fn take_up(&mut self, course: Course, from_beginning: bool) -> Answer {
        self.halt();
        self.at = if from_beginning { 0 } else { course.len() };
        self.course = course;
        self.changed();
        if !from_beginning {
            self.go_on();
        }
        Ok(None)
    }

    /// After a change what was said of the position before no longer holds.
    fn changed(&mut self) {
        self.version += 1;
        (self.hint, self.analysis, self.trouble) = (None, None, None);
    }

    fn drawn(&self) -> Value {
        let (course, at, length) = (&self.course, self.at, self.course.len());
        let position = self.shown_position();
        let last = course.last_choice(at).map(|step| (step.player as usize, step.name.clone()));
        let theme = named(&self.setup.theme).expect("a theme that was checked");
        let scene = position.scene(&Options { theme, last, ..Options::default() });
        let mut shown = scene.expect("options that every game has");
        rename(&mut shown, course);
        let last = at.checked_sub(1).map(|place| course.told(place));
        let told = [
            ("result", json!(course.result().filter(|_| at == length))),
            ("theme", json!(self.setup.theme)),
            ("seats", json!(course.seats)),
            ("players", json!(course.names)),
            ("thrown", json!(course.thrown(at))),
            ("seed", json!(course.seed.to_string())),
            ("mine", json!(course.is_persons() && at == length)),
            ("thinking", json!(self.job.as_ref().map(|job| job.player))),
            ("paused", json!(self.is_paused)),
            ("at", json!(at)),
            ("length", json!(length)),
            ("last", json!(last)),
            ("log", course.log(length.saturating_sub(LOGGED))),
            ("analysis", json!(self.analysis.as_ref().map(|(_, lines)| lines))),
            ("analysed_by", json!(self.analysis.as_ref().map(|(by, _)| by))),
            ("hint", json!(self.hint)),
            ("position", json!(position.text())),
            ("version", json!(self.version)),
            ("error", json!(self.trouble)),
        ];
        for (key, value) in told {
            shown[key] = value;
        }
        shown
    }

    // Who thinks.

    /// Calls off whoever thinks; what is found all the same is thrown away.
    fn halt(&mut self) {
        if let Some(job) = self.job.take() {
            job.control.cancel.store(true, Ordering::Relaxed);
        }
        self.is_paused = false;
        self.version += 1;
    }

    /// Lets chance and agents play until it is a person's turn.
    fn go_on(&mut self) {
        self.is_paused = false;
        if !self.course.waits() {
            let player = self.course.player();
            let agent = player.map(|player| self.course.seats[player].clone());
            self.begin_job(self.course.record.position.boxed(), agent, None);
        }
    }

    fn begin_job(&mut self, position: Box<dyn AnyPosition>, agent: Option<String>, advice: Option<Advice>) {
        self.jobs += 1;
        self.version += 1;
        let player = match position.turn() {
            Turn::Player(player) => player.index(),
            Turn::Chance | Turn::Over => 0,
        };
        let is_guest = agent.as_ref().is_some_and(|agent| self.setup.guests.contains(agent));
        let (seed, number) = match advice {
            None => (self.course.seed, self.course.len() as u64),
            Some(_) => (0, 0),
        };
        let game = Arc::clone(&self.course.record.game);
        let asked = Arc::clone(&self.asked);
        let task = Task { game, position, agent, asked, is_guest, analyses: advice.is_some(), seed, number };
        let control = Arc::new(Control::default());
        self.job = Some(Job { number: self.jobs, task: Arc::new(task), control, advice, player });
    }

    /// Has the position analysed that is shown.
    fn advise(&mut self, agent: Option<String>, advice: Advice) -> Answer {
        if self.job.as_ref().is_some_and(|job| job.advice.is_none()) {
            return Err(Error::new("somebody is thinking: wait for your turn, or stop it first"));
        }
        let position = self.shown_position();
        if !matches!(position.turn(), Turn::Player(_)) {
            let over = position.turn() == Turn::Over;
            let why = if over { "the game is over" } else { "chance decides here" };
            return Err(Error::new(format!("{why}, so there is nothing to choose")));
        }
        let agent = agent.or_else(|| self.setup.adviser.clone());
        let agent = agent.unwrap_or_else(|| {
            let game = &*self.course.record.game;
            let is_known = plays(game, PERFECT).is_ok_and(|perfect| {
                position.choose(&perfect, &mut Streams::new(0, 0).dice, &Control::default()).is_ok()
            });
            if is_known { PERFECT } else { ADVISER }.to_owned()
        });
        if let Some(job) = self.job.take() {
            job.control.cancel.store(true, Ordering::Relaxed);
        }
        self.begin_job(position, Some(agent), Some(advice));
        Ok(None)
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("record", &self.course.record).field("at", &self.at).finish()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.halt();
    }
}

/// The name of a field, if it is given.
fn name(request: &mut Request, field: &str) -> Result<Option<String>, Error> {
    match request.text(field)? {
        Some(text) if text.len() > LONGEST_NAME => {
            Err(request.refused(field, &format!("text of at most {LONGEST_NAME} letters"), &json!(text)))
        }
        text => Ok(text),
    }
}

/// Text that may be long.
fn long_text(request: &mut Request, field: &str) -> Result<String, Error> {
    let text = request.text_needed(field)?;
    if text.len() > LONGEST_TEXT {
        return Err(request.refused(field, "text of at most 1,048,576 letters", &json!(shorten(&text))));
    }
    Ok(text)
}

/// The rule book that a command names.
fn rule_book(request: &mut Request) -> Result<Arc<dyn AnyGame>, Error> {
    let (name, preset) = (request.text_needed("game")?, request.text("preset")?);
    let rules = request.take("rules").unwrap_or_else(|| json!({}));
    if rules.as_object().is_none_or(|rules| rules.len() > MOST_OPTIONS) {
        return Err(request.refused("rules", "an object of options", &rules));
    }
    let made = find(&name)?.make(preset.as_deref(), &rules.to_string());
    made.map_err(|error| Error::new(error.to_string()))
}

/// Who has each seat: a person against "greedy" where nobody is named.
fn seated(
    setup: &Setup,
    seated: &[String],
    game: &dyn AnyGame,
    seats: Option<Vec<String>>,
) -> Result<Vec<String>, Error> {
    let players = game.num_players();
    let Some(seats) = seats else {
        let others = std::iter::repeat_n("greedy", players - 1);
        return Ok(std::iter::once(PERSON).chain(others).map(str::to_owned).collect());
    };
    if seats.len() != players {
        return Err(Error::new(format!(
            "seats takes one name for each of the {players} seats of this game, not {}",
            seats.len()
        )));
    }
    for seat in &seats {
        may_sit(setup, seated, game, seat)?;
    }
    Ok(seats)
}

/// Refuses an agent that cannot play the game, or may not.
fn may_sit(setup: &Setup, seated: &[String], game: &dyn AnyGame, agent: &str) -> Result<(), Error> {
    let is_known = |names: &[String]| names.iter().any(|name| name == agent);
    if agent == PERSON || is_known(&setup.guests) {
        return Ok(());
    }
    if setup.is_guarded && !is_known(seated) {
        harmless(agent)?;
    }
    plays(game, agent).map(drop)
}

/// A value for a keyword.
#[cfg(not(target_family = "wasm"))]
fn seen(value: &Value) -> Seen {
    let number = Value::as_i64;
    match value {
        Value::Bool(flag) => Seen::Flag(*flag),
        Value::String(text) => Seen::Text(text.clone()),
        Value::Array(numbers) => Seen::Numbers(numbers.iter().filter_map(number).collect()),
        other => number(other).map_or_else(|| Seen::Other(other.to_string()), Seen::Number),
    }
}

/// Has players called by their names in every text.
fn rename(value: &mut Value, course: &Course) {
    match value {
        Value::String(text) => *text = course.named(text),
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, course)),
        Value::Object(fields) => fields.values_mut().for_each(|value| rename(value, course)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
