//! What is noted of one game while it is measured.

use std::sync::atomic::AtomicU8;

use super::boards::see;
use super::heat::Watched;
use super::judging::Judged;
use crate::agents::Evaluator;
use crate::base::{Control, stable_hash};
use crate::play::Recorder;
use crate::rules::{Action, ActionSet, FullGame, Player};

/// The room of a new trace, in decisions.
const ROOM: usize = 256;

/// The room that a trace may keep for its next game.
const MAX_SPARE: usize = 1 << 14;

/// How many options each decision of a game had.
#[derive(Debug, Default)]
pub(super) struct Trace {
    /// What stands behind `len` means nothing.
    options: Vec<u8>,
    len: usize,
    /// Whether it was cancelled.
    cancelled: bool,
}

impl Trace {
    #[cfg_attr(fast, inline(always))]
    fn note(&mut self, options: usize) {
        if self.len == self.options.len() {
            self.grow();
        }
        if let Some(cell) = self.options.get_mut(self.len) {
            *cell = options as u8;
            self.len += 1;
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.options.resize((2 * self.len).max(ROOM), 0);
    }

    /// What was noted.
    pub(super) fn options(&self) -> &[u8] {
        &self.options[..self.len]
    }

    /// The same with nothing noted.
    pub(super) fn emptied(mut self) -> Self {
        if self.options.len() > MAX_SPARE {
            self.options = Vec::new();
        }
        self.len = 0;
        self
    }

    pub(super) fn is_full(&self) -> bool {
        self.cancelled
    }
}

/// Notes numbers of options and nothing else.
impl<G: FullGame> Recorder<G> for Trace {
    #[cfg_attr(fast, inline(always))]
    fn decision(&mut self, _: &G, _: &G::State, _: Player, legal: ActionSet, _: Action) {
        self.note(legal.len());
    }

    #[cfg_attr(fast, inline(always))]
    fn is_full(&self) -> bool {
        Trace::is_full(self)
    }
}

/// Looks at positions too.
pub(super) struct Looking<'a> {
    pub(super) trace: &'a mut Trace,
    /// Where positions are counted, if they are.
    pub(super) boards: Option<&'a [AtomicU8]>,
    /// Where pieces stand, if anybody asks.
    pub(super) watched: Option<&'a mut Watched>,
    pub(super) judged: Option<(&'a Evaluator, &'a mut Judged)>,
    pub(super) control: &'a Control,
}

impl<G: FullGame> Recorder<G> for Looking<'_> {
    #[cfg_attr(fast, inline(always))]
    fn decision(&mut self, game: &G, state: &G::State, player: Player, legal: ActionSet, action: Action) {
        self.trace.note(legal.len());
        if let Some(registers) = self.boards {
            see(registers, stable_hash(&game.key(state)));
        }
        if let Some(watched) = &mut self.watched {
            watched.look(game, state, game.side(player));
        }
        if let Some((judge, judged)) = &mut self.judged {
            // To judge may take long.
            if self.control.is_cancelled() {
                self.trace.cancelled = true;
            } else {
                judged.look(judge, game, state, player, legal, action);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.trace.is_full()
    }
}
