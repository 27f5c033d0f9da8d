//! Tokenizers keep the contract of their port, and the estimate keeps the bounds that it states.

use memoriter_core::port::TokenCounter;
use memoriter_provider::tokens::Estimate;
use memoriter_testkit::conformance;

#[test]
fn the_estimate_keeps_the_contract() {
    conformance::token_counter::check(&Estimate);
}

#[test]
fn the_estimate_grows_with_the_text() {
    let text = "The notebook lay where I left it; nobody had been in, 14 days long.";
    let mut last = 0;
    for (at, _) in text.char_indices() {
        let count = Estimate.count(&text[..at]);
        assert!(count + 1 >= last, "{count} after {last} at byte {at}");
        last = count;
    }
}

#[cfg(feature = "tiktoken")]
mod exact {
    use memoriter_core::desk::{Boundary, Form, Material, Plan, RecalledRecord, assemble};
    use memoriter_core::id::{ChangeNumber, TurnId};
    use memoriter_core::scope::Scope;
    use memoriter_core::time::{Timestamp, ZonedTime};
    use memoriter_core::turn::{Message, Role, SessionName, Turn};
    use memoriter_provider::tokens::Tiktoken;

    use super::*;

    #[test]
    fn the_exact_counters_keep_the_contract() {
        conformance::token_counter::check(&Tiktoken::o200k());
        conformance::token_counter::check(&Tiktoken::cl100k());
    }

    /// Counts that OpenAI publishes in its cookbook.
    #[test]
    fn the_exact_counters_agree_with_the_reference() {
        for (text, o200k, cl100k) in [
            ("tiktoken is great!", 6, 6),
            ("antidisestablishmentarianism", 6, 6),
            ("2 + 2 = 4", 7, 7),
            ("お誕生日おめでとう", 8, 9),
        ] {
            assert_eq!(Tiktoken::o200k().count(text), o200k, "o200k of {text}");
            assert_eq!(Tiktoken::cl100k().count(text), cl100k, "cl100k of {text}");
        }
    }

    /// Counted line by line it is as the tables count the whole.
    #[test]
    fn lines_add_up_to_the_whole() {
        const PIECES: &[&str] = &[
            "\n",
            "\r\n",
            "\r",
            " ",
            "  ",
            "\t",
            "/",
            "//",
            "a",
            "Ab",
            "'s",
            "'LL",
            "12",
            "345",
            "\"",
            ".",
            "..",
            "[",
            "<|",
            "é",
            "東京",
            "\u{2028}",
            "\u{a0}",
            "\u{85}",
            "\u{301}",
            "👩‍🚀",
            "_x",
            "-",
        ];
        let chance = memoriter_core::port::SeededEntropy::new(7);
        for _ in 0..20_000 {
            let piece = |_| {
                let place = usize::try_from(chance.below(PIECES.len() as u64));
                PIECES[place.expect("there are few pieces")]
            };
            let pieces = (0..=chance.below(14)).map(piece);
            let text: String = pieces.collect();
            let o200k = tiktoken_rs::o200k_base_singleton().count_ordinary(&text);
            assert_eq!(Tiktoken::o200k().count(&text), o200k, "{text:?}");
            let cl100k = tiktoken_rs::cl100k_base_singleton().count_ordinary(&text);
            assert_eq!(Tiktoken::cl100k().count(&text), cl100k, "{text:?}");
        }
    }

    /// Texts of a kind, and how the estimate may stand to either exact count: at least, at most.
    struct Sample {
        kind: &'static str,
        text: &'static str,
        bounds: Bounds,
    }

    struct Bounds {
        o200k: (f64, f64),
        cl100k: (f64, f64),
    }

    /// The table in the documentation of [`Estimate`].
    const PLAIN: Bounds = Bounds {
        o200k: (0.95, 1.45),
        cl100k: (0.95, 1.45),
    };
    const OTHER_WRITING: Bounds = Bounds {
        o200k: (0.95, 2.6),
        cl100k: (0.7, 1.5),
    };
    const BASE64: Bounds = Bounds {
        o200k: (0.85, 1.1),
        cl100k: (0.85, 1.1),
    };

