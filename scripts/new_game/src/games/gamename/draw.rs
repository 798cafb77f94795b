//! The picture of a position, and what a board needs that is played on.

use super::Gamename;
use super::State;
use crate::base::error::BadRequest;
use crate::draw::{Options, Picture, Place};
use crate::rules::action::Action;
use crate::rules::game::Draw;

impl Draw for Gamename {
    fn draw(&self, _: &State, _: &Options) -> Result<Picture, BadRequest> {
        Err(BadRequest::new("no drawing"))
    }

    fn headline(&self, _: &State) -> String {
        String::new()
    }

    fn describe(&self, _: &State) -> String {
        String::new()
    }

    fn points(&self, _: &State) -> Vec<Place> {
        Vec::new()
    }

    fn places(&self, _: &State, _: Action) -> Vec<usize> {
        Vec::new()
    }

    fn action_words(&self, _: &State, _: Action) -> String {
        String::new()
    }
}
