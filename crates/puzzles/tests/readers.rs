//! Untrusted texts, for all readers: each is read or refused with a short line, in linear time.

use nestling_puzzles::kakuro::{Kakuro, SumBounds};
use nestling_puzzles::samegame::SameGameBoard;
use nestling_puzzles::sudoku::Sudoku;
use nestling_puzzles::tsptw::TourInstance;
use proptest::prelude::*;

/// Texts as the readers know them, to be damaged.
const TEXTS: [&str; 12] = [
    "1...\n..3.\n.4..\n...2\n",
    "2\n1\n1\t-1\t-1\t-1\t\n-1\t-1\t3\t-1\t\n-1\t4\t-1\t-1\t\n-1\t-1\t-1\t2\t\n",
    "+---+---+\n|1 .|. .|\n|. .|3 .|\n+---+---+\n|. 4|. .|\n|. .|. 2|\n+---+---+\n",
    "[[1,0,0,0],\n[0,0,3,0],\n[0,4,0,0],\n[0,0,0,2]]\n",
    "#   3\\  4\\\n\\4  .   .\n\\3  .   .\n",
    "3 3 TAB\n\\\t3\\\t4\\\n\\4\tx\tx\n\\3\tx\tx\n",
    "values 4\n3 4\n4\n3\n",
    "|  x  | 3\\  | 4\\  |\n|  \\ 4|  -  |  -  |\n|---|---|---|\n|  \\ 3|  -  |  -  |\n",
    "3\n0 1 2\n3 0 4\n5 6 0\n0 9\n0 9\n0 9\n# Sum of service times: 0\n",
    "name;x;y;earliest;latest;service\nhome;0;0;08:00;17:00;\n\"a; b\";1,5;-2;9:00;;0:10\n",
    "name\tearliest\ta\tb\na\t0\t0\t1\nb\t0\t1\t0\n",
    "011\n001\n\n22\n22\n",
];

/// What all readers make of a text; every error is a short line.
fn presentable(text: &str) {
    let errors = [
        Sudoku::read(text).err().map(|error| error.to_string()),
        Kakuro::read(text, None, SumBounds::Weak).err().map(|error| error.to_string()),
        SameGameBoard::read(text).err().map(|error| error.to_string()),
        TourInstance::read(text).err().map(|error| error.to_string()),
    ];
    for error in errors.into_iter().flatten() {
        assert!(error.chars().count() < 250 && !error.contains(char::is_control), "{error:?}");
    }
}

/// A text with up to eight pieces taken out, put in from another, or exchanged for a symbol that means something.
fn damaged() -> impl Strategy<Value = String> {
    let symbols = prop::sample::select(vec![
        "-",
        "|",
        "\\",
        "/",
        ":",
        ",",
        ";",
        "\t",
        "\n",
        "\r\n",
        "#",
        "\"",
        "[",
        "-1",
        "x",
        "0",
        ".",
        "_",
        "é",
        "\u{1b}",
        "│",
        "=",
        "99999999999999999999",
        "08:00",
        "name",
        "earliest",
        "1e308",
        "NaN",
    ]);
    let change = (any::<prop::sample::Index>(), 0..8usize, symbols, any::<bool>());
    let texts = prop::sample::select(TEXTS.to_vec());
    (texts, prop::collection::vec(change, 0..8)).prop_map(|(text, changes)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (place, length, symbol, insert) in changes {
            let start = place.index(characters.len() + 1);
            let end = (start + length).min(characters.len());
            let new = if insert { symbol.chars().collect() } else { Vec::new() };
            characters.splice(start..end, new);
        }
        characters.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn damaged_texts_are_read_or_refused(text in damaged()) {
        presentable(&text);
    }

    #[test]
    fn any_texts_are_read_or_refused(text in "([-0-9.,;:|/\\\\_x#+= \t\r\n\"a-f]|\\PC){0,200}") {
        presentable(&text);
    }
}

#[test]
fn a_large_text_is_read_or_refused() {
    large_texts_are_read_or_refused(1 << 18);
}

#[test]
#[ignore = "half a minute; scripts/soak runs it"]
fn a_megabyte_is_read_or_refused() {
    large_texts_are_read_or_refused(1 << 20);
}

/// So many bytes of text that means something to a reader. A reader of quadratic time would not finish.
fn large_texts_are_read_or_refused(size: usize) {
    let fillers = [
        "1",
        "1 ",
        "1\n",
        "1\n\n",
        ".",
        ".\n",
        "-",
        "-\n",
        "- ",
        "|",
        "|\n",
        "+\n",
        ",",
        ",\n",
        ";",
        "x,",
        "x ",
        "\\ ",
        "#",
        "#\n",
        "# ",
        "\n",
        "\"",
        "\"\n",
        "\t",
        "[",
        "[\n",
        "1;2\n",
        "a,b\n",
        "x,y\n",
        "8:00,",
        "values 3\n",
        "2\n0 1\n1 0\n",
        "é",
    ];
    for filler in fillers {
        presentable(&filler.repeat(size / filler.len()));
        let after = filler.repeat(size / 8 / filler.len());
        TEXTS.iter().for_each(|text| presentable(&format!("{text}{after}")));
    }
    // The sums of many columns, then of as many rows.
    presentable(&format!("{}\n{}", "1 ".repeat(size), "1\n".repeat(size)));
}

/// The line that announces the size of a Kakuro, with nothing below it.
#[test]
fn a_size_without_a_grid_is_refused() {
    ["\t0,\t0,\t\t", "0,0,", "3 3", "0 0 x\n\n1 1\n"].into_iter().for_each(presentable);
    assert!(Kakuro::read("0,0,", None, SumBounds::Weak).is_err());
}
