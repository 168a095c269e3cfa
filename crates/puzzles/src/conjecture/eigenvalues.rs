//! Eigenvalues of symmetric matrices, with the same bits on every machine: additions, multiplications, divisions and square roots in a fixed
//! order, and nothing that depends on the instruction set.
//!
//! Householder's reduction to a tridiagonal matrix, then the implicit QL algorithm: Wilkinson and Reinsch, *Handbook for Automatic
//! Computation, Linear Algebra*, 1971.

/// The most QL steps for one eigenvalue; they need two or three.
const MOST_STEPS: usize = 60;

/// The eigenvalues of a symmetric matrix, the largest first. The matrix is given by rows, and destroyed.
///
/// ```
/// use nestling_puzzles::conjecture::eigenvalues;
/// let values = eigenvalues(&mut [0.0, 1.0, 1.0, 0.0], 2);
/// assert!((values[0] - 1.0).abs() < 1e-14 && (values[1] + 1.0).abs() < 1e-14);
/// ```
///
/// # Panics
///
/// If the matrix does not have `size` rows, or has an entry that is not finite.
pub fn eigenvalues(matrix: &mut [f64], size: usize) -> Vec<f64> {
    assert!(matrix.len() == size * size && matrix.iter().all(|entry| entry.is_finite()), "a matrix of finite numbers");
    let (mut diagonal, mut beside) = tridiagonal(matrix, size);
    ql(&mut diagonal, &mut beside);
    diagonal.sort_unstable_by(|one, other| other.total_cmp(one));
    diagonal
}

/// The diagonal of a tridiagonal matrix with the same eigenvalues, and the entries beside it, a 0 behind them.
fn tridiagonal(matrix: &mut [f64], size: usize) -> (Vec<f64>, Vec<f64>) {
    let at = |row: usize, column: usize| row * size + column;
    let (mut diagonal, mut beside) = (vec![0.0; size], vec![0.0; size]);
    let mut product = vec![0.0; size];
    for column in 0..size.saturating_sub(1) {
        diagonal[column] = matrix[at(column, column)];
        // The vector x below the diagonal becomes (±|x|, 0, …) by a reflection along v = x ∓ |x| e.
        let first = column + 1;
        let norm = (first..size).map(|row| matrix[at(row, column)] * matrix[at(row, column)]).sum::<f64>().sqrt();
        let head = matrix[at(first, column)];
        let target = if head > 0.0 { -norm } else { norm };
        beside[column] = target;
        // |v|² / 2
        let half = norm * norm - target * head;
        if half == 0.0 {
            continue;
        }
        matrix[at(first, column)] = head - target;
        // p = A v / h, and q = p − (v·p / 2h) v; then A becomes A − v qᵀ − q vᵀ.
        for row in first..size {
            product[row] =
                (first..size).map(|other| matrix[at(row, other)] * matrix[at(other, column)]).sum::<f64>() / half;
        }
        let share = (first..size).map(|row| matrix[at(row, column)] * product[row]).sum::<f64>() / (2.0 * half);
        for row in first..size {
            product[row] -= share * matrix[at(row, column)];
        }
        for row in first..size {
            for other in first..size {
                matrix[at(row, other)] -=
                    matrix[at(row, column)] * product[other] + product[row] * matrix[at(other, column)];
            }
        }
    }
    if size > 0 {
        diagonal[size - 1] = matrix[at(size - 1, size - 1)];
    }
    (diagonal, beside)
}

/// Makes a tridiagonal matrix diagonal by rotations.
fn ql(diagonal: &mut [f64], beside: &mut [f64]) {
    let size = diagonal.len();
    for first in 0..size {
        for _ in 0..MOST_STEPS {
            let is_small = |place: usize| {
                let near = diagonal[place].abs() + diagonal[place + 1].abs();
                beside[place].abs() <= f64::EPSILON * near
            };
            let last = (first..size.saturating_sub(1)).find(|&place| is_small(place)).unwrap_or(size - 1);
            if last == first {
                break;
            }
            rotate(diagonal, beside, first, last);
        }
    }
}

