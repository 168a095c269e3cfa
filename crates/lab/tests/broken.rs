//! A broken experiment is refused with its file, the line and the field.

use nestling_lab::Experiment;
use nestling_registry::Registry;

const GOOD: &str = r#"title = "A table"
paper = "by hand"
source = ["Table 1"]
games = ["sampling"]

[[series]]
name = "sampling"
problem = "left-move:{depth}"
search = "repeat({games}, playout)"
time = "10s"
runs = 20
least = 5
over = { games = [1, 10], depth = [5, 6] }

[[series]]
name = "exact"
problem = "left-move:5"
exact = "nested(1)"
runs = 1

[[series]]
name = "match"
problem = "quarto"
player = "uct(10)"
opponent = "second"

[[claim]]
of = "sampling[games=10]"
kind = "mean"
published = [3, 4.5]
margin = 0.1

[[claim]]
of = "sampling[games=1, depth=5]"
than = "exact"
kind = "distribution"

[[plot]]
kind = "curve"
series = ["sampling"]
x = "games"
"#;

/// What is said of the file with one text replaced by another.
fn said(old: &str, new: &str) -> String {
    assert!(GOOD.contains(old), "{old}");
    let text = GOOD.replacen(old, new, 1);
    let error = Experiment::read("folder/mine.toml", &text, &Registry::standard()).expect_err(new);
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
    error.to_string()
}

#[test]
fn the_good_one_is_read() {
    let experiment = Experiment::read("folder/mine.toml", GOOD, &Registry::standard()).unwrap();
    assert_eq!((experiment.id.as_str(), experiment.series[0].rows.len()), ("mine", 4));
    assert_eq!(experiment.label(0, 1), "sampling, games 1, depth 6");
}

#[test]
fn every_mistake_has_its_place() {
    let cases = [
        ("title = \"A table\"\n", "", "line 1", "missing field `title`"),
        ("paper = \"by hand\"", "paper = \"by hand", "line 2", "paper"),
        ("runs = 20", "rums = 20", "line 11: rums", "unknown field"),
        ("runs = 20", "runs = \"many\"", "line 11: runs", "invalid type"),
        ("runs = 20", "runs = 3", "line 12: runs", "least = 5 must be from 1 to the number of runs, 3"),
        ("least = 5", "least = 0", "line 12: runs", "least = 0 must be from 1"),
        ("least = 5", "share = 0.0", "line 12: share", "between 0.1 and 100"),
        ("left-move:{depth}", "left-mobe:{depth}", "line 8: problem", "did you mean left-move"),
        ("left-move:{depth}", "left-move:{width}", "line 8: problem", "no axis \"width\"; there are games, depth"),
        ("left-move:{depth}", "left-move:{depth", "line 8: problem", "brace"),
        ("repeat({games}, playout)", "repeat({games}, playot)", "line 9: search", "playout"),
        ("repeat({games}, playout)", "repeat(playout)\"\ntrack = \"no", "line 10: track", "invalid type"),
        ("repeat({games}, playout)", "nrpa(1, warm=f)", "line 9: search", "cannot read files"),
        ("time = \"10s\"", "time = \"long\"", "line 10: time", "write 30s"),
        ("time = \"10s\"", "playouts = \"{depth}x\"", "line 10: playouts", "not a number of playouts"),
        ("time = \"10s\"", "parts = 3", "line 8: parts", "{part}"),
        ("games = [1, 10]", "games = []", "line 13: over.games", "no values"),
        ("games = [1, 10]", "run = [1, 10]", "line 13: over.run", "cannot be an axis"),
        ("exact = \"nested(1)\"", "exact = \"nrpa(1)\"", "line 18: exact", "known for nested"),
        (
            "exact = \"nested(1)\"",
            "exact = \"nested(1)\"\nsearch = \"playout\"",
            "line 16: series",
            "exactly one of search",
        ),
        ("problem = \"left-move:5\"", "problem = \"left-move\"", "line 17: problem", "left-move:DEPTH"),
        ("player = \"uct(10)\"", "player = \"uct(ten)\"", "line 24: player", "uct"),
        ("opponent = \"second\"", "", "line 24: opponent", "missing"),
        ("name = \"exact\"", "name = \"sampling\"", "line 16: name", "another series"),
        ("games = [\"sampling\"]", "games = [\"simpling\"]", "line 4: games", "there is no series \"simpling\""),
        ("of = \"sampling[games=10]\"", "of = \"samples\"", "line 28: of", "there is no series \"samples\""),
        ("sampling[games=10]", "sampling[games=7]", "line 28: of", "no row"),
        ("sampling[games=10]", "sampling[size=7]", "line 28: of", "no axis \"size\""),
        ("kind = \"mean\"", "kind = \"meen\"", "line 29: kind", "unknown variant"),
        ("kind = \"mean\"", "kind = \"better\"", "line 29: than", "needs a series to compare with"),
        ("kind = \"mean\"", "kind = \"peak\"", "line 29: of", "at least three"),
        ("published = [3, 4.5]", "published = [3]", "line 30: published", "1 numbers for 2 rows"),
        ("published = [3, 4.5]", "published = [3, \"four\"]", "line 30: published", "\"four\" is not a number"),
        ("published = [3, 4.5]", "part = 2\npublished = [3, 4]", "line 30: part", "no such part"),
        ("published = [3, 4.5]\n", "", "line 29: published", "needs the published number"),
        ("kind = \"mean\"", "what = \"found\"\nkind = \"mean\"", "line 30: what", "track = true"),
        ("margin = 0.1\n", "", "line 29: margin", "needs a margin: the difference"),
        ("margin = 0.1", "margin = -1", "line 31: margin", "not negative"),
        ("kind = \"mean\"", "kind = \"time\"", "line 31: margin", "a factor above 1"),
        ("kind = \"mean\"", "kind = \"record\"", "line 31: margin", "has no margin"),
        (
            "kind = \"mean\"\npublished = [3, 4.5]",
            "kind = \"alike\"\nthan = \"sampling[games=1]\"\nwhat = \"seconds\"",
            "line 29: kind",
            "compared by kind = \"ratio\"",
        ),
        ("than = \"exact\"", "than = \"match\"", "line 36: than", "exact"),
        ("x = \"games\"", "x = \"level\"", "line 41: x", "axis"),
        ("kind = \"curve\"", "kind = \"progress\"", "line 41: x", "seconds or playouts"),
    ];
    for (old, new, place, reason) in cases {
        let said = said(old, new);
        assert!(said.starts_with("folder/mine.toml, line "), "{said}");
        assert!(said.contains(place) && said.contains(reason), "{place}, {reason}: {said}");
    }
}
