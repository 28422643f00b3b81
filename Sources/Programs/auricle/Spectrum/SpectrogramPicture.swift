import Acoustics
import Base
import Glibc
import HearingDSP
import Laboratory
import Paper
import Service

/// A stretch of spectra, of which a spectrogram is drawn.
///
/// It keeps what the picture shows, a twentieth of the spectra themselves.
struct SpectrogramStretch {
  /// Columns of the picture at most.
  private static let mostColumns = 400
  /// Frequencies of which the nearest band's gain is drawn, Hz.
  private static let shownGains = [500.0, 2000]
  /// Attenuation from which on a limiter counts as at work, and from which on an ear counts as muted, dB.
  private static let (noticed, muted) = (1.0, 20.0)
  /// Least length of a stretch, s; own choice: half of the millisecond that times are rounded to.
  private static let leastLength = 0.0005
  /// Power that stands for silence, -200 dB.
  private static let silence = 1e-20

  private var moments: [Moment] = []
  private var last: SpectrumReport?

  /// One spectrum's share.
  private struct Moment {
    var time: Double
    var scene: String?
    var ears: [Ear: EarMoment]
  }

  private struct EarMoment {
    var input: [Double]
    var output: [Double]
    /// Applied gain of ``shownBands(_:)``, dB; empty while a measurement plays.
    var gains: [Double]
    /// Events by name.
    var isTrue: [String: Bool]
  }

  var isEmpty: Bool { moments.isEmpty }

  /// Adds a spectrum; one with other bands, or of an earlier time, begins anew.
  mutating func add(_ report: SpectrumReport) {
    if let last,
      last.frequencies.bandsHz != report.frequencies.bandsHz || report.timeSeconds < last.timeSeconds
    {
      moments = []
    }
    last = report
    let ears = Ear.allCases.map { ($0, Self.moment(report.ear($0), report.frequencies.bandsHz)) }
    moments.append(
      Moment(
        time: report.timeSeconds,
        scene: report.scene.map { LogLine.printable($0) + (report.isWindy ? ", wind" : "") },
        ears: Dictionary(uniqueKeysWithValues: ears)))
  }

  private static func moment(_ ear: SpectrumReport.Ear, _ bands: [Double]) -> EarMoment {
    func least(_ part: GainPart) -> Double { ear.gain?.partsDB[part.key]?.min() ?? 0 }
    return EarMoment(
      input: ear.input.bandsDBSPL, output: ear.output.bandsDBSPL,
      gains: ear.gain.map { gain in shownBands(bands).map { gain.appliedDB[$0] } } ?? [],
      isTrue: [
        "limiter": least(.limiter) <= -noticed, "howl relief": least(.howlRelief) <= -noticed,
        "muted": least(.ramp) <= -muted,
      ])
  }

  /// The picture.
  ///
  /// - Parameters:
  ///   - numbers: Words that say where the numbers are.
  ///   - ears: Those shown, from the left.
  /// - Throws: ``Failure`` for fewer than two spectra.
  func drawing(title: String, numbers: String, ears: [Ear]) throws(Failure) -> SpectrogramDrawing {
    guard let last, let first = moments.first, let end = moments.last,
      end.time - first.time >= Self.leastLength
    else {
      throw Failure(
        "--spectrogram", inWords: "A spectrogram needs two spectra at least",
        remedy: "Make the stretch longer: --for 10s", exit: .badData)
    }
    let steps = zip(moments, moments.dropFirst()).map { $1.time - $0.time }.filter { $0 > 0 }.sorted()
    // The usual interval: where sound was lost there is a gap.
    let interval = steps[steps.count / 2]
    let span = end.time - first.time + interval
    // Times are rounded to milliseconds, so a column of exactly one interval would now and then get none.
    let width = max(interval * 1.02, span / Double(Self.mostColumns))
    let count = Int((span / width).rounded(.up))
    let columns = Dictionary(grouping: moments) { Int(($0.time - first.time) / width) }
    let note = [
      "\(NumberText.fixed(first.time)) to \(NumberText.fixed(end.time)) s, \(moments.count) spectra",
      "calibration of the microphone \(last.inputCalibration)", "of the earphone \(last.outputCalibration)",
    ]
    return SpectrogramDrawing(
      title: title, note: note.joined(separator: ", "),
      foot: [numbers],
      time: first.time...first.time + Double(count) * width, bands: last.frequencies.bandsHz,
      ears: ears.map { ear in
        var course = SpectrogramDrawing.Course()
        let cells = (0..<count).map { columns[$0]?.compactMap { $0.ears[ear] } }
        course.input = cells.map { $0.map { Self.mean($0.map(\.input)) } }
        course.output = cells.map { $0.map { Self.mean($0.map(\.output)) } }
        course.gains = gains(ear, last.frequencies.bandsHz)
        course.lanes = lanes(ear, lasting: interval)
        return (ear, course)
      })
  }

  /// Mean by power.
  private static func mean(_ levels: [[Double]]) -> [Double] {
    guard let first = levels.first else { return [] }
    return first.indices.map { band in
      let power = levels.reduce(0) { $0 + pow(10, $1[band] / 10) } / Double(levels.count)
      return 10 * log10(max(power, silence))
    }
  }

  /// Indices of the bands whose gain is drawn, each once: those nearest to ``shownGains`` in octaves.
  private static func shownBands(_ bands: [Double]) -> [Int] {
    shownGains.reduce(into: []) { shown, frequency in
      let distances = bands.map { abs(log2($0 / frequency)) }
      guard let nearest = bands.indices.min(by: { distances[$0] < distances[$1] }), !shown.contains(nearest)
      else { return }
      shown.append(nearest)
    }
  }

  func gains(_ ear: Ear, _ bands: [Double]) -> [(name: String, points: [CurvePoint])] {
    let known = moments.filter { $0.ears[ear]?.gains.isEmpty == false }
    guard !known.isEmpty else { return [] }
    return Self.shownBands(bands).enumerated().map { index, band in
      (
        "\(NumberText.fixed(bands[band], 0)) Hz",
        moments.map {
          let gains = $0.ears[ear]?.gains ?? []
          return CurvePoint(x: $0.time, y: gains.isEmpty ? .nan : gains[index])
        }
      )
    }
  }

  private func lanes(_ ear: Ear, lasting interval: Double) -> [SpectrogramDrawing.Lane] {
    /// Stretches in which something stays what it is; nil: nothing is.
    func stretches(_ words: (Moment) -> String?) -> [(time: ClosedRange<Double>, words: String)] {
      var found: [(time: ClosedRange<Double>, words: String)] = []
      var isContinued = false
      for moment in moments {
        let now = words(moment)
        if let now, isContinued, let former = found.last, former.words == now {
          found[found.count - 1].time = former.time.lowerBound...moment.time + interval
        } else if let now {
          found.append((moment.time...moment.time + interval, now))
        }
        isContinued = now != nil
      }
      return found
    }
    return ["limiter", "howl relief", "muted"].map { name in
      .init(name: name, stretches: stretches { $0.ears[ear]?.isTrue[name] == true ? "" : nil })
    } + [.init(name: "scene", stretches: stretches(\.scene))]
  }
}
