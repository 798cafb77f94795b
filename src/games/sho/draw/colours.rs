//! The colours that only this board has.

use crate::draw::theme::Theme;

/// Ivory shells, a leather pad, a cloth for the track.
pub(super) struct Colours {
    pub track: &'static str,
    pub shell: &'static str,
    pub shell_edge: &'static str,
    pub shell_slit: &'static str,
    pub pad: &'static str,
    pub pad_edge: &'static str,
    pub stitch: &'static str,
    pub on_pad: &'static str,
    pub on_pad_muted: &'static str,
}

const LIGHT: Colours = Colours {
    track: "#eee5d3",
    shell: "#fffaf0",
    shell_edge: "#a08f73",
    shell_slit: "#8d7a5c",
    pad: "#6b4528",
    pad_edge: "#4a2e19",
    stitch: "#d9b68a",
    on_pad: "#fff8ec",
    on_pad_muted: "#e7cfae",
};

const DARK: Colours = Colours {
    track: "#24272d",
    shell: "#d9d1c0",
    shell_edge: "#8f866f",
    shell_slit: "#6f6650",
    pad: "#4a301d",
    pad_edge: "#2b1b10",
    stitch: "#a8855c",
    on_pad: "#fff3e0",
    on_pad_muted: "#d9bd97",
};

pub(super) fn colours(look: &Theme) -> &'static Colours {
    if look.name == "dark" { &DARK } else { &LIGHT }
}
