import Acoustics
import Base
import Glibc
import HearingDSP

/// One ear's spectrum as lines of text: levels at the microphone and at the ear, and the gain with its parts.
///
/// Bars of `:` stand for the microphone, bars of `#` for the ear, so nothing is told by colour alone.
///
/// - Threads: any.
package struct SpectrumScreen: Sendable {
  /// Size of the terminal.
  package var columns: Int
  package var rows: Int
  package var style = Style.plain
  package var ear = Ear.right
  /// Band whose parts are listed; nil: all bands side by side.
  package var band: Int?
  /// True where the parts are shown.
  package var showsParts = true
  /// Word behind the title, such as "frozen".
  package var note = ""
  /// Sentences below the title; nil: none.
  package var remark: String?
  /// True for text that is printed once: as long as it is, and without keys.
  package var isPrinted = false

  /// Least size that shows anything.
  package static let least = (columns: 60, rows: 16)

  /// Levels from the lower to the upper edge of the plot, dB SPL.
  private static let levels = 0.0...120
  private static let margin = 5
  /// That of " impulse softening".
  private static let labelWidth = 18
  private static let cellWidth = 6

  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

  /// Lines, at most ``rows`` of them.
  package func lines(_ report: SpectrumReport) -> [String] {
    guard columns >= Self.least.columns, rows >= Self.least.rows else {
      let words =
        "This terminal has \(columns) columns and \(rows) lines; a spectrum needs \(Self.least.columns) and "
        + "\(Self.least.rows). Make it larger, or take the numbers: auricle spectrum --json"
      return English.lines(words, of: max(columns, 1)).prefix(max(rows, 1)).map {
        String($0.prefix(max(columns, 1)))
      }
    }
    var table = self.table(report)
    let remarks = remark.map { English.lines($0, of: columns) } ?? []
    let heads = 1 + remarks.count
    let room = rows - 3 - heads - Self.leastPlot
    if table.count > room, !isPrinted {
      let left = table.count - room + 1
      table = Array(table.prefix(room - 1)) + ["… \(left) more: enlarge the terminal"]
    }
    let height = max(rows - 2 - heads - table.count, Self.leastPlot)
    let bars = plot(report.ear(ear), height: height).map { String($0.prefix(columns)) }
    let text = ([axis(report.frequencies.thirdOctavesHz)] + table).map { String($0.prefix(columns)) }
    return [style.bold(String(title(report).prefix(columns)))]
      + remarks.map { String($0.prefix(columns)) } + bars.map(coloured) + text
      + [style.faint(String(legend.prefix(columns)))]
  }

  /// A line of bars with those of the ear in its colour, which repeats what their character says.
  private func coloured(_ line: String) -> String {
    guard style.isOn else { return line }
    return line.chunked { $0 == "#" }.map { part, isEar in
      isEar ? ear == .right ? style.red(part) : style.blue(part) : part
    }
    .joined()
  }

  private static let leastPlot = 6

  // MARK: - Words

  private func title(_ report: SpectrumReport) -> String {
    let sound = report.ear(ear)
    let parts = [
      "\(ear.rawValue.capitalized) ear\(note)",
      report.isMuted == true ? "MUTED" : nil,
      sound.isFitted == false ? "not fitted" : nil,
      report.debug.map { _ in "DEBUG MODE" },
      Self.levels(sound, report),
      report.scene.map { "scene " + $0 + (report.isWindy ? ", wind" : "") },
      report.loadShare > 0 ? "load \(NumberText.percent(report.loadShare))" : nil,
      "\(NumberText.fixed(report.timeSeconds)) s",
      report.debug.flatMap { $0.isEmpty ? nil : $0.joined(separator: "; ") },
    ]
    // Scene and debug mode are another program's text.
    return LogLine.printable(parts.compactMap(\.self).joined(separator: " · "))
  }

  /// "in 60.0 (assumed) · out 70.0 dB SPL": the unit behind the last number, and behind each the status of its own calibration.
  private static func levels(_ ear: SpectrumReport.Ear, _ report: SpectrumReport) -> String {
    let values = [
      ("in", ear.input.levelDBSPL, report.inputCalibration),
      ("out", ear.output.levelDBSPL, report.outputCalibration),
    ]
    let last = values.last { !SpectrumReport.Silence.isLevel($0.1) }?.0
    return values.map { name, level, status in
      SpectrumReport.Silence.isLevel(level)
        ? "\(name) silence"
        : "\(name) \(NumberText.fixed(level))" + (name == last ? " dB SPL" : "") + status.levelMark
    }
    .joined(separator: " · ")
  }

  private var legend: String {
    ": microphone  # ear" + (isPrinted ? "" : "   e ear  b band  p parts  f freeze  s save  q quit")
  }

  // MARK: - Plot

  /// Columns of a third octave: one for each sound and a gap where there is room.
  private func width(_ count: Int) -> Int { max(2, (columns - Self.margin) / max(count, 1)) }

  private func plot(_ sound: SpectrumReport.Ear, height: Int) -> [String] {
    let (low, high) = (Self.levels.lowerBound, Self.levels.upperBound)
    let step = (high - low) / Double(height)
    let pairs = Array(zip(sound.input.thirdOctavesDBSPL, sound.output.thirdOctavesDBSPL))
    let width = width(pairs.count)
    let bar = max(1, (width - 1) / 2)
    let gap = String(repeating: " ", count: width - 2 * bar)
    func filled(_ sign: Character, _ isFilled: Bool) -> String {
      String(repeating: isFilled ? sign : " ", count: bar)
    }
    return (0..<height).map { row in
      let bottom = high - Double(row + 1) * step
      // The multiple of 20 that lies in this row; the top row stands for its upper edge.
      // A millionth forgives rounding, and a level between two rows belongs to the upper one.
      let level = row == 0 ? high : (bottom / 20 - 1e-6).rounded(.up) * 20
      let number = level < bottom + step - 1e-3 || row == 0 ? NumberText.fixed(level, 0) : ""
      let label = number.isEmpty && row == 1 ? "dB" : number
      let bars = pairs.map { (input, output) in
        filled(":", input > bottom) + filled("#", output > bottom) + gap
      }
      return String(repeating: " ", count: Self.margin - 2 - label.count) + label + " |" + bars.joined()
    }
  }

  /// Frequencies below their bars.
  private func axis(_ thirds: [Double]) -> String {
    let width = width(thirds.count)
    var line = Self.padded(" Hz", Self.margin)
    for octave in [125.0, 250, 500, 1000, 2000, 4000, 8000, 16_000] {
      // The exact centre lies within 1 % of the nominal one (IEC 61260-1).
      guard let index = thirds.firstIndex(where: { abs($0 / octave - 1) < 0.02 }) else { continue }
      let place = Self.margin + index * width
      guard place >= line.count else { continue }
      line += String(repeating: " ", count: place - line.count) + Self.frequency(octave)
    }
    return line
  }

  /// "500", "1k5" or "12k5".
  private static func frequency(_ hertz: Double) -> String {
    // Beyond 64 bits there is no whole number.
    guard hertz >= 1000, let number = Int(exactly: hertz.rounded(.towardZero)) else {
      return NumberText.fixed(hertz, 0)
    }
    let (whole, rest) = (number / 1000, number % 1000)
    // Two decimals at most, without zeros at their end.
    var decimals = String(1000 + rest).dropFirst().prefix(2)
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(whole)k\(decimals)"
  }

  // MARK: - Gain

  private func table(_ report: SpectrumReport) -> [String] {
    guard let gain = report.ear(ear).gain else { return ["No gain: a measurement plays."] }
    if let band, report.frequencies.bandsHz.indices.contains(band) { return list(report, band) }
    let shown = bands(report.frequencies.bandsHz)
    func row(_ name: String, _ values: [Double]) -> String {
      let cells = shown.map { values.indices.contains($0) ? NumberText.fixed(values[$0]) : "" }
      return Self.padded(name, Self.labelWidth) + cells.map { Self.leading($0) }.joined()
    }
    let heads = shown.map { Self.leading(Self.frequency(report.frequencies.bandsHz[$0])) }
    var lines = [
      Self.padded("Band, Hz", Self.labelWidth) + heads.joined(),
      row("Level, dB SPL", gain.levelDBSPL.map(SpectrumReport.Silence.level)),
      row("Target gain, dB", gain.targetDB),
      row("Applied gain, dB", gain.appliedDB.map(SpectrumReport.Silence.gain)),
    ]
    // Nothing is played that they could be parts of.
    guard showsParts, report.isMuted != true else { return lines }
    lines += parts(gain) { $0.contains { abs($0) >= 0.05 } }.map {
      row(" " + $0.name, $0.values.map(SpectrumReport.Silence.gain))
    }
    return lines
  }

  /// Parts of one band, both ears side by side.
  private func list(_ report: SpectrumReport, _ band: Int) -> [String] {
    let gains = [report.right.gain, report.left.gain]
    func row(_ name: String, _ value: (SpectrumReport.Gain) -> Double?) -> String {
      let cells = gains.map { Self.leading($0.flatMap(value).map { NumberText.fixed($0) } ?? "") }
      return Self.padded(name, Self.labelWidth) + cells.map { $0 + "  " }.joined()
    }
    let head = Self.padded(
      "\(NumberText.fixed(report.frequencies.bandsHz[band], 0)) Hz, dB", Self.labelWidth)
    let names = GainPart.allCases.filter { part in
      report.isMuted != true && gains.contains { abs($0?.partsDB[part.key]?[band] ?? 0) >= 0.05 }
    }
    return [
      head + " right    left",
      row("Level, dB SPL") { SpectrumReport.Silence.level($0.levelDBSPL[band]) },
      row("Target gain") { $0.targetDB[band] },
      row("Applied gain") { SpectrumReport.Silence.gain($0.appliedDB[band]) },
    ]
      + names.map { part in
        row(" " + part.words) { ($0.partsDB[part.key]?[band]).map(SpectrumReport.Silence.gain) }
      }
  }

  private func parts(
    _ gain: SpectrumReport.Gain, where isShown: ([Double]) -> Bool
  ) -> [(name: String, values: [Double])] {
    GainPart.allCases.compactMap { part in
      guard let values = gain.partsDB[part.key], isShown(values) else { return nil }
      return (part.words, values)
    }
  }

  /// Bands for which there is room: audiometric frequencies first.
  private func bands(_ centres: [Double]) -> [Int] {
    let room = (columns - Self.labelWidth) / Self.cellWidth
    guard centres.count > room else { return Array(centres.indices) }
    let first = [1000.0, 2000, 4000, 500, 250, 8000, 3000, 6000, 1500, 125, 750]
    let order =
      first.compactMap(centres.firstIndex) + centres.indices.filter { !first.contains(centres[$0]) }
    return order.prefix(room).sorted()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func leading(_ text: String) -> String {
    String(repeating: " ", count: max(0, cellWidth - text.count)) + text
  }
}

extension GainPart {
  /// Name for people, "noise reduction".
  package var words: String { key.split(separator: "_").joined(separator: " ") }
}

extension String {
  /// Runs of characters that are alike in one respect.
  fileprivate func chunked(_ isMeant: (Character) -> Bool) -> [(text: String, isMeant: Bool)] {
    var chunks: [(text: String, isMeant: Bool)] = []
    for character in self {
      let isMeant = isMeant(character)
      if chunks.last?.isMeant == isMeant {
        chunks[chunks.count - 1].text.append(character)
      } else {
        chunks.append((String(character), isMeant))
      }
    }
    return chunks
  }
}
