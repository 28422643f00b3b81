import Acoustics
import Fitting

@testable import Paper

/// A prescription as a clinic would print it.
enum SampleSheet {
  /// Modules with the three finder patterns of a QR symbol and noise from a fixed seed between them.
  static func modules(side: Int) -> QRSymbol {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    var dark = (0..<side * side).map { _ in
      // xorshift64 (Marsaglia 2003, J. Stat. Softw. 8(14)).
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state & 1 == 1
    }
    for (left, top) in [(0, 0), (side - 8, 0), (0, side - 8)] {
      for y in 0..<8 {
        for x in 0..<8 {
          // Seen from the finder's own corner: seven modules, and light ones towards the inside.
          let (u, v) = (left == 0 ? x : 7 - x, top == 0 ? y : 7 - y)
          let ring = max(abs(u - 3), abs(v - 3))
          dark[(top + y) * side + left + x] = ring != 2 && ring < 4
        }
      }
    }
    return QRSymbol(side: side, dark: dark)
  }

  /// Bisgaard N3 with bone conduction.
  static func rightEar() throws -> Audiogram {
    var points = StandardAudiogram.n3.audiogram.points
    for (frequency, level) in [(500.0, 30.0), (1000, 35), (2000, 45), (4000, 55)] {
      points.append(.init(frequency: frequency, threshold: HearingLevel(level), conduction: .bone))
    }
    points.append(.init(frequency: 8000, threshold: HearingLevel(70)))
    return try Audiogram(points: points)
  }

  /// Far worse than the right ear, so masked from 1 kHz up, and without a response at 6 and 8 kHz.
  static func leftEar() throws -> Audiogram {
    var points: [Audiogram.Point] = []
    for (frequency, level) in [(250.0, 50.0), (500, 55), (750, 60)] {
      points.append(.init(frequency: frequency, threshold: HearingLevel(level)))
    }
    for (frequency, level) in [(1000.0, 70.0), (1500, 75), (2000, 85), (3000, 95), (4000, 105)] {
      points.append(.init(frequency: frequency, threshold: HearingLevel(level), isMasked: true))
    }
    for (frequency, level) in [(6000.0, 110.0), (8000, 100)] {
      points.append(
        .init(frequency: frequency, threshold: HearingLevel(level), isMasked: true, hasResponse: false))
    }
    for (frequency, level) in [(500.0, 45.0), (1000, 60)] {
      points.append(
        .init(
          frequency: frequency, threshold: HearingLevel(level), conduction: .bone, isMasked: true))
    }
    points.append(
      .init(
        frequency: 2000, threshold: HearingLevel(70), conduction: .bone, isMasked: true, hasResponse: false)
    )
    return try Audiogram(points: points)
  }

  static let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]

  /// Half of the loss for ordinary speech, more for soft and less for loud speech.
  static func targets(_ audiogram: Audiogram, at frequencies: [Double] = frequencies) -> [TargetTable.Point]
  {
    frequencies.map { frequency in
      let gain = (audiogram.threshold(at: frequency)?.decibels ?? 0) / 2.1
      return point(
        frequency, soft: gain * 1.25, ordinary: gain, loud: gain * 0.62,
        maximumOutput: (95 + gain / 2).rounded())
    }
  }

  static func point(
    _ frequency: Double, soft: Double, ordinary: Double, loud: Double, maximumOutput: Double? = nil
  ) -> TargetTable.Point {
    TargetTable.Point(
      frequency: frequency, gains: SpeechLevels(soft: soft, ordinary: ordinary, loud: loud),
      maximumOutput: maximumOutput.map { SoundPressureLevel($0) })
  }

  static func content(side: Int = 105) throws -> SheetContent {
    let audiograms = Binaural(left: try leftEar(), right: try rightEar())
    return SheetContent(
      clinic: "Hearing Centre Lindenhof", prescriber: "Dr. Marta Keller",
      patientName: "Johanna Sørensen-Żółć", birthDate: "12 March 1951", reference: "P-20418",
      environment: "conversation in noise", serial: 1042, supersedes: 1017, issued: "21 November 2026",
      expires: "21 November 2028", trialUntil: "5 December 2026",
      audiograms: Binaural(left: audiograms.left, right: audiograms.right),
      targetSource: "NAL-RP with compression 2:1, version 1",
      fineTuning: ["right ear 2000 Hz: −2 dB for loud speech", "left ear 500 Hz: +1.5 dB at all levels"],
      adaptation: "80 % of the gain to begin with",
      adjustments: ["volume −6 to +4 dB", "tone −3 to +3 dB"],
      targets: audiograms.map { targets($0) }, code: modules(side: side),
      keyFingerprint: "4F2A 91C7 0B3E D85A 6C11 7E90 A2B4 53FD 18E6 C97B 40D2 8F35 B7A1 06EC 9D48 217F",
      findings: [
        "The ears differ by 35 dB or more at 1000, 2000 and 4000 Hz: asymmetric.",
        "Left ear 6000 and 8000 Hz: no response at the loudest level; gain is limited by the ceiling.",
      ])
  }
}
