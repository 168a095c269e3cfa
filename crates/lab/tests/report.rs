//! The report shows what was measured and nothing else.

use crate::common::{SERIES, experiment, fill, store};
use nestling_lab::{Report, ReportFile, standard};
use nestling_registry::Registry;

fn file<'a>(files: &'a [ReportFile], name: &str) -> &'a str {
    &files.iter().find(|file| file.name == name).unwrap().contents
}

/// With an empty store every claim is there with what was published, and not one number is ours.
#[test]
fn an_empty_store_gives_no_numbers() {
    let (_folder, store) = store();
    let (registry, experiments) = (Registry::standard(), standard());
    let report = Report::new(&store, &registry, &experiments).unwrap();
    let files = report.files();
    assert_eq!(files.len(), 3, "nothing to draw");
    let markdown = file(&files, "report.md");
    let mut claims = 0;
    for line in markdown.lines().filter(|line| line.starts_with("| ") && line.matches(" | ").count() == 7) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if cells[2] == "published" {
            continue;
        }
        claims += 1;
        assert_eq!(cells[3], "—", "{line}");
        assert_eq!((cells[4], cells[5]), ("", ""), "{line}");
        assert!(matches!(cells[6], "not run" | "only shown"), "{line}");
    }
    assert!(claims > 150, "{claims}");
    let html = file(&files, "index.html");
    for experiment in &experiments {
        assert!(html.contains(&format!("id=\"{}\"", experiment.id)), "{} has no section", experiment.id);
    }
    assert!(!html.contains("<polyline") && !html.contains("<img"), "there is nothing to draw");
    assert!(html.contains("Nothing has been run yet"));
}

/// Rows with readings stand beside rows without; what was measured is there, what was not is said to be missing.
#[test]
fn a_store_with_holes_gives_a_page_with_holes() {
    let claims = "
[[claim]]
of = \"depth\"
kind = \"mean\"
margin = 1
published = [5, 10, 15, 20]
[[claim]]
text = \"one is better\"
of = \"one\"
than = \"other\"
kind = \"better\"
[[plot]]
kind = \"curve\"
series = [\"depth\"]
x = \"depth\"
";
    let experiments = [experiment(&format!("{SERIES}{claims}"))];
    let (_folder, mut store) = store();
    let around = |score: f64| (0..10).map(|index| score + 0.25 * f64::from(index % 2)).collect::<Vec<_>>();
    fill(&mut store, &experiments[0], 2, 1, &around(7654.0), 0.125);
    fill(&mut store, &experiments[0], 2, 3, &around(4321.0), 0.125);
    fill(&mut store, &experiments[0], 0, 0, &around(1111.0), 0.125);
    store.add_readings(&experiments[0].row(1, 0).sizes[0].definition.key(), 1, 0, 0, "it <broke> down").unwrap();
    let files = Report::new(&store, &Registry::standard(), &experiments).unwrap().files();
    let markdown = file(&files, "report.md");
    let line =
        |label: &str| markdown.lines().find(|line| line.starts_with(&format!("| {label} |"))).unwrap().to_owned();
    assert!(line("depth, depth 20").contains("7,654"), "{markdown}");
    assert!(line("depth, depth 40").contains("4,321"), "{markdown}");
    // Ten of the hundred runs were made, an eighth of a second each.
    let verdict = "undecided (needs 90 more runs, 11 s of one core)";
    assert!(line("depth, depth 20").contains(verdict), "{}", line("depth, depth 20"));
    assert!(line("test").contains("| undecided | 90 | 11 s | not measured |"), "what would decide is listed");
    assert!(line("undecided").contains("| undecided | 2 | 0 |") && line("not run").contains("| 3 | 0 |"), "{markdown}");
    // 90 more runs of three rows, and those of three that nobody has made yet.
    let needed = "Together these take 34 s of one core here, and the runs of 3 rows whose time is not known yet";
    assert!(markdown.contains(needed), "{markdown}");
    for missing in ["depth, depth 10", "depth, depth 30"] {
        assert!(line(missing).contains("| — |  |  | not run | not run yet |"), "{}", line(missing));
    }
    assert!(line("one is better").contains("| — |  |  | not run | it <broke> down |"), "{}", line("one is better"));
    let html = file(&files, "index.html");
    assert!(html.contains("it &lt;broke&gt; down") && !html.contains("<broke>"), "texts are escaped");
    // Two points on the curve, and nothing where nothing was measured.
    let curve = html.split("points=\"").nth(2).unwrap().split('"').next().unwrap();
    assert_eq!(curve.split(' ').count(), 2, "{curve}");
}

/// How to cite the report: with the machine and the documents, as YAML that is also lines of `key: "text"`.
#[test]
fn a_report_says_how_to_cite_it() {
    let (_folder, store) = store();
    let experiments = standard();
    let files = Report::new(&store, &Registry::standard(), &experiments[..]).unwrap().files();
    let citation = file(&files, "CITATION.cff");
    for line in [
        "cff-version: 1.2.0",
        "type: dataset",
        "references:",
        "    title: \"Reflexive Monte-Carlo Search\"",
        "    year: 2022",
    ] {
        assert!(citation.lines().any(|other| other == line), "{line}: {citation}");
    }
    assert_eq!(citation.matches("  - type: generic").count(), nestling_lab::papers().len(), "every source");
    assert!(citation.contains("Nothing has been run yet."));
}

/// A page is one file: nothing in it is loaded from anywhere.
#[test]
fn the_page_needs_nothing_else() {
    let (_folder, store) = store();
    let experiments = standard();
    let files = Report::new(&store, &Registry::standard(), &experiments).unwrap().files();
    let html = file(&files, "index.html");
    for link in html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let target = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads away"));
        assert!(html.contains(&format!("id=\"{target}\"")), "{link} leads nowhere");
    }
    assert!(!html.contains("src=\"http") && !html.contains("<script") && !html.contains("url("));
}
