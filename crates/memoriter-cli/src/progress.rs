//! Bars for long work, on standard error and only where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many bytes of input; with an unknown number, a moving sign.
pub(crate) fn bytes(total: Option<u64>, what: &str) -> ProgressBar {
    match total {
        Some(total) => styled(
            ProgressBar::new(total),
            what,
            "{msg} {bar:30} {bytes}/{total_bytes}, {eta} left",
        ),
        None => spinner(what),
    }
}

/// A bar over so many records.
pub(crate) fn records(what: &str) -> ProgressBar {
    styled(
        ProgressBar::new(0),
        what,
        "{msg} {bar:30} {human_pos}/{human_len}, {eta} left",
    )
}

/// A moving sign.
pub(crate) fn spinner(what: &str) -> ProgressBar {
    let bar = styled(ProgressBar::new_spinner(), what, "{spinner} {msg}");
    bar.enable_steady_tick(std::time::Duration::from_millis(120));
    bar
}

fn styled(bar: ProgressBar, what: &str, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template has no mistakes");
    bar.with_style(style).with_message(what.to_owned())
}
