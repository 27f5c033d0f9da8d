//! Times of calls, and what the process uses.

use std::time::{Duration, Instant};

/// Times of many calls.
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Calls `call` once for each number below `count`.
    pub(crate) fn of(count: usize, mut call: impl FnMut(usize)) -> Self {
        let times = (0..count).map(|number| {
            let start = Instant::now();
            call(number);
            start.elapsed()
        });
        times.collect()
    }

    /// `p50 0.123 ms  p99 0.456 ms`
    pub(crate) fn summary(&self) -> String {
        format!("p50 {:.3} ms  p99 {:.3} ms", self.at(50), self.at(99))
    }

    /// A percentile in milliseconds.
    pub(crate) fn at(&self, percent: usize) -> f64 {
        let index = (self.0.len() * percent / 100).min(self.0.len().saturating_sub(1));
        self.0
            .get(index)
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }
}

impl FromIterator<Duration> for Times {
    fn from_iter<I: IntoIterator<Item = Duration>>(times: I) -> Self {
        let mut times: Vec<Duration> = times.into_iter().collect();
        times.sort_unstable();
        Self(times)
    }
}

/// Wall and CPU time of one piece of work, in seconds.
pub(crate) fn cost<T>(work: impl FnOnce() -> T) -> (T, f64, f64) {
    let (cpu, start) = (cpu_seconds(), Instant::now());
    let result = work();
    (result, start.elapsed().as_secs_f64(), cpu_seconds() - cpu)
}

/// CPU time of this process so far, all threads, in seconds; in steps of 10 ms. 0 where there is no `/proc`.
pub(crate) fn cpu_seconds() -> f64 {
    let Ok(stat) = fs_err::read_to_string("/proc/self/stat") else {
        return 0.0;
    };
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |index| {
        after_name
            .split_whitespace()
            .nth(index)
            .and_then(|field| field.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    (ticks(11) + ticks(12)) / 100.0
}

/// Resident memory in MiB; 0 where there is no `/proc`.
pub(crate) fn resident_mib() -> f64 {
    let status = fs_err::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1024.0
}

/// How busy the machine is: its load over one minute.
pub(crate) fn load() -> String {
    let load = fs_err::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace()
        .next()
        .unwrap_or("unknown")
        .to_owned()
}
