//! A picture as SVG that stands alone.

use std::fmt::Write;

use super::picture::{Paint, Picture, Shape};

/// The picture as text.
pub(super) fn text(picture: &Picture) -> String {
    let (width, height) = (picture.width, picture.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"sans-serif\" text-anchor=\"middle\">\n<title>{}</title>\n",
        escape(&picture.title)
    );
    for shape in &picture.shapes {
        // Writing to a text cannot fail.
        let _ = write_shape(&mut text, shape);
    }
    text.push_str("</svg>\n");
    text
}

fn write_shape(text: &mut String, shape: &Shape) -> std::fmt::Result {
    match shape {
        Shape::Rectangle { x, y, width, height, paint, opacity } => {
            write!(
                text,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{}\"",
                hex(*paint)
            )?;
            if *opacity < 1.0 {
                write!(text, " opacity=\"{opacity}\"")?;
            }
            writeln!(text, "/>")
        }
        Shape::Lines { lines, paint } => {
            write!(text, "<path stroke=\"{}\" fill=\"none\" d=\"", hex(*paint))?;
            for [x1, y1, x2, y2] in lines {
                write!(text, "M{x1} {y1}L{x2} {y2}")?;
            }
            writeln!(text, "\"/>")
        }
        Shape::Disc { x, y, radius, paint, edge } => {
            write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\"", hex(*paint))?;
            if let Some(edge) = edge {
                write!(text, " stroke=\"{}\"", hex(*edge))?;
            }
            writeln!(text, "/>")
        }
        Shape::Ring { x, y, radius, width, paint } => writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>",
            hex(*paint)
        ),
        Shape::Text { x, y, height, paint, text: letters } => writeln!(
            text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{height}\" fill=\"{}\">{}</text>",
            hex(*paint),
            escape(letters)
        ),
    }
}

fn hex([red, green, blue]: Paint) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Text for HTML and SVG, between tags and within quotes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML has no other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
