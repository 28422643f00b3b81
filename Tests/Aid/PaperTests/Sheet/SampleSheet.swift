import Acoustics
import Base
import Fitting
import Prescriptions
import Testing

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

  static let key = KeyFingerprint(base64URL: "TyqRxws-2FpsEX6QorRT_RjmyXtA0o81t6EG7J1IIX8")

  /// 2026-11-21T12:00:00Z: on that day in nearly every zone.
  static let issued = Instant(seconds: 1_795_262_400)

  static func plan(
    source: String = "NAL-NL2", tuning: Binaural<FineTuning> = Binaural(both: .none),
    adaptation: Double = 0.8,
    lowering: Binaural<FrequencyLowering?> = Binaural(both: nil),
    sound: Binaural<TinnitusSound?> = Binaural(both: nil)
  ) throws -> FittingPlan {
    func table(_ audiogram: Audiogram) throws -> TargetTable {
      try TargetTable(
        points: targets(audiogram).map { point in
          var point = point
          point.gains = SpeechLevels { (point.gains[$0] * 10).rounded() / 10 }
          point.maximumOutput = point.maximumOutput.map { min($0, TargetTable.maximumOutputs.upperBound) }
          return point
        })
    }
    return try FittingPlan(
      target: .tables(Binaural(left: table(leftEar()), right: table(rightEar())), source: source),
      fineTuning: tuning, adaptation: adaptation, lowering: lowering, tinnitusSound: sound)
  }

  /// Fine tuning of so many frequencies in each ear.
  static func tuning(_ count: Int) throws -> Binaural<FineTuning> {
    let points = frequencies.prefix(count).map {
      FineTuning.Point(frequency: $0, changes: SpeechLevels(soft: -2, ordinary: 1.5, loud: -3.5))
    }
    return Binaural(both: try FineTuning(points: points))
  }

  static func report(
    clinic: String = "Hearing Centre Lindenhof", prescriber: String = "Dr. Marta Keller",
    given: String = "Johanna", family: String = "Sørensen-Żółć", reference: String? = "P-20418",
    environment: ListeningEnvironment = .conversationInNoise, serial: Int = 1042, supersedes: Int? = 1017,
    audiograms: Binaural<Audiogram>? = nil, plan: FittingPlan? = nil,
    adjustment: PatientAdjustment? = nil, hasEnd: Bool = true, wearerMayAccept: Bool = false,
    verdict: PrescriptionReport.Verdict? = nil
  ) throws -> PrescriptionReport {
    let birth = try #require(CalendarDate("1951-03-12"))
    return PrescriptionReport(
      try Prescription(
        serial: serial, supersedes: supersedes,
        patient: Patient(givenName: given, familyName: family, birthDate: birth, reference: reference),
        prescriber: Prescriber(name: prescriber, clinic: clinic), environment: environment,
        audiograms: audiograms ?? Binaural(left: leftEar(), right: rightEar()),
        plan: plan ?? self.plan(tuning: tuning(1)),
        adjustment: adjustment ?? PatientAdjustment(volume: -6...4, tone: -3...3), issued: issued,
        expires: hasEnd ? Instant(endOf: #require(CalendarDate("2028-11-21"))) : nil,
        trialEnds: hasEnd ? issued + 14 * 86_400 : nil, wearerMayAccept: wearerMayAccept),
      verdict: verdict)
  }

  /// The page of a report.
  static func sheet(
    _ report: PrescriptionReport? = nil, side: Int = 105, codeWidth: Double = CodeDrawing.standardWidth
  ) throws -> PrescriptionSheet {
    PrescriptionSheet(
      report: try report ?? self.report(), key: key,
      code: CodeDrawing(modules(side: side), width: codeWidth))
  }
}

extension PrescriptionSheet {
  /// Writes all pages.
  ///
  /// - Returns: The pages.
  @discardableResult func write(to path: String) throws -> [Picture] {
    let pages = pages()
    try pages[0].write(to: path, followedBy: Array(pages.dropFirst()))
    return pages
  }
}
