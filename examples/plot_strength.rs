//! Draws `docs/strength.svg` from the measured figures in `docs/strength.tsv`: Elo against playouts a move, and against
//! threads at equal time.
//!
//! ```text
//! cargo run --release --example plot_strength
//! ```

use std::error::Error;
use std::fs;

use plotters::prelude::*;

/// A measured strength: Elo above the first point of its series, with the ends of its interval.
struct Measured {
    series: String,
    x: f64,
    elo: [f64; 3],
}

/// Width and height of the picture in pixels.
const SIZE: (u32, u32) = (900, 380);

fn main() -> Result<(), Box<dyn Error>> {
    let rows = fs::read_to_string("docs/strength.tsv")?
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(row)
        .collect::<Result<Vec<_>, _>>()?;
    let area = SVGBackend::new("docs/strength.svg", SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let (left, right) = area.split_horizontally(620);
    draw(&left, &rows, "playouts", "playouts a move, 9×9")?;
    draw(&right, &rows, "threads", "threads, 9×9, equal time")?;
    area.present()?;
    Ok(())
}

/// `series`, x, Elo, lower end, upper end, with tabs between.
fn row(line: &str) -> Result<Measured, Box<dyn Error>> {
    let mut fields = line.split('\t');
    let series = fields.next().ok_or("an empty line")?.to_owned();
    let numbers = fields.map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    let [x, elo, low, high] = numbers[..] else { return Err(format!("not four numbers: {line}").into()) };
    Ok(Measured { series, x, elo: [elo, low, high] })
}

/// One chart: a series over the doublings of its x.
fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, plotters::coord::Shift>,
    rows: &[Measured],
    series: &str,
    caption: &str,
) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    let rows: Vec<&Measured> = rows.iter().filter(|row| row.series == series).collect();
    let ends = |get: fn(&Measured) -> f64| {
        let values = rows.iter().map(|row| get(row));
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (first, last) = ends(|row| row.x);
    // Doublings of the first.
    let place = |x: f64| (x / first).log2();
    let (low, high) = (ends(|row| row.elo[1]).0, ends(|row| row.elo[2]).1);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(54)
        .build_cartesian_2d(-0.3..place(last) + 0.3, low.min(0.0) - 30.0..high + 30.0)?;
    chart
        .configure_mesh()
        .x_desc(caption)
        .y_desc("Elo")
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(place(last).round() as usize + 2)
        .x_label_formatter(&|x| if x.fract() == 0.0 { format!("{:.0}", first * x.exp2()) } else { String::new() })
        .y_label_formatter(&|y| format!("{y:.0}"))
        .draw()?;
    chart.draw_series(LineSeries::new(rows.iter().map(|row| (place(row.x), row.elo[0])), &BLUE))?;
    chart.draw_series(
        rows.iter()
            .map(|row| ErrorBar::new_vertical(place(row.x), row.elo[1], row.elo[0], row.elo[2], BLUE.filled(), 8)),
    )?;
    Ok(())
}
