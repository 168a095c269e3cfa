//! Search expressions: what is printed parses back to the same, and no text whatever does harm.

use nestling::{ParseError, PlayoutOptions, Search, Ties};
use proptest::prelude::*;

fn parse(text: &str) -> Search {
    text.parse().unwrap_or_else(|error: ParseError| panic!("{error}\n{}", error.picture()))
}

fn refuse(text: &str) -> ParseError {
    text.parse::<Search>().expect_err("the text should be refused")
}

#[test]
fn canonical_texts_print_as_they_were_written() {
    let texts = [
        "playout",
        "playout(mobility)",
        "playout(mobility, weights=a/b-c_1.bin)",
        "playout(weights=learnt.bin)",
        r#"playout("two words", weights="a \"quoted\" back\\slash, é")"#,
        "repeat(playout)",
        "repeat(100, nested(2))",
        "repeat(18446744073709551615, dfs)",
        "mean(10, step(lookahead(playout, ties=random), memory=off))",
        "nested(0)",
        "nested(32, memory=off, ties=last, playout=mobility, weights=w)",
        "reflexive(100, 1000, playout=uniform)",
        "nrpa(3, iterations=50, alpha=0.5, warm=start.bin, playout=mobility, weights=w.bin)",
        "nrpa(3, alpha=2.5)",
        "nrpa(3, alpha=1e300)",
        "uct(10000, c=5, trees=8)",
        "uct(1, c=1e-7)",
        "uct(10000, trees=2, memory=64)",
        "dfs",
        "cdcl",
        "dfs(playout=mobility)",
        "beam(100)",
        "beam(100, samples=1)",
        "pool",
        "pool(1000, window=2.5, skew=3, first=repeat(10, nested(1)), playout=mobility)",
        "repeat(nested(1, weights=a), weights=b)",
        "improve(playout)",
        "repeat(improve(100, nrpa(1), strength=3, patience=50, playout=mobility))",
    ];
    for text in texts {
        assert_eq!(parse(text).to_string(), text);
    }
}

#[test]
fn other_spellings_print_canonically() {
    let spellings = [
        (" \t\n nested ( 2 , ties = first , memory = off ) \r\n", "nested(2, memory=off)"),
        ("playout()", "playout"),
        ("dfs( )", "dfs"),
        ("playout(playout=mobility)", "playout(mobility)"),
        ("playout(weights=w, playout=mobility)", "playout(mobility, weights=w)"),
        ("playout(\"mobility\")", "playout(mobility)"),
        ("playout(weights)", "playout(weights)"),
        ("repeat(10_000, playout)", "repeat(10000, playout)"),
        ("nrpa(3,weights=w,alpha=1.0,iterations=1_00)", "nrpa(3, weights=w)"),
        ("nrpa(03, alpha=2.50e+0)", "nrpa(3, alpha=2.5)"),
        ("uct(5, memory=128, trees=1, c=0.10)", "uct(5)"),
        ("nested(1, memory=on)", "nested(1)"),
        ("beam(5, playout=x, samples=4)", "beam(5, playout=x)"),
    ];
    for (text, canonical) in spellings {
        assert_eq!(parse(text).to_string(), canonical, "{text}");
    }
}

