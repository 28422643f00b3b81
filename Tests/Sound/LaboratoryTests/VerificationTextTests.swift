import Acoustics
import Base
import Engine
import Fitting
import Testing

@testable import Laboratory

@Suite("A verification as text and as JSON")
struct VerificationTextTests {
  /// An ear with figures that nobody measured: each number is known.
  private static let ear: EarMeasurements = {
    var ear = EarMeasurements(ear: .right)
    func points(_ values: [(Double, Double)]) -> [CurvePoint] {
      values.map { CurvePoint(x: $0.0, y: $0.1) }
    }
    ear.inputOutput = [
      .init(frequency: nil, curve: points([(55, 80), (80, 92.5)])),
      .init(frequency: 2000, curve: points([(55, 85), (80, 97.5)])),
    ]
    ear.response = points([(250, 65), (1000, 90), (2500, 95.5)])
    ear.loudResponse = points([(250, 95), (1000, 110), (1600, 112), (2500, 108)])
    ear.softGain = 32
    ear.distortions = [Distortion(frequency: 500, level: 70, share: 0.0125)]
    ear.noise = NoiseReading(input: 10, output: 40, silence: -.infinity)
    ear.steps = StepResponse(attack: 0.0042, release: nil)
    ear.delays = points([(250, 0.0061), (1000, 0.0046)])
    ear.speechGains = [
      .init(
        level: 65, measured: points([(250, 14.5), (1000, 29)]), target: points([(250, 15), (1000, 30)]))
    ]
    ear.speech = [
      SpeechDynamics(
        level: 65,
        bands: [
          .init(
            frequency: 1000, input: .init(valleys: 40, middle: 50, peaks: 70),
            output: .init(valleys: 75, middle: 80, peaks: 90), inputLevel: 55, gain: 28)
        ])
    ]
    return ear
  }()

  private static func finding(
    _ name: String, _ measured: Double?, _ bound: ClosedRange<Double>, ear: Ear? = .right,
    note: String = "",
    without verdict: Finding.Verdict = .notApplicable, known: Finding.Knowledge = .secondary
  ) -> Finding {
    Finding(
      source: .overTheCounter, clause: "(e)(3)", name: name, ear: ear, measured: measured, unit: "dB SPL",
      bound: bound,
      knowledge: known, note: note, withoutFigure: verdict)
  }

  private static let table = VerificationTable(
    title: "Bisgaard N3, NAL-R", conditions: ["Measured by hand.", "Not fitted: nothing is amplified."],
    figures: [.init(name: "OSPL90, maximum", ears: Binaural(left: "–", right: "112.0 dB SPL at 1600 Hz"))],
    limits: [
      .init(findings: [finding("Maximum output", 112, .atMost(111), note: "at 1600 Hz")]),
      .init(findings: [finding("Latency", 5, .atMost(15))]),
      .init(findings: [
        finding("Noise", nil, .atMost(32), ear: nil, note: "not stated", without: .notJudged, known: .own)
      ]),
      .init(findings: [finding("Tone", nil, -3...3, note: "no such curve")]),
    ], verdict: "1 limit met, 1 broken: Maximum output; 1 not judged: Noise.", isMet: false, ears: [ear])

  private static func lines(isOn: Bool = false) -> [String] {
    VerificationText(table, style: Style(isOn: isOn)).text.split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map(String.init)
  }

  /// Cells of the line that begins so, which two spaces or more part.
  private static func cells(_ start: String) throws -> [String] {
    let line = try #require(lines().first { $0.hasPrefix(start) })
    return line.split(separator: "  ").map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  @Test("Title and conditions come first, the verdict last")
  func order() {
    let lines = Self.lines()
    #expect(lines.first == "Electroacoustic verification: Bisgaard N3, NAL-R")
    #expect(Array(lines[1...2]) == Self.table.conditions)
    #expect(Array(lines.suffix(2)) == [Self.table.verdict, ""])
  }

  @Test("Each limit stands with its verdict, source, figures of both ears, bound and what is known of it")
  func limits() throws {
    #expect(
      try Self.cells("BROKEN") == [
        "BROKEN", "21 CFR 800.30 (e)(3)", "Maximum output", "112.0 dB SPL", "–", "≤ 111 dB SPL",
        "secondary source",
      ])
    #expect(try Self.cells("met").contains("5.00 dB SPL"))
    #expect(try Self.cells("not judged").suffix(2) == ["≤ 32 dB SPL", "* own choice"])
    #expect(try Self.cells("–").contains("± 3 dB SPL"))
  }

  @Test("A limit that is not met is told once more with ear and place, one that is met is not")
  func notes() {
    let lines = Self.lines()
    #expect(lines.contains("21 CFR 800.30 (e)(3), Maximum output: right ear, at 1600 Hz"))
    #expect(lines.contains("21 CFR 800.30 (e)(3), Noise: not stated"))
    #expect(!lines.contains { $0.contains("Latency: ") })
    #expect(lines.contains(VerificationTable.origin))
  }

