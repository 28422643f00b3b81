import Acoustics
import Engine
import Fitting
import HearingDSP
import Testing

@testable import Laboratory

@Suite("Limits that are broken on purpose") struct BrokenLimitTests {
  /// A fitting by table, the same gain for every speech level.
  private func subject(
    _ gains: [(Double, Double)], maximum: Double? = nil, earphone: Double = 113.7
  ) throws -> Subject {
    var subject = try SampleAid.subject(.n3)
    let table = try TargetTable(
      points: gains.map {
        TargetTable.Point(
          frequency: $0.0, gains: SpeechLevels(all: $0.1),
          maximumOutput: maximum.map(SoundPressureLevel.init)
        )
      })
    subject.hearing.plan = try FittingPlan(
      target: .tables(Binaural(both: table), source: "test"), outputCeiling: SoundPressureLevel(120))
    subject.hearing.earphones = OutputCalibration(
      device: subject.hearing.earphones.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(earphone))))
    subject.speechSeconds = 17
    return subject
  }

  private func broken(_ subject: Subject) throws -> Set<String> {
    Set(try Verification(subject).broken.map { "\($0.source.rawValue) \($0.clause) \($0.name)" })
  }

  @Test("output of 120 dB SPL breaks the rule's 111 without and its 117 with compression")
  func maximumOutput() throws {
    var loud = try subject([(250, 30), (6000, 30)], maximum: 120, earphone: 124)
    loud.hearing.maximumOutput = SoundPressureLevel(120)
    let linear = try broken(loud)
    #expect(linear.contains("21 CFR 800.30 (d)(1) Maximum output"))
    var compressed = try SampleAid.subject(.n6)
    compressed.hearing.maximumOutput = SoundPressureLevel(120)
    compressed.speechSeconds = 17
    let table = try TargetTable(points: [
      .init(
        frequency: 1000, gains: SpeechLevels(soft: 45, ordinary: 40, loud: 35),
        maximumOutput: SoundPressureLevel(120))
    ])
    compressed.hearing.plan = try FittingPlan(
      target: .tables(Binaural(both: table), source: "test"), outputCeiling: SoundPressureLevel(120))
    compressed.hearing.earphones = OutputCalibration(
      device: compressed.hearing.earphones.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(124))))
    #expect(try broken(compressed).contains("21 CFR 800.30 (d)(2) Maximum output, compression on"))
  }

  @Test("a third octave that stands out by 15 dB breaks the smoothness of both")
  func peak() throws {
    var peaked = try subject([(250, 10), (800, 10), (900, 27), (1120, 27), (1250, 10), (6000, 10)])
    peaked.hearing.bands = try BandLayout(centres: [
      125, 250, 500, 650, 800, 900, 1000, 1120, 1250, 1500, 2000, 3000, 4000, 6000, 8000,
    ])
    let found = try broken(peaked)
    #expect(found.contains("21 CFR 800.30 (e)(5) Third-octave peak"))
    #expect(found.contains("ANSI/CTA-2051 5.2 Third-octave peak"))
  }

  @Test("a response that falls by 30 dB below 5 kHz breaks the bandwidth")
  func bandwidth() throws {
    let found = try broken(try subject([(250, 35), (2500, 35), (4000, 0), (6000, 0)]))
    #expect(found.contains("21 CFR 800.30 (e)(4) Bandwidth, upper edge"))
  }

  @Test("a stated device delay of 12 ms breaks 15 ms and not 30; of 30 ms both")
  func latency() throws {
    var late = try SampleAid.subject(.n2)
    late.speechSeconds = 17
    late.deviceLatency = 0.012
    #expect(try broken(late) == ["21 CFR 800.30 (e)(3) Latency"])
    late.deviceLatency = 0.03
    #expect(try broken(late) == ["21 CFR 800.30 (e)(3) Latency", "ANSI/CTA-2051  Latency"])
  }

  @Test(
    "three periods of 256 frames at 44.1 kHz, which a running aid has for 64, are 17.4 ms and break 15 ms")
  func runningPeriods() throws {
    var late = try SampleAid.subject(.n2, frames: 256)
    late.speechSeconds = 17
    late.surroundings = .running(told: nil)
    #expect(late.blockLatency == 3 * 256 / 44_100.0)
    #expect(try broken(late) == ["21 CFR 800.30 (e)(3) Latency"])
  }

  @Test(
    "the delay that a running aid tells, or that was measured, counts in place of its periods, and the latter has the converters in it"
  )
  func runningDelay() throws {
    var late = try SampleAid.subject(.n2)
    late.speechSeconds = 17
    late.surroundings = .running(told: 0.017)
    #expect(try broken(late) == ["21 CFR 800.30 (e)(3) Latency"])
    late.surroundings = .measured(0.031)
    let verification = try Verification(late)
    #expect(Set(verification.broken.map(\.name)) == ["Latency"])
    #expect(verification.broken.allSatisfy { $0.note == "chain, and devices as measured" })
    let table = VerificationTable(verification, of: "N2", measured: "Today.", inForce: nil)
    #expect(
      table.conditions.contains(
        "Device: periods of 64 frames at 44100 Hz of the running aid, 31.00 ms as it was measured, converters included, no stated delay added."
      ))
  }

  @Test("what the configuration asks for is told as that: a device may choose other periods")
  func configuredPeriods() throws {
    var subject = try SampleAid.subject(.n2)
    subject.speechSeconds = 17
    let table = VerificationTable(
      try Verification(subject), of: "N2", measured: "Today.", inForce: nil)
    // 3 · 64 / 44.1 kHz.
    #expect(
      table.conditions.contains {
        $0.hasPrefix(
          "Device: 3 periods of 64 frames at 44100 Hz, 4.35 ms, by the configuration, of which the device may choose others;"
        )
      })
  }

  @Test("a microphone that clips at 90 dB SPL breaks the distortion at 100 dB SPL")
  func clipping() throws {
    var clipped = try SampleAid.subject(.n3)
    clipped.speechSeconds = 17
    clipped.hearing.microphones = try InputCalibration(
      device: clipped.hearing.microphones.device, channels: [Sensitivity(flat: SoundPressureLevel(90))])
    let found = try broken(clipped)
    #expect(found.contains("21 CFR 800.30 (e)(1) Distortion and noise, 500 Hz at 100 dB SPL"))
    #expect(found.contains("ANSI/CTA-2051  Distortion and noise, 500 Hz at 100 dB SPL"))
  }

  @Test(
    "a 16-bit converter, or a microphone's stated noise of 30 dBA, breaks 32 dBA of self-generated noise")
  func noise() throws {
    var noisy = try SampleAid.subject(.n4)
    noisy.speechSeconds = 17
    noisy.converterBits = 16
    #expect(try broken(noisy) == ["21 CFR 800.30 (e)(2) Self-generated noise"])
    noisy.converterBits = 24
    noisy.microphoneNoise = 30
    #expect(try broken(noisy) == ["21 CFR 800.30 (e)(2) Self-generated noise"])
  }

  @Test("own noise is open while the microphone's is not stated, and met by one that is quiet enough")
  func openNoise() throws {
    var subject = try SampleAid.subject(.n2)
    subject.speechSeconds = 17
    let open = try Verification(subject)
    #expect(open.broken.isEmpty && !open.isMet)
    #expect(open.open.map(\.name) == ["Self-generated noise", "Self-generated noise"])
    #expect(open.open.allSatisfy { $0.note.contains("--microphone-noise") && $0.measured == nil })
    let table = VerificationTable(open, of: "N2", measured: "Today.", inForce: nil)
    #expect(table.verdict.hasSuffix("limits met, none broken; 1 not judged: Self-generated noise."))
    #expect(table.isMet)
    // Nearly nothing, so that the converter's own noise remains, which lies far below 32 dBA for N2.
    subject.microphoneNoise = -20
    let quiet = try Verification(subject)
    #expect(quiet.isMet && quiet.open.isEmpty)
    let verdict = VerificationTable(quiet, of: "N2", measured: "Today.", inForce: nil).verdict
    #expect(verdict.hasSuffix("limits met, none broken."))
  }

  @Test("limits are counted as met, broken and open; an open ear is not met by the other one")
  func counts() {
    func limit(
      _ name: String, _ values: [Double?], _ withoutFigure: Finding.Verdict = .notApplicable
    )
      -> VerificationTable.Limit
    {
      VerificationTable.Limit(
        findings: zip(Ear.allCases, values).map { ear, value in
          Finding(
            source: .fitting, name: name, ear: ear, measured: value, unit: "", bound: 0...1,
            knowledge: .own, withoutFigure: withoutFigure)
        })
    }
    let all = [
      limit("a", [1, 1]), limit("b", [2, 0]), limit("c", [nil, 1], .notJudged), limit("d", [nil, nil]),
      limit("e", [nil, 1]),
    ]
    #expect(VerificationTable.verdict(all) == "2 limits met, 1 broken: b; 1 not judged: c")
    #expect(VerificationTable.verdict([all[0]]) == "1 limit met, none broken")
    #expect(VerificationTable.verdict([all[0], all[2]]) == "1 limit met, none broken; 1 not judged: c")
  }

  @Test("a limit that nobody has read in a text is marked")
  func marks() {
    func known(_ knowledge: Finding.Knowledge) -> String {
      VerificationTable.Limit(findings: [
        Finding(source: .tolerance, name: "x", unit: "", bound: 0...1, knowledge: knowledge)
      ]).known
    }
    #expect(known(.secondary) == "secondary source")
    #expect(known(.memory) == "* from memory" && known(.own) == "* own choice")
  }

  @Test("without a calibration gain is held back, and the target is missed")
  func uncalibrated() throws {
    var unknown = try SampleAid.subject(.n4)
    unknown.speechSeconds = 17
    unknown.hearing.microphones = .assumed
    unknown.hearing.earphones = .assumed
    #expect(try broken(unknown).contains("fitting  Gain less target, speech noise of 50 dB SPL"))
  }

  @Test("what is not a number meets no limit, and nothing measured breaks none")
  func numbers() {
    var finding = Finding(
      source: .tolerance, name: "x", ear: nil, measured: .nan, unit: "dB", bound: -4...4,
      knowledge: .memory)
    #expect(finding.verdict == .broken)
    let atTheEnd: [(ClosedRange<Double>, Double)] = [(.atMost(5), 5), (.atLeast(5), 5), (4...5, 5)]
    for (bound, value) in atTheEnd {
      (finding.bound, finding.measured) = (bound, value)
      #expect(finding.verdict == .met)
    }
    finding.measured = nil
    #expect(finding.verdict == .notApplicable)
  }
}
