//! Graph colouring and conjectures about graphs: the laws, known values, eigenvalues.

use nestling::conformance::check;
use nestling::{Problem, Run, Stream};
use nestling_presentation::{Picture, Presentation};
use nestling_puzzles::colouring::{Colouring, Paint};
use nestling_puzzles::conjecture::{Conjecture, ConjectureTree, TOLERANCE, eigenvalues};
use nestling_puzzles::graph::{Graph, mycielski, queen};

fn random_graph(vertices: u16, percent: usize, seed: u64) -> Graph {
    let mut rng = Stream::new(seed).rng();
    let pairs = (0..vertices).flat_map(|one| (one + 1..vertices).map(move |other| (one, other)));
    Graph::new(vertices.into(), pairs.filter(|_| rng.below(100) < percent).collect::<Vec<_>>())
}

/// The chromatic number by trying all colourings with one colour more, again and again.
fn chromatic_number(graph: &Graph) -> usize {
    fn fits(graph: &Graph, colours: &mut Vec<usize>, most: usize) -> bool {
        let vertex = colours.len();
        if vertex == graph.vertices() {
            return true;
        }
        let used = colours.iter().max().map_or(0, |largest| largest + 1);
        (0..most.min(used + 1)).any(|colour| {
            let before = graph.neighbours(vertex as u16).iter().filter(|&&other| usize::from(other) < vertex);
            if before.copied().any(|other| colours[usize::from(other)] == colour) {
                return false;
            }
            colours.push(colour);
            fits(graph, colours, most) || colours.pop().is_none()
        })
    }
    (1..).find(|&most| fits(graph, &mut Vec::new(), most)).unwrap()
}

fn colours_found(problem: &Colouring, search: &str) -> f64 {
    Run::new(problem, search.parse().unwrap()).seed(1).start().unwrap().score().unwrap()
}

#[test]
fn colourings_conform() {
    check(&Colouring::new(mycielski(4)), 30).unwrap();
    check(&Colouring::new(queen(5)), 10).unwrap();
    check(&Colouring::new(Graph::new(3, [])), 5).unwrap();
    check(&Colouring::new(random_graph(90, 90, 1)), 2).unwrap();
}

#[test]
fn chromatic_numbers_are_found() {
    for k in 2..=5 {
        assert_eq!(
            colours_found(&Colouring::with(mycielski(k), Some(k + 1), false), "repeat(20, nested(1))"),
            (k + 1) as f64
        );
    }
    assert_eq!(colours_found(&Colouring::with(queen(5), Some(5), true), "repeat(20, nrpa(2))"), 5.0);
    for seed in 0..20 {
        let graph = random_graph(9, 50, seed);
        let exact = chromatic_number(&graph) as f64;
        let problem = Colouring::new(graph);
        assert!(problem.bound().unwrap() <= exact);
        assert_eq!(colours_found(&problem, "dfs"), exact, "seed {seed}");
    }
}

#[test]
fn wrong_colourings_are_refused() {
    let path = Colouring::new(Graph::read("p edge 3 2\ne 1 2\ne 2 3\n").unwrap());
    let paint = |vertex, colour| Paint { vertex, colour };
    assert_eq!(path.certify(&[paint(0, 0), paint(2, 0), paint(1, 1)]).unwrap().score, 2.0);
    let refused = |moves: &[Paint]| path.certify(moves).unwrap_err().to_string();
    assert_eq!(refused(&[paint(0, 0), paint(1, 0)]), "move 2: vertex 2 and its neighbour 1 would both have colour 1");
    assert_eq!(refused(&[paint(0, 0), paint(0, 0)]), "move 2: vertex 1 already has colour 1");
    assert_eq!(refused(&[paint(0, 1)]), "move 1: colour 2 is not the next new colour; 0 are in use");
    assert_eq!(refused(&[paint(9, 0)]), "move 1: there is no vertex 10; the graph has 3");
    assert_eq!(path.parse(&["2=1", "1=2", "3=2"]).unwrap().len(), 3);
    assert!(path.parse(&["2"]).unwrap_err().to_string().starts_with("move 1: \"2\" is not a move"));
}

#[test]
fn wrong_graphs_are_refused_with_their_line() {
    let cases = [
        ("", "line 1: no line p edge"),
        ("hello", "line 1: \"hello\" is not the beginning"),
        ("e 1 2", "line 1: an edge before the line p"),
        ("p edge 0 0", "line 1: \"0\" is not a number of vertices"),
        ("p edge", "line 1: write p edge"),
        ("c\np edge 2 1\ne 1 1", "line 3: an edge joins a vertex to itself"),
        ("p edge 2 1\ne 1", "line 2: an edge has two vertices"),
        ("p edge 2 1\np edge 2 1", "line 2: a second line p"),
    ];
    for (text, wanted) in cases {
        let message = Graph::read(text).unwrap_err().to_string();
        assert!(message.starts_with(wanted), "{message}");
    }
}

