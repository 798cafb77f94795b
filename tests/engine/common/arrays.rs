//! The arrays that a batch writes to.

use sarai::api::AnyGame;
use sarai::play::batch::Out;

/// The arrays that a caller holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Arrays {
    pub cells: usize,
    pub ids: usize,
    pub players: usize,
    pub observations: Vec<i8>,
    pub masks: Vec<i8>,
    pub current_player: Vec<i8>,
    pub rewards: Vec<f32>,
    pub terminated: Vec<bool>,
    pub truncated: Vec<bool>,
    pub illegal: Vec<bool>,
    pub final_observations: Vec<i8>,
    pub final_masks: Vec<i8>,
    pub final_current_player: Vec<i8>,
}

impl Arrays {
    /// Arrays full of values that no game writes.
    pub fn new(game: &dyn AnyGame, lanes: usize) -> Self {
        let (cells, ids, players) = (game.observation_len(), game.num_actions(), game.num_players());
        Arrays {
            cells,
            ids,
            players,
            observations: vec![i8::MIN; lanes * cells],
            masks: vec![i8::MIN; lanes * ids],
            current_player: vec![i8::MIN; lanes],
            rewards: vec![9e9; lanes * players],
            terminated: vec![true; lanes],
            truncated: vec![true; lanes],
            illegal: vec![true; lanes],
            final_observations: vec![i8::MIN; lanes * cells],
            final_masks: vec![i8::MIN; lanes * ids],
            final_current_player: vec![i8::MIN; lanes],
        }
    }

    pub fn out(&mut self) -> Out<'_> {
        Out {
            observations: &mut self.observations,
            masks: &mut self.masks,
            current_player: &mut self.current_player,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            illegal: &mut self.illegal,
            final_observations: &mut self.final_observations,
            final_masks: &mut self.final_masks,
            final_current_player: &mut self.final_current_player,
        }
    }

    pub fn observation(&self, lane: usize) -> &[i8] {
        &self.observations[lane * self.cells..][..self.cells]
    }

    pub fn mask(&self, lane: usize) -> &[i8] {
        &self.masks[lane * self.ids..][..self.ids]
    }

    pub fn rewards(&self, lane: usize) -> &[f32] {
        &self.rewards[lane * self.players..][..self.players]
    }

    pub fn ended(&self, lane: usize) -> bool {
        self.terminated[lane] || self.truncated[lane]
    }

    /// What lane `lane` plays as its `step`-th decision: some legal action, the same for the same numbers.
    pub fn choose(&self, lane: usize, step: usize) -> i64 {
        let legal: Vec<usize> = (0..self.ids).filter(|&id| self.mask(lane)[id] == 1).collect();
        let mix = (lane as u64 * 0x9e37_79b9 + step as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        legal[mix as usize % legal.len()] as i64
    }
}