  @Test("Curves of an ear: gain is output less input, and what was not measured is a dash")
  func curves() throws {
    #expect(try Self.cells("speech-shaped noise") == ["speech-shaped noise", "80.0", "92.5"])
    #expect(try Self.cells("2000 Hz") == ["2000 Hz", "85.0", "97.5"])
    #expect(try Self.cells("gain for tones of 60 dB SPL, dB").suffix(2) == ["5.0", "30.0"])
    #expect(try Self.cells("output for tones of 90 dB SPL, dB SPL").suffix(2) == ["95.0", "110.0"])
    #expect(try Self.cells("gain for speech of 65 dB SPL, dB").suffix(2) == ["14.5", "29.0"])
    #expect(try Self.cells("delay of the chain, ms").suffix(2) == ["6.10", "4.60"])
    #expect(try Self.cells("65 dB SPL in").last == "40/50/70")
    #expect(try Self.cells("  out").last == "75/80/90")
    // 30 dB at the input become 15.
    #expect(try Self.cells("  compression ratio").last == "2.00")
  }

  @Test("Colours mark what is broken, not judged and good, and nothing where there is no terminal")
  func colours() {
    let text = Self.lines(isOn: true).joined(separator: "\n")
    for part in [
      "\u{1B}[31mBROKEN", "\u{1B}[33mnot judged", "\u{1B}[32mmet", "\u{1B}[31m\(Self.table.verdict)",
    ] {
      #expect(text.contains(part))
    }
    #expect(!Self.lines().joined().contains("\u{1B}"))
  }

  @Test("An ear as JSON has its figures in their units; what is infinite or was not read is absent")
  func earJSON() {
    let json = Self.ear.json
    #expect(json["ear"] == "right" && json["hfa_full_on_gain_db"] == 32)
    #expect(json["maximum_output_db_spl"] == 112)
    // The mean of 110, 112 and 108; and less 77 (ANSI/ASA S3.22).
    #expect(json["hfa_ospl90_db_spl"] == 110 && json["reference_test_gain_db"] == 33)
    #expect(json["distortions"] == [["frequency_hz": 500, "input_db_spl": 70, "percent": .number(1.25)]])
    #expect(json["self_generated_noise_dba"] == 40 && json["equivalent_input_noise_dba"] == 8)
    #expect(json["attack_seconds"] == .number(0.0042) && json["release_seconds"] == nil)
    // 25 dB in, 12.5 out.
    #expect(json["compression_ratio_2_khz"] == 2)
    #expect(json["input_output_db_spl"]?["speech_shaped_noise"] == [[55, 80], [80, .number(92.5)]])
    #expect(
      json["insertion_gain"] == [
        [
          "input_db_spl": 65, "measured_hz_db": [[250, .number(14.5)], [1000, 29]],
          "target_hz_db": [[250, 15], [1000, 30]],
        ]
      ])
    #expect(
      json["speech"] == [
        ["input_db_spl": 65, "compression_ratio": 2, "bands": [[1000, 40, 50, 70, 75, 80, 90, 2]]]
      ])
    var silent = Self.ear
    (silent.noise.output, silent.response) = (-.infinity, [CurvePoint(x: 1000, y: .nan)])
    #expect(
      silent.json["self_generated_noise_dba"] == nil && silent.json["equivalent_input_noise_dba"] == nil)
    #expect(silent.json["response_60_hz_db_spl"] == [])
  }

  @Test("A limit as JSON has one end or two, and no figure where there is none")
  func findingJSON() {
    let broken = Self.table.limits[0].first.json
    #expect(broken["at_least"] == nil && broken["at_most"] == 111 && broken["measured"] == 112)
    #expect(broken["verdict"] == "broken" && broken["note"] == "at 1600 Hz" && broken["ear"] == "right")
    let open = Self.table.limits[2].first.json
    #expect(open["measured"] == nil && open["ear"] == nil && open["verdict"] == "not judged")
    let both = Self.table.limits[3].first.json
    #expect(both["at_least"] == -3 && both["at_most"] == 3 && both["verdict"] == "not applicable")
  }

  @Test(
    "A whole verification as JSON counts its limits as its table does, and names what it was measured on")
  func whole() throws {
    var subject = try SampleAid.subject(.n2)
    // Five seconds behind the fifteen that are left out.
    subject.speechSeconds = 20
    let verification = try Verification(subject)
    let json = verification.json(
      of: "Bisgaard N2", at: 1_700_000_000, version: "1.2", inForce: "program music")
    #expect(json["schema"] == 201 && json["subject"] == "Bisgaard N2" && json["version"] == "1.2")
    #expect(json["measured_unix_seconds"] == 1_700_000_000 && json["program_in_force"] == "program music")
    #expect(json["sample_rate_hz"] == 44_100 && json["block_frames"] == 64)
    let table = VerificationTable(verification, of: "Bisgaard N2", measured: "Now.", inForce: nil)
    func count(_ verdict: Finding.Verdict) -> JSONValue {
      .number(Double(table.limits.count { $0.verdict == verdict }))
    }
    #expect(
      json["counts"] == ["met": count(.met), "broken": count(.broken), "not_judged": count(.notJudged)])
    #expect(json["met"] == .boolean(verification.isMet))
    guard case .array(let ears) = json["ears"]?.content, case .array(let limits) = json["limits"]?.content
    else {
      Issue.record("no ears or limits")
      return
    }
    #expect(ears.count == 2 && limits.count == verification.findings.count)
    // The microphone's own noise was not stated, so its limit is open and the verdict is not of all limits.
    #expect(json["met"] == false && json["counts"]?["broken"] == 0)
  }
}
