import Acoustics
import Laboratory

/// A rated pitch profile on a page: likeness over frequency, and below it the same in figures.
///
/// - Threads: any but audio.
package struct LikenessPage: Sendable {
  /// A tone with its ratings, 0…100.
  package struct Tone: Sendable {
    package let frequency: Double
    package let mean: Double
    package let ratings: [Double]

    package init(frequency: Double, mean: Double, ratings: [Double]) {
      (self.frequency, self.mean, self.ratings) = (frequency, mean, ratings)
    }
  }

  private let ear: Ear
  private let tones: [Tone]
  private let subtitle: String
  private let notes: [String]

  private static let (left, top, height) = (SheetPage.left + 36, 112.0, 260.0)

  /// - Parameters:
  ///   - subtitle: Day, pitch and earphone.
  ///   - notes: Sentences about how far it is to be relied on.
  package init(_ ear: Ear, _ tones: [Tone], subtitle: String, notes: [String]) {
    (self.ear, self.tones, self.subtitle, self.notes) = (ear, tones, subtitle, notes)
  }

  package func picture() -> Picture {
    var page = SheetPage(title: "Auricle: pitch profile")
    page.line("Pitch profile", at: Point(x: SheetPage.left, y: 50), width: 300, SheetPage.documentTitle)
    page.line(subtitle, at: Point(x: SheetPage.left, y: 68), width: SheetPage.contentWidth, SheetPage.text)
    let frame = Rectangle(
      x: Self.left, y: Self.top, width: SheetPage.right - Self.left, height: Self.height)
    let plot = Plot(in: frame, x: 420...19_000, .logarithmic, y: 0...100)
    plot.drawFrame(
      x: Tick.octaves, y: Tick.multiples(of: 20, in: 0...100), title: "Likeness to the tinnitus",
      below: "Frequency / Hz", on: &page.picture)
    let means = tones.map { CurvePoint(x: $0.frequency, y: $0.mean) }
    plot.line(
      means, Stroke(colour: .ear(ear), width: 1.2, dashes: ear == .right ? [] : [4, 2.5]), on: &page.picture
    )
    let each = tones.flatMap { tone in tone.ratings.map { CurvePoint(x: tone.frequency, y: $0) } }
    plot.markers(
      each, Symbol(marker: .cross, centre: Point(x: 0, y: 0), size: 3, colour: .mutedInk, width: 0.7),
      on: &page.picture)
    plot.markers(
      means,
      Symbol(
        marker: .threshold(ear, .air, isMasked: false), centre: Point(x: 0, y: 0), size: 6.5,
        colour: .ear(ear)),
      on: &page.picture)
    page.line(
      "Line and signs: mean of each tone's ratings; small crosses: the ratings",
      at: Point(x: Self.left, y: Self.top - 8),
      width: frame.width, .note)
    var y = Self.top + Self.height + 52
    let step = SheetPage.contentWidth / 4
    for (index, cell) in ["Hz", "mean", "ratings"].enumerated() {
      page.line(cell, at: Point(x: SheetPage.left + step * Double(index), y: y), width: step, .note)
    }
    for tone in tones {
      y += 13
      let cells = [
        NumberWords.whole(tone.frequency), NumberWords.whole(tone.mean),
        tone.ratings.map(NumberWords.whole).joined(separator: "   "),
      ]
      for (index, cell) in cells.enumerated() {
        page.line(
          cell, at: Point(x: SheetPage.left + step * Double(index), y: y), width: step, SheetPage.text)
      }
    }
    for note in notes {
      y += 18
      page.line(note, at: Point(x: SheetPage.left, y: y), width: SheetPage.contentWidth, SheetPage.text)
    }
    return page.finish()
  }
}
