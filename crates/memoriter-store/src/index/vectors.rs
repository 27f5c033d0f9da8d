//! The vectors of a scope: flat, eight bits a component, with their signs beside them.

use std::panic::resume_unwind;

use memoriter_core::rank::moments::Moments;
use memoriter_core::vector::QuantisedVector;

use super::kernel::{self, LANES};
use super::slot::Slot;

/// Codes and scales by slot. A slot without a vector has scale 0, which gives it cosine 0.
pub(super) struct Vectors {
    /// Components of a vector, padded to whole lanes.
    width: usize,
    /// Row-major, `[slots, width]`.
    codes: Vec<i8>,
    scales: Vec<f32>,
    /// Row-major, `[slots, width / 64]`, rounded up; kept only for the pre-filter of large scopes.
    signs: Vec<u64>,
    /// Whether signs are kept.
    has_signs: bool,
    any_missing: bool,
}

impl Vectors {
    /// Vectors of `dimensions` components, with signs.
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            has_signs: true,
            ..Self::without_signs(dimensions)
        }
    }

    /// Vectors that are never pre-filtered.
    pub(super) fn without_signs(dimensions: usize) -> Self {
        let width = dimensions.next_multiple_of(LANES);
        Self {
            width,
            codes: Vec::new(),
            scales: Vec::new(),
            signs: Vec::new(),
            has_signs: false,
            any_missing: false,
        }
    }

    /// Components of a vector, with those that fill it up.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Appends the next slot's vector. One of another dimension counts as none: it cannot be compared.
    pub(super) fn push(&mut self, vector: Option<(f32, &[i8])>) {
        let start = self.codes.len();
        if let Some((scale, codes)) = vector.filter(|(_, codes)| self.fits(codes)) {
            self.codes.extend_from_slice(codes);
            self.scales.push(scale);
        } else {
            self.scales.push(0.0);
            self.any_missing = true;
        }
        self.codes.resize(start + self.width, 0);
        if self.has_signs {
            self.signs
                .extend(kernel::signs(self.codes.get(start..).unwrap_or_default()));
        }
    }

    /// Makes room for so many more.
    pub(super) fn reserve(&mut self, count: usize) {
        self.codes.reserve_exact(count * self.width);
        self.scales.reserve_exact(count);
    }

    /// No vectors, of the same form.
    pub(super) fn empty_like(&self) -> Self {
        Self {
            has_signs: self.has_signs,
            ..Self::without_signs(self.width)
        }
    }

    /// Appends all of `others`, which are of the same form.
    pub(super) fn append(&mut self, others: &Self) {
        self.codes.extend_from_slice(&others.codes);
        self.scales.extend_from_slice(&others.scales);
        self.signs.extend_from_slice(&others.signs);
        self.any_missing |= others.any_missing;
    }

    /// Whether a slot has no vector.
    pub(super) fn any_missing(&self) -> bool {
        self.any_missing
    }

    pub(super) fn has(&self, slot: Slot) -> bool {
        self.scales.get(slot.at()).is_some_and(|scale| *scale > 0.0)
    }

    /// The cosine of `query` with every slot, in order; 0 where there is no vector.
    pub(super) fn cosines(&self, query: &Probe) -> Compared {
        let mut cosines = vec![0.0; self.scales.len()];
        let summaries = in_halves(&mut cosines, |start, cosines| {
            let mut summary = Summary::default();
            for (start, cosines) in (start..).step_by(BLOCK).zip(cosines.chunks_mut(BLOCK)) {
                self.fill_cosines(query, start, cosines);
                summary.add(cosines);
            }
            summary
        });
        Compared {
            cosines,
            summary: summaries.into_iter().fold(Summary::default(), Summary::and),
        }
    }

    /// Fills in the cosine of `query` with the slots from `start` on.
    fn fill_cosines(&self, query: &Probe, start: usize, cosines: &mut [f32]) {
        let rows = self.codes.get(start * self.width..).unwrap_or_default();
        let rows = rows.get(..cosines.len() * self.width).unwrap_or_default();
        let scales = self.scales.get(start..).unwrap_or_default();
        let mut places = cosines.iter_mut().zip(scales);
        kernel::dots(&query.codes, rows, |product| {
            if let Some((place, scale)) = places.next() {
                *place = cosine(product, query.scale, *scale);
            }
        });
    }

    /// Appends the cosine of `query` with each of `slots`, which lie apart.
    pub(super) fn cosines_at(&self, query: &Probe, slots: &[Slot], out: &mut Vec<f32>) {
        /// Slots that are asked for from memory before they are compared.
        const AHEAD: usize = 8;
        out.reserve(slots.len());
        for (number, slot) in slots.iter().enumerate() {
            if let Some(later) = slots.get(number + AHEAD) {
                self.prefetch(*later);
            }
            let product = kernel::dot(&query.codes, self.codes_of(*slot));
            out.push(cosine(product, query.scale, self.scale_of(*slot)));
        }
    }

    /// Appends the cosine of one slot with every slot of `others`, which are few.
    pub(super) fn cosines_of(&self, slot: Slot, others: &Self, out: &mut Vec<f32>) {
        let scale = self.scale_of(slot);
        if scale <= 0.0 {
            out.extend(others.scales.iter().map(|_| 0.0));
            return;
        }
        let mut other_scales = others.scales.iter();
        kernel::dots(self.codes_of(slot), &others.codes, |product| {
            let other = other_scales.next().copied().unwrap_or(0.0);
            out.push(cosine(product, other, scale));
        });
    }

    /// Scale and padded codes of a slot; `None` where it has no vector.
    pub(super) fn get(&self, slot: Slot) -> Option<(f32, &[i8])> {
        self.has(slot)
            .then(|| (self.scale_of(slot), self.codes_of(slot)))
    }

    /// Asks for a slot's vector, if it has one, that will be read soon.
    pub(super) fn prefetch(&self, slot: Slot) {
        if self.has(slot) {
            kernel::prefetch(self.codes_of(slot));
        }
    }

    /// Asks for whether a slot has a vector.
    pub(super) fn prefetch_scale(&self, slot: Slot) {
        kernel::prefetch(self.scales.get(slot.at()..=slot.at()).unwrap_or_default());
    }

    /// Whether codes are as many as those here, up to padding.
    pub(super) fn fits(&self, codes: &[i8]) -> bool {
        codes.len().next_multiple_of(LANES) == self.width
    }

    fn codes_of(&self, slot: Slot) -> &[i8] {
        let start = slot.at() * self.width;
        let end = start + self.width;
        self.codes.get(start..end).unwrap_or_default()
    }

    fn scale_of(&self, slot: Slot) -> f32 {
        self.scales.get(slot.at()).copied().unwrap_or(0.0)
    }

    /// The slots whose signs agree best with the query's: at least `count` of them (all, where there are
    /// fewer), ties included, in order of slots.
    pub(super) fn nearest_by_sign(&self, query: &Probe, count: usize) -> Vec<Slot> {
        let mut distances = vec![0; self.scales.len()];
        in_halves(&mut distances, |start, distances: &mut [u16]| {
            let rows = self.signs.get(start * query.signs.len()..);
            kernel::hamming(&query.signs, rows.unwrap_or_default(), distances);
        });
        let mut histogram = vec![0_usize; self.width + 1];
        for distance in &distances {
            if let Some(bar) = histogram.get_mut(usize::from(*distance)) {
                *bar += 1;
            }
        }
        let mut seen = 0;
        let within = histogram.iter().position(|bar| {
            seen += bar;
            seen >= count
        });
        let within = within.unwrap_or(self.width);
        within_distance(&distances, within)
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.codes.capacity()
            + self.scales.capacity() * size_of::<f32>()
            + self.signs.capacity() * size_of::<u64>()
    }

    /// Gives back spare capacity.
    pub(super) fn shrink(&mut self) {
        self.codes.shrink_to_fit();
        self.scales.shrink_to_fit();
        self.signs.shrink_to_fit();
    }

    /// The query in the form that [`Vectors`] compares with; `None` when its dimension is another one.
    pub(super) fn probe(&self, query: &QuantisedVector) -> Option<Probe> {
        let mut codes = query.codes.to_vec();
        codes.resize(codes.len().next_multiple_of(LANES), 0);
        (codes.len() == self.width).then(|| Probe {
            scale: query.scale,
            signs: kernel::signs(&codes).collect(),
            codes,
        })
    }
}

