//! The pages of this folder, for `nestling help TOPIC`. `scripts/docs` makes the site of the same files.

/// A page of the documentation.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Its name for `nestling help`.
    pub topic: &'static str,
    /// What it is about, in a line.
    pub about: &'static str,
    /// The page, as Markdown.
    pub text: &'static str,
    /// The name of its file.
    pub file: &'static str,
}

macro_rules! pages {
    ($($topic:literal $file:literal $about:literal)*) => {
        /// All pages, in the order in which one reads them.
        pub const PAGES: &[Page] =
            &[$(Page { topic: $topic, about: $about, text: include_str!($file), file: $file }),*];
    };
}

pages! {
    "first-steps" "FIRST_STEPS.md" "ten minutes from nothing to a search on your own puzzle"
    "concepts" "CONCEPTS.md" "searches as expressions, seeds, verified games: the ideas in a page"
    "guide" "GUIDE.md" "how to do everything, topic by topic"
    "faq" "FAQ.md" "questions and answers"
    "searches" "SEARCHES.md" "every search and every player with its options"
    "defaults" "DEFAULTS.md" "the search that runs without -s, and the measurements behind it"
    "algorithms" "ALGORITHMS.md" "exact definitions of searches, problems and files, with their papers"
    "experiments" "LAB.md" "the lab: the experiments of five papers, and your own"
    "gpu" "GPU.md" "searches on NVIDIA GPUs"
    "clusters" "CLUSTER.md" "one run on many machines"
    "performance" "PERFORMANCE.md" "the speed of the Morpion Solitaire engine"
    "beyond" "BEYOND.md" "what Nestling adds to the papers"
    "versions" "VERSIONS.md" "versions, and which stored files each of them reads"
    "releases" "RELEASES.md" "packages and how to install them; how a release was tested and fuzzed"
    "source" "MAP.md" "the map of the source"
}