/// One implicit QL step of the block from `first` to `last`.
fn rotate(diagonal: &mut [f64], beside: &mut [f64], first: usize, last: usize) {
    let slope = (diagonal[first + 1] - diagonal[first]) / (2.0 * beside[first]);
    let root = (slope * slope + 1.0).sqrt();
    let shift = diagonal[first] - beside[first] / (slope + if slope >= 0.0 { root } else { -root });
    let (mut sine, mut cosine, mut moved) = (1.0, 1.0, 0.0);
    let mut leading = diagonal[last] - shift;
    for place in (first..last).rev() {
        let (off, near) = (sine * beside[place], cosine * beside[place]);
        let length = (off * off + leading * leading).sqrt();
        beside[place + 1] = length;
        if length == 0.0 {
            diagonal[place + 1] -= moved;
            beside[last] = 0.0;
            return;
        }
        (sine, cosine) = (off / length, leading / length);
        let base = diagonal[place + 1] - moved;
        let change = (diagonal[place] - base) * sine + 2.0 * cosine * near;
        moved = sine * change;
        diagonal[place + 1] = base + moved;
        leading = cosine * change - near;
    }
    diagonal[first] -= moved;
    beside[first] = leading;
    beside[last] = 0.0;
}

/// How many eigenvalues of a symmetric matrix are larger than a number, by Sylvester's law of inertia: as many as the elimination of A − x I
/// has positive pivots. Pivots are chosen as by Bunch and Parlett, *Direct Methods for Solving Symmetric Indefinite Systems of Linear
/// Equations*, 1971: one of the diagonal, or a block of two, which has one positive and one negative eigenvalue; so no small pivot is divided
/// by. It shares nothing with [`eigenvalues`], and checks them.
pub(super) fn larger_than(matrix: &[f64], size: usize, number: f64) -> usize {
    let mut rest: Vec<Vec<f64>> = matrix.chunks(size.max(1)).map(<[f64]>::to_vec).collect();
    (0..size).for_each(|place| rest[place][place] -= number);
    let mut left: Vec<usize> = (0..size).collect();
    let mut positive = 0;
    while let Some((on, (one, other))) = pivots(&rest, &left) {
        let (pivot, beside) = (rest[on][on], one.abs_diff(other) > 0);
        let off = if beside { rest[one][other] } else { 0.0 };
        if pivot == 0.0 && off == 0.0 {
            break;
        }
        if pivot.abs() >= BLOCK * off.abs() {
            positive += usize::from(pivot > 0.0);
            left.retain(|&row| row != on);
            eliminate(&mut rest, &left, |row, column| row[on] / pivot * column[on]);
        } else {
            positive += 1;
            left.retain(|&row| row != one && row != other);
            let (first, last) = (rest[one][one], rest[other][other]);
            let determinant = first * last - off * off;
            eliminate(&mut rest, &left, |row, column| {
                let along = (row[one] * last - row[other] * off) / determinant;
                let across = (row[other] * first - row[one] * off) / determinant;
                along * column[one] + across * column[other]
            });
        }
    }
    positive
}

/// A pivot of the diagonal is taken if it is at least this part of the largest number beside the diagonal: (1 + √17) / 8.
const BLOCK: f64 = 0.640_388_203_202_208;

/// The place of the largest number on the diagonal, and of the largest beside it, by magnitude; none if no row is left.
fn pivots(rest: &[Vec<f64>], left: &[usize]) -> Option<(usize, (usize, usize))> {
    let on = *left.iter().max_by(|&&one, &&other| rest[one][one].abs().total_cmp(&rest[other][other].abs()))?;
    let pairs = left.iter().enumerate().flat_map(|(index, &one)| left[..index].iter().map(move |&other| (one, other)));
    let beside = pairs.max_by(|&(a, b), &(c, d)| rest[a][b].abs().total_cmp(&rest[c][d].abs()));
    Some((on, beside.unwrap_or((on, on))))
}

/// Takes the part of a pivot from the rows and columns that are left; a row of a symmetric matrix is a column too.
fn eliminate(rest: &mut [Vec<f64>], left: &[usize], part: impl Fn(&[f64], &[f64]) -> f64) {
    let before = rest.to_vec();
    for &row in left {
        for &column in left {
            rest[row][column] -= part(&before[row], &before[column]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leading minors that vanish at the number, eigenvalues that repeat, and a matrix without a diagonal.
    #[test]
    fn eigenvalues_are_counted() {
        // 2, 0, 0 twice over, and −2: the adjacency of a square.
        let square = [0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0];
        let counts = [-3.0, -1.0, -1e-9, 1e-9, 1.0, 3.0].map(|number| larger_than(&square, 4, number));
        assert_eq!(counts, [4, 3, 3, 1, 1, 0]);
        assert_eq!(larger_than(&square, 4, 0.0), 1);
        assert_eq!(larger_than(&[], 0, 0.0), 0);
        assert_eq!([-1.0, 1.0].map(|number| larger_than(&[0.0], 1, number)), [1, 0]);
    }
}