    const SAMPLES: &[Sample] = &[
        Sample {
            kind: "talk",
            text: "Hey Mel! Good to see you. I went to the LGBTQ support group yesterday and it was so powerful; the \
                   transgender stories were inspiring! I'm thinking of counseling as a career. What's new with you? \
                   I've been swamped with the kids & work, but we finally finished that pottery workshop last Friday.",
            bounds: PLAIN,
        },
        Sample {
            kind: "prose",
            text: "Retrieval of episodic memories depends upon reinstating the encoding context. Subsequent \
                   investigations demonstrated considerable interindividual variability, particularly among older \
                   participants whose autobiographical recollections were predominantly semantic.",
            bounds: PLAIN,
        },
        Sample {
            kind: "desk",
            text: "statement=\"I moved to Munich\" id=0197f3a2-5c1e-7d40-9a53-0242ac120002 status=stated origin=user \
                   date=2026-03-01\nstatement=\"My exam is on 14 March\" id=0197f3a2-5c1e-7d41-8b10-77a1c09e44d3 \
                   status=inferred origin=agent date=2026-02-11\n",
            bounds: PLAIN,
        },
        Sample {
            kind: "json",
            text: "{\"id\":\"call_9aXk2\",\"type\":\"function\",\"function\":{\"name\":\"search_orders\",\"arguments\":\
                   \"{\\\"customer\\\":\\\"c-1192\\\",\\\"since\\\":\\\"2026-01-01\\\",\\\"limit\\\":25}\"},\"total\":1249.50,\
                   \"open\":true,\"tags\":[\"vip\",\"eu-west\",null]}",
            bounds: PLAIN,
        },
        Sample {
            kind: "code",
            text: "fn cut(text: &str) -> usize {\n    let mut run_start = 0;\n    for (at, c) in text.char_indices() {\n        \
                   if !c.is_whitespace() {\n            run_start = at + c.len_utf8();\n        } else if at - run_start >= \
                   MAX {\n            return at;\n        }\n    }\n    text.len()\n}\n",
            bounds: PLAIN,
        },
        Sample {
            kind: "log",
            text: "2026-03-01T09:14:22.118Z WARN  [worker-7] http://10.0.3.17:8080/v1/jobs/88213 -> 503 (3/5) retry in \
                   1600ms; trace=4bf92f3577b34da6a3ce929d0e0e4736 span=00f067aa0ba902b7\n",
            bounds: PLAIN,
        },
        Sample {
            kind: "table",
            text: "| month | revenue | cost | margin |\n|---|---:|---:|---:|\n| Jan | 120,400 | 80,112 | 33.4 % |\n| Feb | \
                   98,770 | 71,050 | 28.1 % |\n| Mar | 143,009 | 90,400 | 36.8 % |\n",
            bounds: PLAIN,
        },
        Sample {
            kind: "german",
            text: "Nächsten Donnerstag fahre ich für drei Tage nach Zürich, weil meine Schwester dort ihre \
                   Abschlussprüfung feiert; die Unterkunft müssen wir noch buchen, möglichst in der Nähe des Bahnhofs.",
            bounds: OTHER_WRITING,
        },
        Sample {
            kind: "russian",
            text: "На следующей неделе я переезжаю в Мюнхен, потому что там нашлась новая работа; квартиру пока снимаю \
                   вместе с братом, а собаку оставлю родителям.",
            bounds: OTHER_WRITING,
        },
        Sample {
            kind: "arabic",
            text: "سأسافر الأسبوع القادم إلى برلين لأن أختي تحتفل هناك بتخرجها من الجامعة، ولم نحجز الفندق بعد.",
            bounds: OTHER_WRITING,
        },
        Sample {
            kind: "hindi",
            text: "अगले हफ़्ते मैं म्यूनिख जा रही हूँ क्योंकि वहाँ मुझे नई नौकरी मिली है; घर अभी तक नहीं मिला।",
            bounds: OTHER_WRITING,
        },
        Sample {
            kind: "chinese",
            text: "下个星期我要搬到慕尼黑,因为我在那里找到了新的工作;房子还没有找到,暂时和弟弟一起住。",
            bounds: OTHER_WRITING,
        },
        Sample {
            kind: "japanese",
            text: "来週ミュンヘンに引っ越します。新しい仕事が見つかったからです。部屋はまだ決まっていません。",
            bounds: OTHER_WRITING,
        },
        Sample {
            kind: "korean",
            text: "다음 주에 뮌헨으로 이사해요. 새 직장을 구했거든요. 집은 아직 못 구해서 당분간 동생과 같이 지낼 거예요.",
            bounds: OTHER_WRITING,
        },
        Sample {
            kind: "thai",
            text: "สัปดาห์หน้าฉันจะย้ายไปมิวนิกเพราะได้งานใหม่ที่นั่น ตอนนี้ยังหาบ้านไม่ได้",
            bounds: OTHER_WRITING,
        },
        Sample {
            kind: "pictographs",
            text: "🎉🎉 done!! 🙂👍🏽 see you there 👩‍🚀🚀 → ✅ ❤️ … 🏳️‍🌈 (╯°□°)╯︵ ┻━┻",
            bounds: OTHER_WRITING,
        },
        Sample {
            kind: "base64",
            text: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg\
                   QmFzZTY0IGlzIGhvdyBiaW5hcnkgZGF0YSB0cmF2ZWxzIGluIHRleHQsIGFuZCBpdCBjb3N0cyBtYW55IHRva2Vucy4",
            bounds: BASE64,
        },
    ];

