//! How long the guard takes: `cargo bench -p memoriter-core --bench guard`.
//!
//! Prints the first check of the process, the first with every keyword, and the median of several runs once warm.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench measures time and prints it"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use memoriter_core::guard::{Category, Guard, GuardPolicy};

/// Enough runs for a median that a busy neighbour does not move.
const RUNS: usize = 31;

/// Ordinary talk, in which a few keywords of rules occur as words.
const TALK: [&str; 6] = [
    "I finally signed the lease for the flat in Oslo, we move in at the end of June!",
    "Congratulations! Do you already know which school Mira will go to in autumn?",
    "Not yet. She'd like one with a good orchestra; she plays the cello, you remember.",
    "Could you book the vet for Biscuit before we leave? He needs his rabies shot by June 3.",
    "Booked: Thursday, May 16, 10:30 at Dr. Hansen's. I've added the address to your list.",
    "Thanks. And please don't order from that pizza place again, I'm allergic to their nuts.",
];

/// Talk about programs, in which many do.
const TECHNICAL: [&str; 4] = [
    "The deploy failed because the access token in the CI job had expired; see https://ci.example.org/jobs/4711.",
    "Set `password = get_password()` in settings.py and read the API key from os.environ[\"API_KEY\"].",
    "curl -s https://api.example.org/v1/items?page=2 | jq '.items[] | .id' returned 403, error code 1013.",
    "Commit 3f786850e387550fdab836ed7e6dc881de23001b fixes the login page: the session key was cached twice.",
];

fn main() {
    let guard = Guard::default();
    let talk = fill(&TALK);
    let technical = fill(&TECHNICAL);
    once("first check, ordinary talk", || guard.check(&talk));
    once("first check, technical talk", || guard.check(&technical));
    once("first label, ordinary talk", || {
        guard.looks_like_instruction(&talk)
    });
    measure("check, ordinary talk", || guard.check(black_box(&talk)));
    measure("check, technical talk", || {
        guard.check(black_box(&technical))
    });
    let mut secret = talk.clone();
    secret.insert_str(
        2_000,
        " My password is tulip42, the token is ghp_16C7e42F292c6912E7710c838347Ae178B4a. ",
    );
    once("first check, two secrets", || guard.check(&secret));
    measure("check, two secrets", || guard.check(black_box(&secret)));
    measure("label, ordinary talk", || {
        guard.looks_like_instruction(black_box(&talk))
    });
    measure("label, technical talk", || {
        guard.looks_like_instruction(black_box(&technical))
    });
    let policy = GuardPolicy::default()
        .block(Category::Email)
        .block(Category::Phone)
        .block(Category::Iban)
        .block(Category::NationalId);
    let blocking = Guard::new(policy);
    measure("check, four blocked categories", || {
        blocking.check(black_box(&technical))
    });
    let every = every_keyword();
    once("first check, every keyword", || guard.check(&every));
    measure("check, every keyword", || guard.check(black_box(&every)));
    let hostile = "password token key curl ://a:b@ ".repeat(2_048);
    measure("check, 64 KiB of keywords", || {
        guard.check(black_box(&hostile))
    });
}

/// Lines repeated to 4 KiB.
fn fill(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines.iter().cycle() {
        if text.len() + line.len() > 4_096 {
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Each keyword of the rule data once, so that each expression compiles.
fn every_keyword() -> String {
    let files = [
        include_str!("../data/gitleaks/rules.txt"),
        include_str!("../data/tokens.txt"),
    ];
    let lines = files.into_iter().flat_map(str::lines);
    let words = lines.filter_map(|line| line.strip_prefix("keyword\t"));
    words.collect::<Vec<_>>().join("x\n")
}

fn once<T>(name: &str, run: impl FnOnce() -> T) {
    let start = Instant::now();
    black_box(run());
    println!("{name:<34} {:>12.1} us", micros(start.elapsed()));
}

fn measure<T>(name: &str, mut run: impl FnMut() -> T) {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let fastest = times.first().copied().unwrap_or_default();
    let median = times.get(RUNS / 2).copied().unwrap_or_default();
    println!(
        "{name:<34} {:>12.1} us, fastest {:.1} us",
        micros(median),
        micros(fastest)
    );
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
