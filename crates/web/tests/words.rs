//! The texts of the pages are in one file: none is left in the templates, nor in the scripts that have been moved; none is missing or unused.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders of scripts whose texts are in the file: all but that of the browser's own service, whose texts are refusals, as those of the server.
const MOVED: &[&str] = &["core", "home", "morpion", "problems", "quarto", "runs", "samegame", "sudoku", "tours"];

/// What reads like a text in scripts and is none: classes of elements, lengths, names of keys, and of what is kept by its name.
const NOT_TEXTS: &[&str] = &[
    "card plain",
    "px px",
    "verdict guess",
    "shape outline",
    "way ghost",
    "stop depot",
    "Enter",
    "Escape",
    "Delete",
    "Backspace",
    "Files",
    "Morpion",
    "Quarto",
    "SameGame",
    "Sudoku",
    "Kakuro",
    "Tours",
];

/// What stays in templates: comments, pictures, names of keys, examples of input, the name of the program.
const NOT_WORDS: &[(&str, &str)] =
    &[("<!--", "-->"), ("<svg", "</svg>"), ("<kbd>", "</kbd>"), ("<code>", "</code>"), ("class=\"mark\">", "<")];

/// The attributes that people read or hear.
const READ: &[&str] = &["aria-label", "title", "alt", "placeholder"];

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

/// The files of a folder with an ending, and their texts.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(assets().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let wanted = entries.filter(|path| path.extension().is_some_and(|found| found == ending));
    wanted.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap())).collect()
}

/// The scripts whose texts are in the file. Of the browser's own service, one speaks to people itself.
fn moved() -> Vec<(String, String)> {
    let folders = MOVED.iter().flat_map(|folder| files(folder, "js"));
    folders.chain(files("tab", "js").into_iter().filter(|(path, _)| path.ends_with("backend.js"))).collect()
}

fn templates() -> Vec<(String, String)> {
    [files("", "html"), files("parts", "html")].concat()
}

/// The names and texts of the file.
fn words() -> Vec<(String, String)> {
    let module = std::fs::read_to_string(assets().join("words/en.js")).unwrap();
    let lines = module.lines().skip_while(|line| !line.starts_with("export")).skip(1).take_while(|line| *line != "}");
    lines
        .map(|line| {
            let text = line.strip_prefix("  '").and_then(|line| line.strip_suffix("',"));
            let (name, text) = text.and_then(|text| text.split_once("': '")).unwrap_or_else(|| panic!("{line}"));
            (name.to_owned(), text.to_owned())
        })
        .collect()
}

/// A text without everything between some marks.
fn without(text: &str, start: &str, end: &str) -> String {
    let mut pieces = text.split(start);
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |kept, piece| kept + piece.split_once(end).map_or("", |(_, rest)| rest))
}

/// Two letters, one after the other.
fn has_words(text: &str) -> bool {
    let letters: Vec<bool> = text.chars().map(char::is_alphabetic).collect();
    letters.windows(2).any(|pair| pair[0] && pair[1])
}

/// What people read in a template, texts and attributes, without what the file has.
fn left(html: &str) -> Vec<String> {
    let html = NOT_WORDS.iter().fold(html.to_owned(), |html, (start, end)| without(&html, start, end));
    let html = without(&html, "{{", "}}");
    let mut left = Vec::new();
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap_or((piece, ""));
        let value = |name: &&str| Some(tag.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.to_owned());
        left.extend(READ.iter().filter_map(value));
        left.push(text.trim().to_owned());
    }
    // Several lines are an example of input.
    left.retain(|text| has_words(text) && !text.contains("&#10;"));
    left
}

/// The texts in single quotes and backquotes of a line of JavaScript, without those that are names of words.
fn quoted(line: &str) -> Vec<String> {
    let code = line.split("// ").next().unwrap_or_default();
    let odd = |quote: char| code.split(quote).skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let texts = [odd('\''), odd('`')].concat();
    texts.into_iter().map(|text| without(&text, "${", "}")).collect()
}

