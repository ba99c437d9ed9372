//! The net by `docs/net.md` in the order of that page: slow loops over the tensors of the file, for tests only. It
//! shares only the description and the exponential with the other files.

use super::description::Description;
use super::planes::{COUNT, Planes, SCALARS};
use crate::go::Size;

/// Logits with the pass, ownership before the tangent, results.
pub(super) type Said = (Vec<f32>, Vec<f32>, [f32; 5]);

struct Conv {
    taps: usize,
    inputs: usize,
    weights: Vec<i8>,
    bias: Vec<i32>,
    multiplier: Vec<f32>,
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize, T>(&mut self, count: usize, read: fn([u8; N]) -> T) -> Vec<T> {
        let (taken, rest) = self.0.split_at(count * N);
        self.0 = rest;
        taken.chunks_exact(N).map(|bytes| read(bytes.try_into().expect("N bytes"))).collect()
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        self.take(count, f32::from_le_bytes)
    }

    fn conv(&mut self, taps: usize, inputs: usize, outputs: usize) -> Conv {
        Conv {
            taps,
            inputs,
            weights: self.take(taps * inputs * outputs, i8::from_le_bytes),
            bias: self.take(outputs, i32::from_le_bytes),
            multiplier: self.floats(outputs),
        }
    }
}

/// Activations, by channel and point.
type Board = Vec<Vec<i32>>;

fn conv(c: &Conv, size: Size, x: &Board, init: &[i32], residual: Option<(&Board, f32)>) -> Board {
    let reach = if c.taps == 9 { 1 } else { 0 };
    let side = 2 * reach + 1;
    (0..c.bias.len())
        .map(|o| {
            size.places()
                .enumerate()
                .map(|(p, (column, row))| {
                    let (column, row) = (column as isize, row as isize);
                    let mut sum = init[o];
                    for (i, plane) in x.iter().enumerate().take(c.inputs) {
                        for ky in 0..side {
                            for kx in 0..side {
                                let (x_at, y_at) = (column + kx - reach, row + ky - reach);
                                let (columns, rows) = (0..size.width() as isize, 0..size.height() as isize);
                                if columns.contains(&x_at) && rows.contains(&y_at) {
                                    let tap = (ky * side + kx) as usize;
                                    let weight = c.weights[(o * c.inputs + i) * c.taps + tap];
                                    sum += i32::from(weight) * plane[(y_at * columns.end + x_at) as usize];
                                }
                            }
                        }
                    }
                    let mut value = sum as f32 * c.multiplier[o];
                    if let Some((cells, ratio)) = residual {
                        value += cells[o][p] as f32 * ratio;
                    }
                    value.clamp(0.0, 127.0).round_ties_even() as i32
                })
                .collect()
        })
        .collect()
}

fn matrix(inputs: &[f32], entries: &[f32], start: &[f32]) -> Vec<f32> {
    let mut out = start.to_vec();
    for (i, input) in inputs.iter().enumerate() {
        for (o, out) in out.iter_mut().enumerate() {
            *out += input * entries[i * start.len() + o];
        }
    }
    out
}

fn shifted(bias: &[i32], inputs: &[f32], entries: &[f32]) -> Vec<i32> {
    let largest = (1 << 28) as f32;
    let shift = matrix(inputs, entries, &vec![0.0; bias.len()]);
    bias.iter().zip(shift).map(|(b, s)| b + s.clamp(-largest, largest).round_ties_even() as i32).collect()
}

fn pooled(x: &Board, size: Size) -> Vec<f32> {
    let mean = |channel: &Vec<i32>| channel.iter().sum::<i32>() as f32 / size.points() as f32;
    let by_size = (((size.width() * size.height()) as f32).sqrt() - 14.0) / 10.0;
    let means = x.iter().map(mean);
    let scaled = x.iter().map(|channel| mean(channel) * by_size);
    let maxima = x.iter().map(|channel| channel.iter().copied().fold(0, i32::max) as f32);
    means.chain(scaled).chain(maxima).collect()
}

fn weighted(x: &Board, weights: &[i16], point: usize) -> f32 {
    x.iter().zip(weights).map(|(channel, &w)| channel[point] * i32::from(w)).sum::<i32>() as f32
}

/// Evaluates planes with the tensors of a file.
pub(super) fn evaluate(d: &Description, tensors: &[u8], planes: &Planes) -> Said {
    let mut t = Bytes(tensors);
    let (c, v, q, h) = (d.channels, d.value_channels, d.policy_channels, d.hidden);
    let size = planes.size();
    let bit = |plane: usize| planes.points().iter().map(|bits| i32::from(bits >> plane & 1)).collect();
    let seen: Board = (0..COUNT).map(bit).collect();

    let input = t.conv(9, COUNT, c);
    let scalars = t.floats(SCALARS * c);
    let mut x = conv(&input, size, &seen, &shifted(&input.bias, planes.scalars(), &scalars), None);
    for block in 0..d.blocks {
        let (first, second) = (t.conv(9, c, c), t.conv(9, c, c));
        let ratio = t.floats(1)[0];
        let y = conv(&first, size, &x, &first.bias, None);
        let init = match d.pooling.contains(&block) {
            true => shifted(&second.bias, &pooled(&y, size), &t.floats(3 * c * c)),
            false => second.bias.clone(),
        };
        x = conv(&second, size, &y, &init, Some((&x, ratio)));
    }
    let value = t.conv(1, c, v);
    let policy = t.conv(1, c, q);
    let policy_pool = t.floats(3 * v * q);
    let policy_out = t.take(q, i16::from_le_bytes);
    let policy_scale = t.floats(1)[0];
    let owner_out = t.take(v, i16::from_le_bytes);
    let (owner_scale, owner_bias) = (t.floats(1)[0], t.floats(1)[0]);
    let hidden = t.floats(3 * v * h);
    let hidden_bias = t.floats(h);
    let results = t.floats(6 * h);
    let results_bias = t.floats(6);
    assert!(t.0.is_empty(), "the file has just these tensors");

    let values = conv(&value, size, &x, &value.bias, None);
    let g = pooled(&values, size);
    let moves = conv(&policy, size, &x, &shifted(&policy.bias, &g, &policy_pool), None);
    let mut logits: Vec<f32> = (0..size.points()).map(|p| weighted(&moves, &policy_out, p) * policy_scale).collect();
    let owner = (0..size.points()).map(|p| weighted(&values, &owner_out, p) * owner_scale + owner_bias).collect();
    let h: Vec<f32> = matrix(&g, &hidden, &hidden_bias).into_iter().map(|h| h.max(0.0)).collect();
    let o = matrix(&h, &results, &results_bias);
    logits.push(o[5]);
    (logits, owner, [o[0], o[1], o[2], o[3], o[4]])
}