/// Slots that are compared before their cosines are summed up: what is read of them meanwhile keeps coming.
const BLOCK: usize = 256;

/// Cosines by slot.
pub(super) struct Compared {
    pub(super) cosines: Vec<f32>,
    pub(super) summary: Summary,
}

/// What many cosines are together.
#[derive(Clone, Copy)]
pub(super) struct Summary {
    pub(super) moments: Moments,
    /// The largest; below all numbers of none.
    pub(super) largest: f32,
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            moments: Moments::default(),
            largest: f32::NEG_INFINITY,
        }
    }
}

impl Summary {
    pub(super) fn add(&mut self, cosines: &[f32]) {
        self.moments.add_all(cosines);
        self.largest = self.largest.max(kernel::largest(cosines));
    }

    fn and(mut self, other: Self) -> Self {
        self.moments.merge(other.moments);
        self.largest = self.largest.max(other.largest);
        self
    }
}

/// Has `work` fill the places of many slots, given the slot of the first: the second half by a thread of its
/// own, since one core does not take in as much as the memory gives. Returns what it returns of each part.
fn in_halves<T: Send, R: Send>(
    places: &mut [T],
    work: impl Fn(usize, &mut [T]) -> R + Sync,
) -> Vec<R> {
    /// Slots from which on a thread, which takes some fifty microseconds to start, pays.
    const WORTH_A_THREAD: usize = 65_536;
    if places.len() < WORTH_A_THREAD {
        return vec![work(0, places)];
    }
    let half = places.len() / 2;
    let (first, second) = places.split_at_mut(half);
    std::thread::scope(|threads| {
        let second = threads.spawn(|| work(half, second));
        let first = work(0, first);
        let second = second.join();
        vec![first, second.unwrap_or_else(|panic| resume_unwind(panic))]
    })
}

/// The slots of a distance of `within` or less; most groups have none.
fn within_distance(distances: &[u16], within: usize) -> Vec<Slot> {
    const TOGETHER: usize = 32;
    let within = u16::try_from(within).unwrap_or(u16::MAX);
    let mut slots = Vec::new();
    for (group, distances) in distances.chunks(TOGETHER).enumerate() {
        let near = distances
            .iter()
            .map(|distance| u16::from(*distance <= within));
        if near.sum::<u16>() > 0 {
            let numbered = (group * TOGETHER..).zip(distances);
            let near = numbered.filter(|(_, distance)| **distance <= within);
            slots.extend(near.map(|(at, _)| Slot::of(at)));
        }
    }
    slots
}

/// A query vector, padded, with its signs.
pub(super) struct Probe {
    scale: f32,
    codes: Vec<i8>,
    signs: Vec<u64>,
}

#[expect(
    clippy::cast_precision_loss,
    reason = "products of up to 1,040 dimensions are exact in f32"
)]
fn cosine(product: i32, query_scale: f32, scale: f32) -> f32 {
    product as f32 * (query_scale * scale)
}