    #[test]
    fn the_estimate_keeps_its_bounds() {
        for Sample { kind, text, bounds } in SAMPLES {
            for (exact, (least, most)) in [
                (Tiktoken::o200k(), bounds.o200k),
                (Tiktoken::cl100k(), bounds.cl100k),
            ] {
                let ratio = fraction(Estimate.count(text)) / fraction(exact.count(text));
                println!("{kind:12} {:8} {ratio:.2}", exact.name());
                assert!(
                    (least..=most).contains(&ratio),
                    "{kind} is {ratio:.2} times {}",
                    exact.name()
                );
            }
        }
    }

    /// Byte pairs do not add up: the whole of a desk is what has to fit.
    #[test]
    fn a_desk_keeps_its_budget_by_the_exact_counters() {
        let turns = turns();
        let recalled: Vec<RecalledRecord<'_>> =
            turns.iter().rev().map(RecalledRecord::Turn).collect();
        for counter in [Tiktoken::o200k(), Tiktoken::cl100k()] {
            for form in Form::ALL {
                for budget_tokens in [400, 1_000, 3_000] {
                    let material = Material {
                        system: "Help.",
                        instructions: &[],
                        procedures: &[],
                        profile: &[],
                        spans: &[],
                        turns: &turns[..turns.len() / 2],
                        board: &[],
                        recalled: &recalled,
                        message: "What now?",
                    };
                    let plan = Plan {
                        form: *form,
                        ..Plan::new(budget_tokens, Boundary::from_seed(b"s1"))
                    };
                    let desk = assemble(&material, &plan, &counter).unwrap();
                    let tokens = desk.rendering.count(&counter);
                    assert!(
                        tokens <= budget_tokens,
                        "{form}: {tokens} of {budget_tokens}"
                    );
                    assert!(
                        tokens * 10 > budget_tokens * 6,
                        "{form}: {tokens} of {budget_tokens}"
                    );
                }
            }
        }
    }

    /// Turns with texts of every kind.
    fn turns() -> Vec<Turn> {
        let texts = SAMPLES.iter().cycle().map(|sample| sample.text);
        let turns = (0_u8..120).zip(texts).map(|(number, text)| Turn {
            id: TurnId::from_bytes([number; 16]),
            scope: Scope::user("priya"),
            session: SessionName::new("s1").expect("the name is valid"),
            position: number.into(),
            message: Message::new(Role::User, text, ZonedTime::utc(Timestamp::from_micros(0))),
            recorded_at: Timestamp::from_micros(0),
            retired_at: None,
            change: ChangeNumber(0),
        });
        turns.collect()
    }

    fn fraction(count: usize) -> f64 {
        f64::from(u32::try_from(count).expect("samples are short"))
    }
}
