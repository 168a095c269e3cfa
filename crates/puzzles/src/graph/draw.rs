//! Pictures of graphs.

use nestling_presentation::{Colours, Picture, Sheet};

use super::Graph;

/// The side of the square for the vertices.
const SIDE: f64 = 900.0;

/// A graph as it is drawn: vertices as discs, edges as straight lines.
#[derive(Debug)]
pub struct Drawing<'g> {
    graph: &'g Graph,
    /// By vertex: in a square of side 1, the origin at the upper left.
    points: Vec<(f64, f64)>,
}

impl<'g> Drawing<'g> {
    /// The vertices on a circle.
    pub fn circle(graph: &'g Graph) -> Self {
        let count = graph.vertices();
        let point = |vertex: usize| {
            let angle = std::f64::consts::TAU * vertex as f64 / count as f64;
            (0.5 + 0.5 * angle.sin(), 0.5 - 0.5 * angle.cos())
        };
        Drawing { graph, points: (0..count).map(point).collect() }
    }

    /// The vertices row by row in a square, if their number is a square, as of queen graphs.
    pub fn board(graph: &'g Graph) -> Self {
        let side = (graph.vertices() as f64).sqrt().ceil().max(1.0) as usize;
        let place = |cell: usize| (cell as f64 + 0.5) / side as f64;
        Drawing {
            graph,
            points: (0..graph.vertices()).map(|vertex| (place(vertex % side), place(vertex / side))).collect(),
        }
    }

    /// A tree from its root, vertex 0: leaves side by side, every other vertex above the middle of its children.
    pub fn tree(graph: &'g Graph) -> Self {
        let count = graph.vertices();
        let (mut order, mut parent) = (vec![0u16], vec![u16::MAX; count]);
        let mut depth = vec![0usize; count];
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            let above = parent[usize::from(vertex)];
            for &child in graph.neighbours(vertex).iter().filter(|&&other| other != above) {
                parent[usize::from(child)] = vertex;
                depth[usize::from(child)] = depth[usize::from(vertex)] + 1;
                order.push(child);
            }
        }
        // The leaves below each vertex, and how many leaves come before them.
        let mut leaves = vec![0usize; count];
        for &vertex in order.iter().rev() {
            leaves[usize::from(vertex)] = leaves[usize::from(vertex)].max(1);
            if let Some(above) = leaves.get(usize::from(parent[usize::from(vertex)])).copied() {
                leaves[usize::from(parent[usize::from(vertex)])] = above + leaves[usize::from(vertex)];
            }
        }
        let mut before = vec![0usize; count];
        for &vertex in &order {
            let mut left = before[usize::from(vertex)];
            for &child in graph.neighbours(vertex).iter().filter(|&&other| other != parent[usize::from(vertex)]) {
                before[usize::from(child)] = left;
                left += leaves[usize::from(child)];
            }
        }
        let levels = depth.iter().max().map_or(1, |deepest| deepest + 1) as f64;
        let point = |vertex: usize| {
            let across = (before[vertex] as f64 + leaves[vertex] as f64 / 2.0) / leaves[0] as f64;
            (across, (depth[vertex] as f64 + 0.5) / levels)
        };
        Drawing { points: (0..count).map(point).collect(), graph }
    }

    /// The picture: `disc` gives the colour and the text of a vertex.
    pub fn svg(&self, title: &str, picture: &Picture, disc: impl Fn(u16) -> (&'static str, String)) -> String {
        let mut sheet = Sheet::new(SIDE, SIDE, title, picture);
        let Colours { grid, ink, .. } = picture.theme.colours();
        let radius = (SIDE / (self.graph.vertices() as f64).sqrt() / 5.0).clamp(3.0, 18.0);
        let inner = SIDE - 2.0 * radius;
        let place = |vertex: u16| {
            let (x, y) = self.points[usize::from(vertex)];
            (radius + x * inner, radius + y * inner)
        };
        for (one, other) in self.graph.edges() {
            let ((x, y), (to_x, to_y)) = (place(one), place(other));
            sheet.put(format_args!(
                "<path stroke=\"{grid}\" stroke-width=\"1.5\" d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\"/>\n"
            ));
        }
        for vertex in 0..self.graph.vertices() as u16 {
            let ((x, y), (fill, text)) = (place(vertex), disc(vertex));
            sheet.put(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{ink}\"><title>{}</title></circle>\n",
                vertex + 1
            ));
            if radius > 8.0 {
                // Dark ink on light discs, whatever the theme.
                let (y, size) = (y + radius * 0.35, radius);
                sheet.put(format_args!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.0}\" text-anchor=\"middle\" fill=\"#1d2733\">{text}</text>\n"
                ));
            }
        }
        sheet.finished()
    }
}
