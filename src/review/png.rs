//! A picture as PNG. The shapes are few and simple, so they are drawn here; the crate `png` knows the format. (A
//! library that draws any SVG would make the program larger by half.)

use super::glyphs::{self, HEIGHT, WIDTH};
use super::picture::{Paint, Picture, Shape};

/// Pixels of a unit. A picture of 19×19 is 960 pixels wide.
const SCALE: f32 = 2.0;

/// Samples of a pixel along each axis, which smooth the edges.
const SAMPLES: usize = 4;

/// The height of capital letters as a part of a text's height, as most fonts have it.
const CAPITALS: f32 = 0.72;

/// The picture as the bytes of a file.
///
/// # Errors
/// If the picture cannot be encoded.
pub(super) fn bytes(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let [width, height] = [picture.width, picture.height].map(|units| (units * SCALE).round() as usize);
    let mut canvas = Canvas { width, height, pixels: vec![0; width * height * 3] };
    for shape in &picture.shapes {
        canvas.draw(shape);
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // The title is plain text of this program and of the record's name; what has no place in Latin-1 is left out.
    let latin: String = picture.title.chars().filter(|&c| c >= ' ' && u32::from(c) < 256).collect();
    encoder.add_text_chunk("Title".into(), latin)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.pixels)?;
    writer.finish()?;
    Ok(bytes)
}

struct Canvas {
    /// Pixels of a row.
    width: usize,
    /// Rows of pixels.
    height: usize,
    /// Red, green and blue of each pixel, row by row.
    pixels: Vec<u8>,
}

impl Canvas {
    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Rectangle { x, y, width, height, paint, opacity } => {
                self.fill([*x, *y, x + width, y + height], *paint, *opacity, |_, _| true);
            }
            Shape::Lines { lines, paint } => {
                for [x1, y1, x2, y2] in lines {
                    self.fill([x1 - 0.5, y1 - 0.5, x2 + 0.5, y2 + 0.5], *paint, 1.0, |_, _| true);
                }
            }
            Shape::Disc { x, y, radius, paint, edge } => {
                let outer = if edge.is_some() { radius + 0.5 } else { *radius };
                if let Some(edge) = edge {
                    self.ring(*x, *y, 0.0, outer, *edge);
                }
                self.ring(*x, *y, 0.0, if edge.is_some() { radius - 0.5 } else { outer }, *paint);
            }
            Shape::Ring { x, y, radius, width, paint } => {
                self.ring(*x, *y, radius - width / 2.0, radius + width / 2.0, *paint);
            }
            Shape::Text { x, y, height, paint, text } => self.write(*x, *y, height * CAPITALS, *paint, text),
        }
    }

    fn ring(&mut self, x: f32, y: f32, inner: f32, outer: f32, paint: Paint) {
        self.fill([x - outer, y - outer, x + outer, y + outer], paint, 1.0, |px, py| {
            let distance = (px - x).hypot(py - y);
            (inner..=outer).contains(&distance)
        });
    }

    /// Writes letters of this height, with their middle at `x` and their feet at `y`.
    fn write(&mut self, x: f32, y: f32, height: f32, paint: Paint, text: &str) {
        let dot = height / HEIGHT as f32;
        // Between two letters there is the room of a dot.
        let step = (WIDTH + 1) as f32 * dot;
        let mut left = x - (text.chars().count() as f32 * step - dot) / 2.0;
        for c in text.chars() {
            for (row, column) in glyphs::dots(c) {
                let (x, y) = (left + column as f32 * dot, y - height + row as f32 * dot);
                self.fill([x, y, x + dot, y + dot], paint, 1.0, |_, _| true);
            }
            left += step;
        }
    }

    /// Paints what lies within a box and inside. The box is left, top, right and bottom in units of the picture.
    fn fill(
        &mut self,
        [left, top, right, bottom]: [f32; 4],
        paint: Paint,
        opacity: f32,
        inside: impl Fn(f32, f32) -> bool,
    ) {
        let range = |from: f32, to: f32, pixels: usize| {
            let bound = |value: f32| (value * SCALE).clamp(0.0, pixels as f32);
            bound(from).floor() as usize..bound(to).ceil() as usize
        };
        for row in range(top, bottom, self.height) {
            for column in range(left, right, self.width) {
                let sample = |at: usize, part: usize| (at as f32 + (part as f32 + 0.5) / SAMPLES as f32) / SCALE;
                let mut hits = 0;
                for part in 0..SAMPLES * SAMPLES {
                    let (x, y) = (sample(column, part % SAMPLES), sample(row, part / SAMPLES));
                    let is_in_box = (left..right).contains(&x) && (top..bottom).contains(&y);
                    hits += usize::from(is_in_box && inside(x, y));
                }
                let share = opacity * hits as f32 / (SAMPLES * SAMPLES) as f32;
                let start = (row * self.width + column) * 3;
                for (pixel, paint) in self.pixels[start..start + 3].iter_mut().zip(paint) {
                    *pixel = (f32::from(*pixel) * (1.0 - share) + f32::from(paint) * share).round() as u8;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_lie_where_they_belong() {
        let white = [255; 3];
        let red = [255, 0, 0];
        let picture = Picture {
            width: 20.0,
            height: 18.0,
            title: "Ö a title 碁".into(),
            shapes: vec![
                Shape::Rectangle { x: 0.0, y: 0.0, width: 20.0, height: 20.0, paint: white, opacity: 1.0 },
                Shape::Disc { x: 5.0, y: 5.0, radius: 3.0, paint: red, edge: None },
                Shape::Rectangle { x: 10.0, y: 10.0, width: 4.0, height: 4.0, paint: [0; 3], opacity: 0.5 },
                Shape::Text { x: 16.0, y: 8.0, height: 8.0, paint: red, text: "1".into() },
            ],
        };
        let bytes = bytes(&picture).expect("a picture");
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().expect("a picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((info.width, info.height), (40, 36));
        let at = |x: usize, y: usize| &pixels[(y * 40 + x) * 3..][..3];
        assert_eq!(at(10, 10), red, "the middle of the disc");
        assert_eq!(at(10, 17), white, "outside of it");
        assert_eq!(at(24, 24), [128; 3], "half of black");
        // A dot of a letter covers a pixel and parts of others.
        let is_red = |&(x, y): &(usize, usize)| at(x, y)[0] == 255 && at(x, y)[1] < 128;
        let text = (28..40).flat_map(|x| (4..16).map(move |y| (x, y))).filter(is_red).count();
        assert!((10..60).contains(&text), "{text} pixels of the text");
        assert_eq!(reader.info().uncompressed_latin1_text[0].text, "Ö a title ");
    }
}
