import Acoustics
import Base

/// An audiogram in letters for a terminal of 80 columns: axes, signs and key of ``AudiogramDrawing``.
///
/// A row is 5 dB high, the step of audiometers; a threshold between two steps stands in the row of the greater loss.
/// A sign whose place is taken stands beside it, on the outer side of its ear. Colours repeat what the signs say.
///
/// - Threads: any but audio.
package struct AudiogramText: Sendable {
  /// Between two rows, dB (ISO 8253-1; from memory).
  private static let step = 5.0
  /// Columns of the plot; beside them stand the numbers of the levels.
  private static let width = 73
  private static let numberWidth = 5

  private let drawing: AudiogramDrawing
  private let style: Style

  package init(_ audiograms: Binaural<Audiogram>, style: Style = .plain) {
    (drawing, self.style) = (AudiogramDrawing(audiograms.map { $0 }), style)
  }

  /// Lines with their breaks, without spaces at their ends.
  package var text: String {
    let heading = style.bold("Audiogram") + ": hearing level, dB HL, by frequency, Hz\n"
    let rows = signs.map { row in row.map(styled).joined() }
    let lines = zip(levels, rows).map { level, row in
      let isNumbered =
        level.truncatingRemainder(dividingBy: 10) == 0 && level <= AudiogramDrawing.levels.upperBound
      return Self.trailing(isNumbered ? NumberText.fixed(level, 0) : "") + row
    }
    return heading + ([frequencyLine] + lines + keys).map { Self.trimmed($0) + "\n" }.joined()
  }

  // MARK: - Axes

  /// Level of each row; the last one is for arrows alone.
  private var levels: [Double] {
    let range = AudiogramDrawing.levels
    return Array(stride(from: range.lowerBound, through: range.upperBound + Self.step, by: Self.step))
  }

  private func row(_ level: Double) -> Int {
    Int(((level - AudiogramDrawing.levels.lowerBound) / Self.step).rounded(.up))
  }

  private func column(_ frequency: Double) -> Int {
    let axis = Axis(.logarithmic, drawing.frequencies, from: 0, to: Double(Self.width - 1))
    return Int(axis.position(frequency).rounded())
  }

  private var octaves: [Tick] { Tick.octaves.filter { drawing.frequencies.contains($0.value) } }

  private var frequencyLine: String {
    var line = String(repeating: " ", count: Self.numberWidth)
    for tick in octaves {
      let start = Self.numberWidth + column(tick.value) - tick.label.count / 2
      line += String(repeating: " ", count: max(start - line.count, 1)) + tick.label
    }
    return line
  }

  private static func trailing(_ number: String) -> String {
    String(repeating: " ", count: max(numberWidth - 1 - number.count, 0)) + number + " "
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  // MARK: - Signs

  /// A place of the plot; without an ear it belongs to the grid.
  private typealias Cell = (character: Character, ear: Ear?)

  private func styled(_ cell: Cell) -> String {
    let text = String(cell.character)
    guard let ear = cell.ear else { return text == " " ? text : style.faint(text) }
    return ear == .right ? style.red(text) : style.blue(text)
  }

  private var signs: [[Cell]] {
    var cells = levels.map { level in
      [Cell](repeating: (level == 0 ? "-" : " ", nil), count: Self.width)
    }
    for tick in octaves {
      for row in levels.indices.dropLast() where row % 2 == 0 {
        cells[row][column(tick.value)] = (".", nil)
      }
    }
    /// Puts a sign on a row, so many columns outwards of a frequency or at the next free place from there.
    func put(_ marker: Marker, _ ear: Ear, at frequency: Double, _ row: Int, outwards: Int) {
      let direction = ear == .right ? -1 : 1
      var place = column(frequency) + direction * outwards
      while cells[row].indices.contains(place), cells[row][place].ear != nil { place += direction }
      if cells[row].indices.contains(place) { cells[row][place] = (marker.character, ear) }
    }
    // Air before bone, which stands beside it, and arrows where no threshold needs the place.
    let points = [Ear.right, .left].flatMap { ear in drawing.points(ear).map { (ear, $0) } }
    for conduction in [Conduction.air, .bone] {
      for (ear, point) in points where point.conduction == conduction {
        put(
          .threshold(ear, conduction, isMasked: point.isMasked), ear, at: point.frequency,
          row(point.threshold.decibels), outwards: conduction == .air ? 0 : 1)
      }
    }
    for (ear, point) in points where !point.hasResponse {
      put(.noResponse(ear), ear, at: point.frequency, row(point.threshold.decibels) + 1, outwards: 1)
    }
    return cells
  }

  private var keys: [String] {
    [Ear.right, .left].map { ear in
      let entries = drawing.key(ear).entries.compactMap { entry -> String? in
        guard case .marker(let symbol) = entry.sample else { return nil }
        return styled((symbol.marker.character, ear)) + " " + entry.text
      }
      let name = "\(ear == .right ? "Right" : "Left") ear: "
      return name + (entries.isEmpty ? "not tested" : entries.joined(separator: "   "))
    }
  }
}

extension Marker {
  /// The sign in a letter.
  var character: Character {
    switch self {
    case .circle: "O"
    case .cross: "X"
    case .triangle: "A"
    case .square: "#"
    case .leftAngle: "<"
    case .rightAngle: ">"
    case .leftBracket: "["
    case .rightBracket: "]"
    case .arrowDownLeft, .arrowDownRight: "↓"
    }
  }
}
