import Acoustics
import Glibc
import Laboratory

/// An audiogram with the symbols and proportions of ASHA 1990: hearing level grows downwards from −10 to
/// 120 dB HL, frequency in octaves from 125 to 8000 Hz, one octave as wide as 20 dB is high.
///
/// Air-conduction points of one ear are joined, the right ear's by a solid line, the left ear's by a dashed
/// one; points without a response carry an arrow and are not joined. The axis goes on to 16 kHz when a
/// point lies above 8 kHz.
///
/// - Threads: any but audio.
struct AudiogramDrawing: Sendable {
  /// Hearing levels shown, dB HL.
  static let levels = -10.0...120
  /// Height of one octave's width, dB (ASHA 1990; ISO 8253-1).
  static let octave = 20.0

  /// Room for the ear's name before its key, points.
  static let keyIndent = 52.0

  /// An ear without an audiogram stays empty.
  let audiograms: Binaural<Audiogram?>

  init(_ audiograms: Binaural<Audiogram?>) { self.audiograms = audiograms }

  /// Frequencies shown, Hz: half an octave beyond the outer lines, so that symbols and arrows there are
  /// whole.
  var frequencies: ClosedRange<Double> {
    let highest = (points(.right) + points(.left)).map(\.frequency).max() ?? 8000
    // A sixth of an octave above 8 kHz still has room in the margin.
    return 125 / 2.squareRoot()...(highest > 9000 ? 16_000 : 8000) * 2.squareRoot()
  }

  /// Width of the frame over its height.
  var proportion: Double {
    let octaves = log2(frequencies.upperBound / frequencies.lowerBound)
    return octaves * Self.octave / (Self.levels.upperBound - Self.levels.lowerBound)
  }

  func plot(at corner: Point, height: Double) -> Plot {
    let frame = Rectangle(x: corner.x, y: corner.y, width: height * proportion, height: height)
    return Plot(in: frame, x: frequencies, .logarithmic, y: Self.levels, isInverted: true)
  }

  /// Rows of the key when it is `width` points wide.
  func keyRowCount(width: Double, _ metrics: borrowing TextMetrics) -> Int {
    var count = 0
    for ear in [Ear.right, .left] where !points(ear).isEmpty {
      count += key(ear).rows(within: width - Self.keyIndent, metrics).count
    }
    return count
  }

  /// For each ear its name and the signs that occur.
  ///
  /// - Parameters:
  ///   - start: Left end of the first row's baseline.
  ///   - leading: From row to row, points.
  func drawKey(at start: Point, width: Double, leading: Double, on page: inout SheetPage) {
    var y = start.y
    for ear in [Ear.right, .left] where !points(ear).isEmpty {
      let name = ear == .right ? "Right ear" : "Left ear"
      page.picture.add(
        Label(text: name, place: Point(x: start.x, y: y), style: .body.coloured(.ear(ear))))
      for row in key(ear).rows(within: width - Self.keyIndent, page.metrics) {
        row.draw(startingAt: Point(x: start.x + Self.keyIndent, y: y), on: &page)
        y += leading
      }
    }
  }

  /// Grid and numbers. A small frame goes without the lines between octaves and without the frequency's
  /// name.
  func drawFrame(_ plot: Plot, isSmall: Bool, isFirst: Bool = true, on picture: inout Picture) {
    let levels = Tick.multiples(of: isSmall ? 20 : 10, in: Self.levels)
    let frequencies = Tick.octaves + (isSmall ? [] : Tick.halfOctaves)
    plot.drawFrame(
      x: frequencies, y: levels, title: isFirst ? "Hearing level / dB HL" : nil,
      below: isSmall ? nil : "Frequency / Hz", hasZero: true, isAbove: true, on: &picture)
  }

  /// Lines, then symbols and arrows, so that no line crosses a symbol.
  func drawPoints(_ ears: [Ear], in plot: Plot, size: Double, on picture: inout Picture) {
    for ear in ears {
      let stroke = Stroke(colour: .ear(ear), width: size / 7, dashes: ear == .right ? [] : [4, 2.5])
      // A point without a response breaks the line.
      let joined = (audiograms[ear]?.airPoints ?? []).map {
        CurvePoint(x: $0.frequency, y: $0.hasResponse ? $0.threshold.decibels : .nan)
      }
      plot.line(joined, stroke, on: &picture)
    }
    let signs = ears.flatMap { ear in
      points(ear).flatMap { symbols(of: $0, ear, in: plot, size: size) }
    }
    // All the insides first: a filled symbol would hide that of the other ear at the same place.
    for symbol in signs {
      let path = symbol.marker.path(at: symbol.centre, size: size)
      if path.isClosed { picture.fill(path, .paper) }
    }
    for symbol in signs { picture.add(symbol) }
  }

  /// A point's sign and, without a response, its arrow.
  private func symbols(of point: Audiogram.Point, _ ear: Ear, in plot: Plot, size: Double) -> [Symbol] {
    let place = plot.place(CurvePoint(x: point.frequency, y: point.threshold.decibels))
    let marker = Marker.threshold(ear, point.conduction, isMasked: point.isMasked)
    let symbol = Symbol(marker: marker, centre: place, size: size, colour: .ear(ear), width: size / 6)
    guard !point.hasResponse else { return [symbol] }
    var arrow = symbol
    arrow.marker = .noResponse(ear)
    if point.conduction == .bone {
      // A bone symbol stands beside its frequency; the arrow leaves from its outer corner.
      arrow.centre.x += (ear == .right ? -0.6 : 0.6) * size
    }
    return [symbol, arrow]
  }

  /// The ear's thresholds; none without an audiogram.
  func points(_ ear: Ear) -> [Audiogram.Point] { audiograms[ear]?.points ?? [] }

  /// Key to the ear's signs; only those that occur.
  func key(_ ear: Ear) -> Legend {
    let points = points(ear)
    var entries: [Legend.Entry] = []
    func add(_ marker: Marker, _ text: String) {
      let symbol = Symbol(marker: marker, centre: Point(x: 0, y: 0), size: 6, colour: .ear(ear))
      entries.append(Legend.Entry(sample: .marker(symbol), text: text))
    }
    for (conduction, name) in [(Conduction.air, "air"), (.bone, "bone")] {
      for isMasked in [false, true]
      where points.contains(where: { $0.conduction == conduction && $0.isMasked == isMasked }) {
        let marker = Marker.threshold(ear, conduction, isMasked: isMasked)
        add(marker, isMasked ? "masked " + name : name)
      }
    }
    if points.contains(where: { !$0.hasResponse }) { add(.noResponse(ear), "no response") }
    return Legend(entries: entries)
  }
}

/// Audiometric signs: ASHA, "Guidelines for audiometric symbols" (1990).
extension Marker {
  /// The sign of a threshold: air ○ △ right and × □ left, bone < [ right and > ] left, each unmasked and
  /// masked.
  static func threshold(_ ear: Ear, _ conduction: Conduction, isMasked: Bool) -> Marker {
    switch (ear, conduction, isMasked) {
    case (.right, .air, false): .circle
    case (.right, .air, true): .triangle
    case (.right, .bone, false): .leftAngle
    case (.right, .bone, true): .leftBracket
    case (.left, .air, false): .cross
    case (.left, .air, true): .square
    case (.left, .bone, false): .rightAngle
    case (.left, .bone, true): .rightBracket
    }
  }

  /// The arrow of no response: down and outwards, to the reader's left for the right ear.
  static func noResponse(_ ear: Ear) -> Marker { ear == .right ? .arrowDownLeft : .arrowDownRight }
}
