//! Sets `fast` where the engine is built for speed (`opt-level = 3`): what is hot is then inlined wherever it is called.
//!
//! Everywhere else that would only cost: half of the time that tests take to build, and half of what a page loads.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(fast)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "3") {
        println!("cargo::rustc-cfg=fast");
    }
}