#[test]
fn eigenvalues_of_known_matrices_are_exact_to_twelve_digits() {
    // A path: 2 cos(kπ / (n + 1)). A complete graph: n − 1 and −1. The matrix of all distances of a path has the trace 0.
    for size in [1usize, 2, 3, 10, 40] {
        let mut path = vec![0.0; size * size];
        for place in 1..size {
            path[place * size + place - 1] = 1.0;
            path[(place - 1) * size + place] = 1.0;
        }
        for (k, value) in (1..).zip(eigenvalues(&mut path, size)) {
            let exact = 2.0 * (std::f64::consts::PI * f64::from(k) / (size + 1) as f64).cos();
            assert!((value - exact).abs() < 1e-12, "{size}: {value} for {exact}");
        }
        let mut complete: Vec<f64> = (0..size * size).map(|place| f64::from(place / size != place % size)).collect();
        let values = eigenvalues(&mut complete, size);
        assert!(
            (values[0] - (size - 1) as f64).abs() < 1e-12
                && values[1..].iter().all(|value| (value + 1.0).abs() < 1e-12)
        );
    }
    // Random matrices: the sums of the values and of their squares are those of the diagonal and of all squares.
    for seed in 0..20 {
        let (mut rng, size) = (Stream::new(seed).rng(), 30);
        let mut matrix = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let entry = rng.unit() * 2.0 - 1.0;
                matrix[row * size + column] = entry;
                matrix[column * size + row] = entry;
            }
        }
        let trace: f64 = (0..size).map(|place| matrix[place * size + place]).sum();
        let squares: f64 = matrix.iter().map(|entry| entry * entry).sum();
        let values = eigenvalues(&mut matrix, size);
        assert!((values.iter().sum::<f64>() - trace).abs() < 1e-11);
        assert!((values.iter().map(|value| value * value).sum::<f64>() - squares).abs() < 1e-10);
    }
}

#[test]
fn trees_conform() {
    check(&ConjectureTree::new(Conjecture::Matching, 12), 30).unwrap();
    check(&ConjectureTree::new(Conjecture::Proximity, 14), 20).unwrap();
}

/// The first vertices of these trees have the eigenvalue that is to be confirmed: an elimination that divides by the first pivots fails.
#[test]
fn eigenvalues_of_subtrees_do_no_harm() {
    for (vertices, parents) in [(10, "1 2 1 3 4 6 4 8 3"), (10, "1 1 3 2 5 4 6 8 7"), (12, "1 2 3 4 2 2 6 1 4 10 4")] {
        let moves: Vec<u16> = parents.split(' ').map(|parent| parent.parse::<u16>().unwrap() - 1).collect();
        let problem = ConjectureTree::new(Conjecture::Proximity, vertices);
        let certificate = problem.certify(&moves).unwrap();
        let score = nestling::state_after(&problem, &moves).score();
        assert!((certificate.score - score).abs() < 1e-9, "{parents}: {} and {score}", certificate.score);
    }
    // Every tree of a few hundred random ones is certified.
    check(&ConjectureTree::new(Conjecture::Proximity, 12), 300).unwrap();
}

/// Two stars of eight leaves each whose centres have a common neighbour: λ₁ = √10, μ = 2, and √10 + 2 < √18 + 1.
fn two_stars(leaves: [usize; 2]) -> Vec<u16> {
    [vec![0, 0], vec![1; leaves[0]], vec![2; leaves[1]]].concat()
}

#[test]
fn the_known_counter_example_with_19_vertices_refutes_and_changed_ones_do_not() {
    let problem = ConjectureTree::new(Conjecture::Matching, 19);
    let certificate = problem.certify(&two_stars([8, 8])).unwrap();
    assert!(certificate.terminal && (certificate.score - 0.080_363_026_9).abs() < 1e-9, "{}", certificate.score);
    // One leaf moved to the end of another: the matching has one edge more.
    let mut moved = two_stars([8, 8]);
    moved[17] = 18;
    assert_eq!(
        problem.certify(&moved[..]).unwrap_err().to_string(),
        "move 18: there is no vertex 19 yet; there are 18"
    );
    moved[17] = 17;
    assert!(problem.certify(&moved).unwrap().score < 0.0);
    // With 17 vertices both sides are equal: √9 + 2 = √16 + 1.
    let equal = ConjectureTree::new(Conjecture::Matching, 17).certify(&two_stars([7, 7])).unwrap().score;
    assert!(equal.abs() < 1e-12);
    assert!(
        problem
            .picture(&two_stars([8, 8]), &Picture::default())
            .unwrap()
            .contains("the conjecture is refuted, by 0.080363")
    );
}

#[test]
fn the_conjecture_on_matchings_is_refuted_again() {
    let problem = ConjectureTree::new(Conjecture::Matching, 19);
    let run = Run::new(&problem, "repeat(nrpa(2))".parse().unwrap()).seed(1).playouts(400_000).target(TOLERANCE);
    let outcome = run.start().unwrap();
    assert!(outcome.score().unwrap() > TOLERANCE, "{:?}", outcome.score());
}

/// A vertex with two paths of 7 and 5 vertices, and leaves.
fn arms_and_leaves(leaves: usize) -> Vec<u16> {
    [vec![0, 1, 2, 3, 4, 5, 6], vec![0, 8, 9, 10, 11], vec![0; leaves]].concat()
}

#[test]
fn the_known_counter_example_with_203_vertices_refutes_and_a_smaller_one_does_not() {
    let score = |leaves: usize| {
        let moves = arms_and_leaves(leaves);
        ConjectureTree::new(Conjecture::Proximity, moves.len() + 1).certify(&moves).unwrap().score
    };
    // n = 203: π = 1.153465, k = 8, ∂₈ = −1.153750.
    assert!((score(190) - 0.000_284_963).abs() < 1e-8, "{}", score(190));
    assert!(score(190) > TOLERANCE && score(189) < 0.0);
}