/// Whether a text reads like a sentence: a word of some letters, a blank, and another one; or a single word with a capital.
fn is_sentence(text: &str) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.chars().all(char::is_alphabetic);
    let words: Vec<&str> = text.trim().split(' ').collect();
    let is_title = |word: &str| {
        let word = word.trim_end_matches(['.', '!', '…', ':']);
        is_word(word) && word.starts_with(char::is_uppercase) && word.chars().skip(1).all(char::is_lowercase)
    };
    !NOT_TEXTS.contains(&text.trim())
        && (words.windows(2).any(|pair| is_word(pair[0]) && is_word(pair[1]))
            || (words.len() == 1 && is_title(words[0])))
}

#[test]
fn templates_have_no_texts_of_their_own() {
    for (path, html) in templates() {
        assert_eq!(left(&html), Vec::<String>::new(), "{path}: move these texts to words/en.js");
    }
}

#[test]
fn moved_scripts_have_no_texts_of_their_own() {
    for (path, script) in moved() {
        let is_code = |line: &&str| !line.trim_start().starts_with(['/', '*']) && !line.starts_with("import ");
        let mut texts: Vec<String> =
            script.lines().filter(is_code).flat_map(quoted).filter(|text| is_sentence(text)).collect();
        // HTML in a script, over several lines.
        for html in script.split("= `\n").skip(1).filter_map(|rest| rest.split("\n`").next()) {
            texts.extend(left(&without(html, "${", "}")));
        }
        assert_eq!(texts, Vec::<String>::new(), "{path}: move these texts to words/en.js");
    }
}

#[test]
fn words_are_complete_and_all_used() {
    let known: Vec<String> = words().into_iter().map(|(name, _)| name).collect();
    let all: BTreeSet<&str> = known.iter().map(String::as_str).collect();
    assert_eq!(all.len(), known.len(), "a name is there twice");
    let mut used = BTreeSet::new();
    for (path, html) in templates() {
        for name in html.split("{{").skip(1).map(|piece| piece.split("}}").next().unwrap()) {
            assert!(all.contains(name), "{path}: words/en.js has no {name}");
            used.insert(name.to_owned());
        }
    }
    // Types say whether scripts use names that are there.
    for (_, script) in moved() {
        used.extend(known.iter().filter(|name| script.contains(&format!("'{name}'"))).cloned());
    }
    let unused: Vec<&&str> = all.iter().filter(|name| !used.contains(**name)).collect();
    assert!(unused.is_empty(), "nothing uses {unused:?}");
    for (name, text) in words() {
        assert!(!text.is_empty() && !text.contains(['<', '>', '&', '"', '\\']), "{name}: {text}");
    }
}

/// The tests notice what they are for.
#[test]
fn texts_are_noticed() {
    assert_eq!(left("<p title=\"a hint\">Some <b>words</b> {{known}}</p>"), ["a hint", "Some", "words"]);
    assert_eq!(left("<p>{{known}} <kbd>Enter</kbd> 0 / 0</p><!-- a note -->"), Vec::<String>::new());
    let texts: Vec<String> = quoted("say(`${n} games so far`, 'two words', 'click')");
    assert_eq!(texts.iter().filter(|text| is_sentence(text)).count(), 2);
    assert!(is_sentence("Solved.") && is_sentence("Close") && !is_sentence("POST") && !is_sentence("Enter"));
}

/// No page that is sent has a name of a word left.
#[test]
fn pages_are_sent_with_their_texts() {
    let serving = crate::common::Serving::start();
    for name in nestling_web::Server::pages() {
        let page = String::from_utf8(serving.get(&format!("/{name}")).body).unwrap();
        assert!(!page.contains("{{") && !page.contains("shared."), "{name}");
    }
    assert!(String::from_utf8(serving.get("/sudoku").body).unwrap().contains("Explain the next step"));
}
