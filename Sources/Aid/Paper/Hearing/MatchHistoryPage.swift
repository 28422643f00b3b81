import Acoustics
import Base
import Laboratory

/// Number of a table's cell.
enum NumberWords {
  static func whole(_ value: Double) -> String { NumberText.fixed(value, 0) }
}

/// Matches over the days on a page: one plot for each ear and frequency, and below them the same in figures.
///
/// - Threads: any but audio.
package struct MatchHistoryPage: Sendable {
  /// Matches of one ear at one frequency.
  package struct Course: Sendable {
    package let ear: Ear
    /// Of the plot: "Right ear, 1000 Hz".
    package let title: String
    /// Days after the first match, and dB HL.
    package let points: [(day: Double, level: Double)]
    /// dB HL; nil: of one match.
    package let mean: Double?
    /// Test–retest standard deviation, dB; nil: of one match.
    package let deviation: Double?
    /// Day and level of each match in words.
    package let rows: [(day: String, level: String)]

    package init(
      ear: Ear, title: String, points: [(day: Double, level: Double)], mean: Double?, deviation: Double?,
      rows: [(day: String, level: String)]
    ) {
      (self.ear, self.title, self.points) = (ear, title, points)
      (self.mean, self.deviation, self.rows) = (mean, deviation, rows)
    }
  }

  private let courses: [Course]
  /// Matches drawn on one page at most; further ones are in the table of `auricle match history`.
  private static let most = 4
  private static let (left, height, distance) = (SheetPage.left + 36, 96.0, 172.0)

  package init(_ courses: [Course]) { self.courses = Array(courses.prefix(Self.most)) }

  package func picture() -> Picture {
    var page = SheetPage(title: "Auricle: loudness matches")
    page.line("Loudness matches", at: Point(x: SheetPage.left, y: 50), width: 300, SheetPage.documentTitle)
    let days = Axis.range(courses.flatMap { $0.points.map(\.day) }, step: 1, least: 0...1, span: 3650)
    for (index, course) in courses.enumerated() {
      draw(course, top: 92 + Self.distance * Double(index), days: days, on: &page)
    }
    return page.finish()
  }

  private func draw(_ course: Course, top: Double, days: ClosedRange<Double>, on page: inout SheetPage) {
    let width = SheetPage.right - Self.left
    let levels = Axis.range(course.points.map(\.level), step: 10, least: 10...20, span: 120)
    let frame = Rectangle(x: Self.left, y: top, width: width, height: Self.height)
    let plot = Plot(in: frame, x: days, .linear, y: levels)
    let step = Tick.step(dividing: days.upperBound - days.lowerBound, into: 10)
    plot.drawFrame(
      x: Tick.multiples(of: max(1, step), in: days), y: Tick.multiples(of: 10, in: levels), title: "dB HL",
      below: "Days after the first match", on: &page.picture)
    if let mean = course.mean, let deviation = course.deviation {
      for (level, dashes) in [(mean, []), (mean - deviation, [3.0, 2]), (mean + deviation, [3.0, 2])] {
        plot.line(
          [CurvePoint(x: days.lowerBound, y: level), CurvePoint(x: days.upperBound, y: level)],
          Stroke(colour: .mutedInk, width: 0.8, dashes: dashes), on: &page.picture)
      }
    }
    let points = course.points.map { CurvePoint(x: $0.day, y: $0.level) }
    plot.line(
      points, Stroke(colour: .ear(course.ear), width: 1.1, dashes: course.ear == .right ? [] : [4, 2.5]),
      on: &page.picture)
    let marker = Symbol(
      marker: .threshold(course.ear, .air, isMasked: false), centre: Point(x: 0, y: 0), size: 6,
      colour: .ear(course.ear))
    plot.markers(points, marker, on: &page.picture)
    let spread =
      course.deviation.map { ", test–retest standard deviation \(NumberText.fixed($0, 1)) dB (dashed)" }
      ?? ""
    page.line(course.title + spread, at: Point(x: Self.left, y: top - 8), width: width, .heading)
    let table = course.rows.suffix(8).map { "\($0.day): \($0.level)" }.joined(separator: "   ")
    _ = page.block(
      table, at: Point(x: Self.left, y: top + Self.height + 34), width: width, SheetPage.caption,
      sizes: [7], lines: 2)
  }
}