/// Each text and how it is refused.
const BROKEN: &str = r#"
(                                  => column 1: expected a search such as playout, nested(2) or nrpa(3), found "("
step((playout))                    => column 6: expected a search such as playout, nested(2) or nrpa(3), found "("
step(5)                            => column 6: expected a search such as playout, nested(2) or nrpa(3), found "5"
step()                             => column 6: expected a search such as playout, nested(2) or nrpa(3), found ")"
repeat(100,)                       => column 12: expected a search such as playout, nested(2) or nrpa(3), found ")"
é                                  => column 1: expected a search such as playout, nested(2) or nrpa(3), found "é"
repeat(playout=mobility)           => column 8: expected a search such as playout, nested(2) or nrpa(3), found the option "playout"
nestd(2)                           => column 1: expected a search (SEARCHES), found "nestd"; did you mean nested?
NRPA(2)                            => column 1: expected a search (SEARCHES), found "NRPA"; did you mean nrpa?
dsf                                => column 1: expected a search (SEARCHES), found "dsf"; did you mean dfs?
step(look(playout))                => column 6: expected a search (SEARCHES), found "look"; did you mean lookahead?
portfolio(dfs)                     => column 14: expected "," and another search: a portfolio has at least two, found ")"
portfolio(dfs, mean(3, playout))   => column 16: portfolio needs a search that returns moves, found mean; write step(lookahead(mean(n, s)))
portfolio(dfs, playout=x)          => column 14: expected "," and another search: a portfolio has at least two, found ","
quicksort                          => column 1: expected a search (SEARCHES), found "quicksort"
x                                  => column 1: expected a search (SEARCHES), found "x"
nested                             => column 7: expected "(" after nested, as in nested(2), found the end
nested 2                           => column 8: expected "(" after nested, as in nested(2), found "2"
nested(                            => column 8: expected the level of nested, a whole number, found the end
nested(2                           => column 9: expected "," or ")", found the end
repeat(5, nested(2)                => column 20: expected "," or ")", found the end
nested(2))                         => column 10: expected the end, found ")"
dfs dfs                            => column 5: expected the end, found "dfs"
nested(2 memory=off)               => column 10: expected "," or ")", found "memory"
repeat(100 playout)                => column 12: expected "," and a search, found "playout"
repeat(100)                        => column 11: expected "," and a search, found ")"
mean(playout)                      => column 6: expected the count of mean, a whole number, found "playout"
step(dfs, dfs)                     => column 11: expected an option of step (memory=, playout= or weights=), found "dfs"
playout(nested(2))                 => column 15: expected "," or ")", found "("
reflexive()                        => column 11: expected a count of reflexive, a whole number, found ")"
reflexive(1,)                      => column 13: expected an option of reflexive (playout= or weights=), found ")"
dfs(3)                             => column 5: expected an option of dfs (merge=, memory=, playout= or weights=), found "3"
nested(2, memry=off)               => column 11: expected an option of nested (memory=, ties=, playout= or weights=), found "memry"; did you mean memory=?
nrpa(2, iter=5)                    => column 9: expected an option of nrpa (iterations=, alpha=, tries=, warm=, temperature=, clamp=, bias=, learn_bias=, codes=, adapt=, stopping=, repetitions=, explore=, beam=, diverse=, playout= or weights=), found "iter"; did you mean iterations=?
uct(2, 5)                          => column 8: expected an option of uct (c=, trees=, memory=, playout= or weights=), found "5"
nested(memory=off, 2)              => column 8: expected the level of nested, a whole number, found "memory"
nested(2, memory=off, memory=on)   => column 23: expected memory only once, found it again
playout(mobility, playout=uniform) => column 19: expected playout only once, found it again
nested(2, memory off)              => column 18: expected "=" after memory, found "off"
nested(2, memory=true)             => column 18: expected on or off for memory, found "true"
nested(2, ties=)                   => column 16: expected first, random or last for ties, found ")"
nrpa(2, alpha=x)                   => column 15: expected a number for alpha, found "x"
dfs(playout=)                      => column 13: expected the name of a policy for playout, found ")"
dfs(weights=é)                     => column 13: expected a file for weights, found "é"
playout("mob                       => column 9: expected a closing quote for this one, found the end
playout("mob\                      => column 14: expected \\ for a backslash or \" for a quote, found the end
playout("C:\new")                  => column 13: expected \\ for a backslash or \" for a quote, found "new"
playout("")                        => column 9: playout must not be empty
nested(2.5)                        => column 8: expected the level of nested, a whole number, found "2.5"
repeat(-5, dfs)                    => column 8: expected the count of repeat, a whole number, found "-5"
nested(33)                         => column 8: the level of nested must be at most 32, found 33
nested(4294967297)                 => column 8: the level of nested must be at most 32, found 4294967297
nrpa(33)                           => column 6: the level of nrpa must be at most 32, found 33
repeat(0, dfs)                     => column 8: the count of repeat must be at least 1, found 0
repeat(18446744073709551616, dfs)  => column 8: the count of repeat must be at most 18446744073709551615, found 18446744073709551616
mean(3, repeat(playout))           => column 9: mean needs a search that ends, found repeat without a count; write repeat(n, s)
step(repeat(9, mean(3, playout)))  => column 6: step needs a search that returns moves, found mean; write step(lookahead(mean(n, s)))
mean(0, dfs)                       => column 6: the count of mean must be at least 1, found 0
reflexive(5, 0)                    => column 14: a count of reflexive must be at least 1, found 0
nrpa(2, iterations=0)              => column 20: iterations of nrpa must be at least 1, found 0
nrpa(2, tries=0)                   => column 15: tries of nrpa must be at least 1, found 0
nrpa(2, alpha=inf)                 => column 15: alpha must be a finite number above 0, found inf
nrpa(2, alpha=1e400)               => column 15: alpha must be a finite number above 0, found 1e400
nrpa(2, alpha=-1)                  => column 15: alpha must be a finite number above 0, found -1
uct(9, c=0)                        => column 10: c must be a finite number above 0, found 0
uct(9, c=nan)                      => column 10: c must be a finite number above 0, found nan
uct(0)                             => column 5: the simulations of uct must be at least 1, found 0
uct(100_000_001)                   => column 5: the simulations of uct must be at most 100000000, found 100_000_001 (use repeat(k, uct(n)))
uct(9, trees=1025)                 => column 14: trees of uct must be at most 1024, found 1025
uct(9, memory=0)                   => column 15: memory of uct must be at least 1, found 0
uct(9, memory=off)                 => column 15: expected memory of uct, a whole number, found "off"
uct(9, memory=65537)               => column 15: memory of uct must be at most 65536, found 65537
beam(1_000_001)                    => column 6: the width of beam must be at most 1000000, found 1_000_001
beam(0)                            => column 6: the width of beam must be at least 1, found 0
beam(9, samples=0)                 => column 17: samples of beam must be at least 1, found 0
pool(9, first=mean(3, playout))    => column 15: pool needs a search that returns moves, found mean; write step(lookahead(mean(n, s)))
pool(9, first=repeat(playout))     => column 15: pool needs a search that ends, found repeat without a count; write repeat(n, s)
pool(9, first=playout, first=dfs)  => column 24: expected first only once, found it again
"#;

const SEARCHES: &str = "playout, replay, repeat, mean, step, lookahead, nested, promising, lazy, reflexive, nrpa, uct, dfs, cdcl, beam, pool, improve or portfolio";

#[test]
fn broken_texts_are_refused_with_column_and_remedy() {
    for line in BROKEN.trim().lines() {
        let (text, error) = line.split_once(" => ").expect("a text and an error");
        assert_eq!(refuse(text.trim_end()).to_string(), error.replace("SEARCHES", SEARCHES), "{text}");
    }
}

#[test]
fn blank_and_control_characters_are_refused_and_shown_harmlessly() {
    let no_search = "expected a search such as playout, nested(2) or nrpa(3), found";
    let broken = [
        ("", 1, format!("{no_search} the end")),
        ("  ", 3, format!("{no_search} the end")),
        ("\0", 1, format!("{no_search} \"\\0\"")),
        ("\u{1b}[2Jplayout", 1, format!("{no_search} \"\\u{{1b}}\"")),
        ("playout\0", 8, "expected the end, found \"\\0\"".to_string()),
        ("dfs(weights=\"a\nb\")", 13, "weights must not contain control characters, found '\\n'".to_string()),
    ];
    for (text, column, message) in broken {
        let error = refuse(text);
        assert_eq!((error.column, error.message), (column, message), "{text:?}");
    }
}

#[test]
fn every_beginning_of_a_text_is_refused() {
    let text = r#"repeat(10, step(nrpa(2, alpha=0.5, warm="a b"), memory=off), playout=mobility)"#;
    for end in 0..text.len() {
        assert!(refuse(&text[..end]).column <= end + 1);
    }
    parse(text);
}

#[test]
fn pictures_point_at_the_culprit() {
    let pictures = [
        ("nested(2 memory=off)", "nested(2 memory=off)\n         ^"),
        ("nested(2", "nested(2\n        ^"),
        ("\u{1b}", "\\u{1b}\n^"),
        ("dfs(playout=\"a\0\", 7)", "dfs(playout=\"a\\0\", 7)\n            ^"),
        ("dfs\n\t\0", "dfs\\n\\t\\0\n       ^"),
    ];
    for (text, picture) in pictures {
        assert_eq!(refuse(text).picture(), picture, "{text:?}");
    }
    let long = "step(".repeat(10) + &"x".repeat(100);
    let cut_on_both_sides = format!("…{}{}…\n{}^", "step(".repeat(6), "x".repeat(30), " ".repeat(31));
    assert_eq!(refuse(&long).picture(), cut_on_both_sides);
}

#[test]
fn deep_texts_are_refused_where_they_become_too_deep() {
    let deep = |depth: usize| format!("{}dfs{}", "step(".repeat(depth - 1), ")".repeat(depth - 1));
    assert!(parse(&deep(64)).check().is_ok());
    let message = "expected searches nested at most 64 deep, found a deeper one";
    for depth in [65, 10_001] {
        let error = refuse(&deep(depth));
        assert_eq!((error.column, error.message.as_str()), (64 * 5 + 1, message));
    }
    assert_eq!(refuse(&"(".repeat(10_000)).column, 1);
    let built = (0..64).fold(Search::dfs(), |search, _| search.step());
    assert_eq!(built.check().unwrap_err().message, message);
    let counts = |count: usize| format!("reflexive({})", vec!["1"; count].join(", "));
    assert_eq!(parse(&counts(32)).to_string(), counts(32));
    assert_eq!(refuse(&counts(33)).to_string(), "column 107: expected at most 32 counts of reflexive, found more");
}

/// With a time that grew with the square of the length nobody would see the end of this test.
#[test]
fn huge_texts_take_linear_time() {
    const SIZE: usize = 10_000_000;
    for piece in ["a", "(", "9", " ", "\0", "é", "step(", "dfs,", "\"", "=", "\\"] {
        let filler = piece.repeat(SIZE / piece.len());
        for before in ["", "nested(", "nested(2, ", "playout(\"", "nrpa(2, alpha=", "reflexive(1, "] {
            let error = refuse(&format!("{before}{filler}"));
            assert!(error.message.len() < 300 && error.picture().len() < 300, "{before}{piece}…");
        }
    }
    let file = "x".repeat(SIZE);
    assert_eq!(parse(&format!("dfs(weights={file})")), Search::dfs().weights(file));
}

#[test]
fn core_writes_out_one_level() {
    let cases = [
        ("nested(0, playout=p)", "playout(p)"),
        ("nested(1, ties=last)", "step(lookahead(nested(0, ties=last), ties=last))"),
        ("nested(3, memory=off, weights=w)", "step(lookahead(nested(2, memory=off, weights=w)), memory=off)"),
        ("reflexive(5, playout=p)", "step(repeat(5, playout(p)))"),
        ("reflexive(5, 6, 7, weights=w)", "step(repeat(7, reflexive(5, 6, weights=w)))"),
        ("repeat(3, nested(2), playout=p)", "repeat(3, nested(2, playout=p))"),
        ("mean(3, dfs(playout=q), playout=p, weights=w)", "mean(3, dfs(playout=q, weights=w))"),
        ("nrpa(2, playout=p, weights=w)", "nrpa(2, playout=p, weights=w)"),
        ("uct(9)", "uct(9)"),
    ];
    for (text, core) in cases {
        assert_eq!(parse(text).core().to_string(), core, "{text}");
    }
}

#[test]
fn expand_writes_out_everything() {
    let cases = [
        ("nested(2)", "step(lookahead(step(lookahead(playout))))"),
        (
            "nested(2, memory=off, ties=random, playout=p)",
            "step(lookahead(step(lookahead(playout(p), ties=random), memory=off), ties=random), memory=off)",
        ),
        ("reflexive(100, 1000)", "step(repeat(1000, step(repeat(100, playout))))"),
        ("repeat(step(nrpa(1, playout=q)), playout=p, weights=w)", "repeat(step(nrpa(1, playout=q, weights=w)))"),
        ("repeat(3, repeat(nested(0, weights=v), playout=p), weights=w)", "repeat(3, repeat(playout(p, weights=v)))"),
    ];
    for (text, expanded) in cases {
        assert_eq!(parse(text).expand().to_string(), expanded, "{text}");
    }
    let deepest = (0..63).fold(Search::nested(32), |search, _| search.step());
    assert_eq!(deepest.expand().to_string().matches("lookahead").count(), 32);
}

#[test]
fn files_are_listed_once_in_the_order_written() {
    let search = parse("repeat(step(nrpa(2, warm=c, weights=b), weights=a), weights=c)");
    assert_eq!(search.files(), ["c", "b", "a"]);
    assert_eq!(parse("nested(2, playout=p)").files(), [""; 0]);
}

#[test]
fn builders_and_texts_agree() {
    let built = Search::nrpa(2).iterations(5).alpha(0.5).tries(3).warm("a").policy("p").weights("b");
    assert_eq!(built, parse("nrpa(2, iterations=5, alpha=0.5, tries=3, warm=a, playout=p, weights=b)"));
    let uct = Search::uct(9).c(5.0).trees(2).tree_memory(64);
    assert_eq!(uct.forever(), parse("repeat(uct(9, c=5, trees=2, memory=64))"));
    assert_eq!(Search::beam(9).samples(2).mean(3), parse("mean(3, beam(9, samples=2))"));
    let stepped = Search::playout().lookahead().ties(Ties::Last).step().memory(false);
    assert_eq!(stepped, parse("step(lookahead(playout, ties=last), memory=off)"));
}

#[test]
#[should_panic(expected = "nrpa has no option trees")]
fn options_of_other_searches_panic() {
    let _ = Search::nrpa(2).trees(3);
}

#[test]
fn searches_built_in_rust_are_checked_like_texts() {
    let cases = [
        (Search::dfs().repeat(0), "the count of repeat must be at least 1, found 0"),
        (Search::nested(33).step().forever(), "the level of nested must be at most 32, found 33"),
        (Search::reflexive([]), "expected at least one count of reflexive, found none"),
        (Search::reflexive([1; 33]), "expected at most 32 counts of reflexive, found more"),
        (Search::uct(1).c(f64::NAN), "c must be a finite number above 0, found NaN"),
        (Search::nrpa(1).warm(""), "warm must not be empty"),
        (Search::dfs().policy("a\u{1b}"), "playout must not contain control characters, found '\\u{1b}'"),
    ];
    for (search, message) in cases {
        assert_eq!(search.check().unwrap_err().to_string(), message);
    }
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Za-z0-9_./-]{1,8}", "[^\\p{Cc}]{1,8}", r#"[ "\\=,()]{1,6}"#]
}

fn any_positive() -> impl Strategy<Value = f64> {
    let every_size =
        proptest::num::f64::POSITIVE.prop_filter("zero and infinity are refused", |x| *x > 0.0 && x.is_finite());
    prop_oneof![Just(1.0), Just(0.1), 0.001..100.0, every_size]
}

fn any_ties() -> impl Strategy<Value = Ties> {
    prop_oneof![Just(Ties::First), Just(Ties::Random), Just(Ties::Last)]
}

fn with_games(searches: impl Strategy<Value = Search>) -> impl Strategy<Value = Search> {
    let name = || proptest::option::of(any_name());
    (searches, name(), name())
        .prop_map(|(search, policy, weights)| search.played_by(PlayoutOptions { policy, weights }))
}

fn any_search() -> impl Strategy<Value = Search> {
    // Of what can be built, a step of a mean and a mean of something endless make no sense.
    any_nesting().prop_filter("it makes no sense", |search| search.check().is_ok())
}

fn any_nesting() -> impl Strategy<Value = Search> {
    let leaf = prop_oneof![
        Just(Search::playout()),
        Just(Search::dfs()),
        (0..=32u32, any::<bool>(), any_ties())
            .prop_map(|(level, memory, ties)| Search::nested(level).memory(memory).ties(ties)),
        proptest::collection::vec(1..=u64::MAX, 1..=32).prop_map(Search::reflexive),
        (0..=32u32, 1..=u64::MAX, any_positive(), 1..=1_000_000u64, proptest::option::of(any_name())).prop_map(
            |(level, iterations, alpha, tries, warm)| {
                let nrpa = Search::nrpa(level).iterations(iterations).alpha(alpha).tries(tries);
                warm.into_iter().fold(nrpa, Search::warm)
            }
        ),
        (1..=100_000_000u64, any_positive(), 1..=1024u64, 1..=65_536u64)
            .prop_map(|(simulations, c, trees, memory)| Search::uct(simulations).c(c).trees(trees).tree_memory(memory)),
        (1..=1_000_000u64, 1..=u64::MAX).prop_map(|(width, samples)| Search::beam(width).samples(samples)),
        (1..=u64::MAX, any_positive()).prop_map(|(games, window)| Search::pool(games).window(window)),
    ];
    with_games(leaf).prop_recursive(8, 16, 3, |inner| {
        let searches = proptest::collection::vec(inner.clone(), 2..=4);
        let inner = inner.boxed();
        with_games(prop_oneof![
            (proptest::option::of(1..=u64::MAX), inner.clone()).prop_map(|(times, search)| match times {
                Some(times) => search.repeat(times),
                None => search.forever(),
            }),
            (1..=u64::MAX, inner.clone()).prop_map(|(times, search)| search.mean(times)),
            inner.clone().prop_filter_map("it starts with games and ends", |search| {
                let pool = Search::pool(9).first(search);
                pool.check().is_ok().then_some(pool)
            }),
            (proptest::option::of(any::<u64>()), inner.clone()).prop_filter_map(
                "it starts with a game and ends",
                |(count, search)| {
                    let improve = search.improve();
                    let improve = count.into_iter().fold(improve, |search, count| search.with("count", count));
                    improve.check().is_ok().then_some(improve)
                }
            ),
            (inner.clone(), any::<bool>()).prop_map(|(search, memory)| search.step().memory(memory)),
            (inner, any_ties()).prop_map(|(search, ties)| search.lookahead().ties(ties)),
            searches.prop_map(Search::portfolio),
        ])
    })
}

/// Whatever the text, the answer is a search that prints and parses back, or an error that points into the text and
/// can be shown on a terminal.
fn is_harmless(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<Search>() {
        Ok(search) => {
            prop_assert_eq!(search.check(), Ok(()));
            prop_assert_eq!(search.to_string().parse(), Ok(search));
        }
        Err(error) => {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column));
            prop_assert!(!error.to_string().contains(char::is_control), "{:?}", error.to_string());
            let lines: Vec<&str> = error.picture().split('\n').collect();
            prop_assert_eq!(lines.len(), 2);
            prop_assert!(!lines.concat().contains(char::is_control), "{:?}", lines);
            prop_assert!(lines[0].chars().count() <= 62 && lines[1].trim_start() == "^");
        }
    }
    Ok(())
}

fn any_token() -> impl Strategy<Value = &'static str> {
    let words = "playout repeat mean step lookahead nested reflexive nrpa uct dfs beam pool first improve strength portfolio memory ties off weights c 1 2 0.5";
    let signs = "( ( ) ) , , = = \" \\ \0 é";
    proptest::sample::select(words.split(' ').chain(signs.split(' ')).chain([" "]).collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn printed_searches_parse_back(search in any_search()) {
        prop_assert_eq!(search.check(), Ok(()));
        let text = search.to_string();
        let parsed: Search = text.parse().map_err(|error: ParseError| TestCaseError::fail(format!("{text}: {error}")))?;
        prop_assert_eq!(parsed.to_string(), text);
        prop_assert_eq!(parsed, search);
    }

    #[test]
    fn expansion_is_complete_and_stable(search in any_search()) {
        let (core, expanded) = (search.core(), search.expand());
        prop_assert!(!["nested", "reflexive"].contains(&core.name()));
        prop_assert_eq!(core.core(), core.clone());
        prop_assert_eq!(core.expand(), expanded.clone());
        prop_assert_eq!(expanded.expand(), expanded.clone());
        let inner: Vec<Search> = core.inner().iter().map(Search::expand).collect();
        prop_assert_eq!(inner.as_slice(), expanded.inner(), "the inner search needs nothing from the outer");
    }

    #[test]
    fn random_bytes_are_harmless(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        is_harmless(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn random_tokens_are_harmless(tokens in proptest::collection::vec(any_token(), 0..20)) {
        is_harmless(&tokens.concat())?;
    }

    #[test]
    fn damaged_texts_are_harmless(
        search in any_search(),
        at in any::<proptest::sample::Index>(),
        instead in "\\PC{0,2}|\\x00",
    ) {
        let mut characters: Vec<String> = search.to_string().chars().map(String::from).collect();
        let at = at.index(characters.len());
        characters[at] = instead;
        is_harmless(&characters.concat())?;
        is_harmless(&characters[..at].concat())?;
    }
}
