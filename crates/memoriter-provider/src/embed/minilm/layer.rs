//! The parts that a transformer's encoder is made of. Rows are tokens throughout.

use std::f32::consts::FRAC_1_SQRT_2;
use std::ops::Range;

use memoriter_core::port::embedder::EmbedError;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, Axis, Zip, concatenate, s};

use super::weights::Weights;

/// An affine map: `x * weight^T + bias`.
pub(super) struct Linear {
    /// `[outputs, inputs]`.
    weight: Array2<f32>,
    bias: Array1<f32>,
}

impl Linear {
    /// Reads `name.weight` and `name.bias`.
    pub(super) fn read(
        weights: &mut Weights,
        name: &str,
        shape: [usize; 2],
    ) -> Result<Self, EmbedError> {
        let weight = weights.matrix(&format!("{name}.weight"), shape)?;
        let bias = weights.vector(&format!("{name}.bias"), shape[0])?;
        Ok(Self { weight, bias })
    }

    /// One map with the outputs of several maps of the same inputs, side by side.
    fn side_by_side(maps: &[Self]) -> Self {
        let weights: Vec<_> = maps.iter().map(|map| map.weight.view()).collect();
        let biases: Vec<_> = maps.iter().map(|map| map.bias.view()).collect();
        Self {
            weight: concatenate(Axis(0), &weights).expect("the maps have the same inputs"),
            bias: concatenate(Axis(0), &biases).expect("vectors can be joined"),
        }
    }

    /// `[rows, inputs]` to `[rows, outputs]`.
    pub(super) fn apply(&self, rows: &Array2<f32>) -> Array2<f32> {
        rows.dot(&self.weight.t()) + &self.bias
    }
}

/// Layer normalisation: each row to mean 0 and variance 1, then scaled and shifted by component.
pub(super) struct LayerNorm {
    weight: Array1<f32>,
    bias: Array1<f32>,
    epsilon: f32,
}

impl LayerNorm {
    /// Reads `name.weight` and `name.bias`.
    pub(super) fn read(
        weights: &mut Weights,
        name: &str,
        size: usize,
        epsilon: f32,
    ) -> Result<Self, EmbedError> {
        let weight = weights.vector(&format!("{name}.weight"), size)?;
        let bias = weights.vector(&format!("{name}.bias"), size)?;
        Ok(Self {
            weight,
            bias,
            epsilon,
        })
    }

    /// Normalises the rows in place.
    pub(super) fn apply(&self, mut rows: Array2<f32>) -> Array2<f32> {
        for mut row in rows.rows_mut() {
            let mean = row.mean().unwrap_or_default();
            row -= mean;
            let variance = row.mapv(|x| x * x).mean().unwrap_or_default();
            let scale = (variance + self.epsilon).sqrt().recip();
            Zip::from(&mut row)
                .and(&self.weight)
                .and(&self.bias)
                .for_each(|x, w, b| *x = *x * scale * w + b);
        }
        rows
    }
}

/// Self-attention with several heads: each token gathers from all tokens of its own text.
pub(super) struct Attention {
    /// Queries, keys and values in one map.
    input: Linear,
    output: Linear,
    heads: usize,
}

impl Attention {
    /// Reads the maps under `name`.
    pub(super) fn read(
        weights: &mut Weights,
        name: &str,
        size: usize,
        heads: usize,
    ) -> Result<Self, EmbedError> {
        let mut read = |part: &str| Linear::read(weights, &format!("{name}.{part}"), [size, size]);
        let inputs = [read("self.query")?, read("self.key")?, read("self.value")?];
        Ok(Self {
            input: Linear::side_by_side(&inputs),
            output: read("output.dense")?,
            heads,
        })
    }

    /// `[rows, size]` to `[rows, size]`; `texts` are the rows of each text.
    pub(super) fn apply(&self, rows: &Array2<f32>, texts: &[Range<usize>]) -> Array2<f32> {
        let size = rows.ncols();
        let head_size = size / self.heads;
        let input = self.input.apply(rows);
        let mut gathered = Array2::zeros(rows.raw_dim());
        for text in texts {
            for head in (0..size).step_by(head_size) {
                let part = |offset: usize| {
                    input.slice(s![text.clone(), offset + head..offset + head + head_size])
                };
                let shares = attention_shares(&part(0), &part(size));
                let mut place = gathered.slice_mut(s![text.clone(), head..head + head_size]);
                general_mat_mul(1.0, &shares, &part(2 * size), 0.0, &mut place);
            }
        }
        self.output.apply(&gathered)
    }
}

/// How much each token (row) takes from each other one (column): `softmax(queries * keys^T / sqrt(size))`.
///
/// Vaswani et al. 2017, arXiv:1706.03762.
fn attention_shares(queries: &ArrayView2<'_, f32>, keys: &ArrayView2<'_, f32>) -> Array2<f32> {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a head has a few dozen components"
    )]
    let scale = (queries.ncols() as f32).sqrt().recip();
    let mut shares = queries.dot(&keys.t());
    for row in shares.rows_mut() {
        softmax(row, scale);
    }
    shares
}

/// Scales the row, then makes it positive and sum to 1.
fn softmax(mut row: ArrayViewMut1<'_, f32>, scale: f32) {
    let largest = row.fold(f32::NEG_INFINITY, |max, x| max.max(*x));
    row.mapv_inplace(|x| ((x - largest) * scale).exp());
    let sum = row.sum();
    row /= sum;
}

/// The Gaussian error linear unit, `x * Phi(x)`, as the models were trained with: by the error function, not by
/// its `tanh` approximation (Hendrycks and Gimpel 2016, arXiv:1606.08415).
pub(super) fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * FRAC_1_SQRT_2))
}

/// The error function to within 5e-7: Abramowitz and Stegun, formula 7.1.26, in single precision.
fn erf(x: f32) -> f32 {
    const COEFFICIENTS: [f32; 5] = [
        1.061_405_4,
        -1.453_152,
        1.421_413_7,
        -0.284_496_74,
        0.254_829_6,
    ];
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let polynomial = COEFFICIENTS
        .iter()
        .fold(0.0, |sum, coefficient| sum * t + coefficient)
        * t;
    (1.0 - polynomial * (-x * x).exp()).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gelu_is_that_of_the_error_function() {
        // x * (1 + erf(x / sqrt(2))) / 2 in double precision.
        let expected = [
            (-6.0, -5.919_510_5e-9),
            (-2.0, -0.045_500_264),
            (-0.5, -0.154_268_77),
            (0.0, 0.0),
            (1e-3, 5.003_989e-4),
            (1.0, 0.841_344_8),
            (3.0, 2.995_950_3),
            (20.0, 20.0),
        ];
        for (x, y) in expected {
            assert!((gelu(x) - y).abs() < 1e-6, "gelu({x}) is {}", gelu(x));
        }
    }

    #[test]
    fn softmax_keeps_large_numbers_finite() {
        let mut row = Array1::from(vec![1e4, 1e4, -1e4]);
        softmax(row.view_mut(), 1.0);
        assert_eq!(row.to_vec(), [0.5, 0.5, 0.0]);
    }
}
