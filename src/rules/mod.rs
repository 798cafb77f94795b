//! What a game is: who plays, what they may do, what chance does, and the traits that a rule book implements.

pub mod action;
pub mod bits;
pub mod chance;
pub mod forms;
pub mod game;
pub mod keywords;
pub mod observation;
pub mod options;
pub mod perft;
pub mod player;
pub mod position;
pub mod rng;
pub mod rule_book;
