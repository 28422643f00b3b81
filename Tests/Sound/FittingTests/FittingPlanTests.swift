import Acoustics
import Glibc
import Testing

@testable import Fitting

@Suite("Fitting plan") struct FittingPlanTests {
  let bands = BandLayout.standard
  let n3 = StandardAudiogram.n3.audiogram

  private func tuning(_ points: (Double, Double, Double, Double)...) throws -> FineTuning {
    try FineTuning(
      points: points.map {
        FineTuning.Point(
          frequency: $0.0, changes: SpeechLevels(soft: $0.1, ordinary: $0.2, loud: $0.3))
      })
  }

  private func plan(
    _ rule: PrescribedRule, _ tuning: FineTuning = .none, adaptation: Double = 1
  ) throws -> FittingPlan {
    try FittingPlan(
      target: .rule(rule), fineTuning: Binaural(left: tuning, right: .none), adaptation: adaptation)
  }

  @Test("every prescribed rule is there, and a plan of nothing else gives its curves unchanged")
  func rules() throws {
    for prescribed in PrescribedRule.all + PrescribedRule.former {
      for standard in StandardAudiogram.allCases {
        let plain = try prescribed.rule.curves(for: standard.audiogram, bands: bands)
        let planned = try plan(prescribed).rule(for: .left).curves(for: standard.audiogram, bands: bands)
        #expect(planned == plain, "\(prescribed) \(standard)")
      }
    }
  }

  @Test("no rule, whatever the audiogram, needs more than six knots; a tuned one no more than sixteen")
  func knots() throws {
    let tuned = try tuning((500, 15, -15, 15), (4000, -15, 15, -15))
    for prescribed in PrescribedRule.all + PrescribedRule.former {
      for standard in StandardAudiogram.allCases {
        let plain = try prescribed.rule.curves(for: standard.audiogram, bands: bands)
        #expect(plain.allSatisfy { $0.knots.count <= 6 })
        let planned = try plan(prescribed, tuned, adaptation: 0.7).rule(for: .left)
        for curve in try planned.curves(for: standard.audiogram, bands: bands) {
          #expect(throws: Never.self) {
            try GainCurve(knots: curve.knots, slopeBelow: curve.slopeBelow, slopeAbove: curve.slopeAbove)
          }
        }
      }
    }
  }

  @Test("fine tuning adds its change for each speech level, exactly, at every level and band, up to 75 dB")
  func fineTuning() throws {
    let tuning = try tuning((500, 2, 0, -4), (2000, 6, 4, 2))
    for prescribed in PrescribedRule.all + PrescribedRule.former {
      let plain = try prescribed.rule.curves(for: n3, bands: bands)
      let tuned = try plan(prescribed, tuning).rule(for: .left).curves(for: n3, bands: bands)
      let other = try plan(prescribed, tuning).rule(for: .right).curves(for: n3, bands: bands)
      #expect(other == plain)
      for band in bands.centres.indices {
        let octaves = min(max(log2(bands.centres[band] / 500), 0), 2)
        let (soft, ordinary, loud) = (2 + 2 * octaves, 2 * octaves, -4 + 3 * octaves)
        let speech = bands.speechLevel(inBand: band, overall: SoundPressureLevel(65)).decibels
        for level in stride(from: -20.0, through: 120, by: 1.3) {
          let over = level - speech
          let change =
            over <= -15
            ? soft
            : over <= 0
              ? ordinary - over / 15 * (soft - ordinary)
              : over <= 15 ? ordinary + over / 15 * (loud - ordinary) : loud
          let expected = min(75, plain[band].gain(at: SoundPressureLevel(level)) + change)
          #expect(abs(tuned[band].gain(at: SoundPressureLevel(level)) - expected) < 1e-6)
        }
      }
    }
  }

  @Test("fine tuning leads no gain above 75 dB")
  func tunedCeiling() throws {
    let deaf = try Audiogram(air: [250: 120, 8000: 120])
    let curves = try plan(.pogoII, try tuning((1000, 15, 15, 15))).rule(for: .left)
      .curves(for: deaf, bands: bands)
    // POGO II at 120 dB HL: 60 + 27.5 = 87.5 dB.
    for curve in curves {
      for level in [-50.0, 0, 50, 65, 80, 120] { #expect(curve.gain(at: SoundPressureLevel(level)) <= 75) }
    }
  }

  @Test("no gain of a plan exceeds 80 dB, at any level, and what lies below is as the rule has it")
  func greatestGain() throws {
    let deaf = try Audiogram(air: [250: 120, 8000: 120])
    for prescribed in PrescribedRule.all + PrescribedRule.former {
      for ratio in [1.0, 2, 3] {
        let rule = prescribed.with(compressionRatio: ratio)
        let plain = try rule.rule.curves(for: deaf, bands: bands)
        let planned = try plan(rule).rule(for: .left).curves(for: deaf, bands: bands)
        for (a, b) in zip(plain, planned) {
          for level in stride(from: -60.0, through: 200, by: 1.3) {
            let expected = min(80, a.gain(at: SoundPressureLevel(level)))
            #expect(abs(b.gain(at: SoundPressureLevel(level)) - expected) < 1e-6, "\(rule) at \(level)")
          }
        }
      }
    }
    // POGO II at 120 dB HL and 4 kHz: 60 + 27.5 = 87.5 dB. Of these 0.9 are 78.75 dB, which were played before.
    let pogo = try plan(.pogoII).targets(for: .left, audiogram: deaf, at: [4000])
    for level in SpeechLevel.allCases { #expect(abs(pogo[0][level] - 80) < 1e-9) }
    let part = try plan(.pogoII, adaptation: 0.9).targets(for: .left, audiogram: deaf, at: [4000])
    #expect(abs(part[0].ordinary - 78.75) < 1e-9)
  }

  @Test("adaptation gives a share of gain above 0 dB and leaves what is below, at every level")
  func adaptation() throws {
    let tuning = try tuning((1000, 5, -15, -15))
    for prescribed in PrescribedRule.all + PrescribedRule.former {
      let full = try plan(prescribed, tuning).rule(for: .left).curves(for: n3, bands: bands)
      let part = try plan(prescribed, tuning, adaptation: 0.8).rule(for: .left).curves(
        for: n3, bands: bands)
      for (a, b) in zip(full, part) {
        for level in stride(from: -20.0, through: 130, by: 0.7) {
          let gain = a.gain(at: SoundPressureLevel(level))
          let expected = gain > 0 ? 0.8 * gain : gain
          #expect(abs(b.gain(at: SoundPressureLevel(level)) - expected) < 1e-6)
        }
      }
    }
  }

  @Test("a share that makes no sense counts as the nearest that does")
  func shares() {
    #expect(Adapted(NALR(), share: 0.2).share == 0.5)
    #expect(Adapted(NALR(), share: 3).share == 1)
    #expect(Adapted(NALR(), share: .nan).share == 0.5)
  }

  @Test("sloped ends are shared as well, and cross 0 dB where they should")
  func slopedEnds() throws {
    let knots = [GainCurve.Knot(level: SoundPressureLevel(60), gain: 10)]
    let curve = try GainCurve(knots: knots, slopeBelow: 0.5, slopeAbove: -0.5)
    let part = curve.flattened(above: 0, share: 0.5)
    for level in stride(from: 0.0, through: 120, by: 1.7) {
      let gain = curve.gain(at: SoundPressureLevel(level))
      let expected = gain > 0 ? gain / 2 : gain
      #expect(abs(part.gain(at: SoundPressureLevel(level)) - expected) < 1e-9)
    }
  }

  @Test("the name says all of it")
  func names() throws {
    #expect(try plan(.nalRP).rule(for: .left).name == "NAL-RP")
    let tuned = try plan(.nalRP, try tuning((1000, 1, 1, 1)), adaptation: 0.75)
    #expect(tuned.rule(for: .left).name == "NAL-RP, fine-tuned, 75 % of the gain")
    #expect(tuned.rule(for: .right).name == "NAL-RP, 75 % of the gain")
  }

  @Test("targets of N3 by NAL-RP with compression 2:1 by hand: 24.45, 19.65 and 12.15 dB at 1 kHz")
  func targets() throws {
    // 19.65 dB at 65 dB SPL; 15 dB more input takes 7.5 dB. 40 dB HL ask for 0.4·20 = 8 dB more at 25 dB less input,
    // 4.8 dB at 15 dB less.
    let plan = try plan(.nalRPCompressive(compressionRatio: 2))
    let found = try plan.targets(for: .left, audiogram: n3, at: [1000, 750, 866])
    #expect(abs(found[0].soft - 24.45) < 1e-9)
    #expect(abs(found[0].ordinary - 19.65) < 1e-9)
    #expect(abs(found[0].loud - 12.15) < 1e-9)
    // Between bands as between audiometric frequencies.
    let share = log2(866.0 / 750) / log2(1000.0 / 750)
    let between = found[1].loud + share * (found[0].loud - found[1].loud)
    #expect(abs(found[2].loud - between) < 1e-9)
    #expect(throws: FittingError.insufficientThresholds(measured: [4000])) {
      try plan.targets(for: .left, audiogram: try Audiogram(air: [4000: 40]), at: [1000])
    }
  }

  @Test("a table's targets are the table")
  func tableTargets() throws {
    let table = try TargetTable(points: [
      ExplicitTargetsTests.point(500, (10, 7, 2)), ExplicitTargetsTests.point(3000, (31, 22.5, -4)),
    ])
    let plan = try FittingPlan(target: .tables(Binaural(both: table), source: "DSL v5"))
    let found = try plan.targets(for: .right, audiogram: n3, at: [500, 3000])
    for (a, b) in zip(found, table.points) {
      for level in SpeechLevel.allCases { #expect(abs(a[level] - b.gains[level]) < 1e-9) }
    }
    #expect(plan.target.name == "DSL v5")
  }

  @Test("a compression ratio out of range makes no plan")
  func refusesRatio() {
    for ratio in [0.9, 3.1] {
      #expect(throws: FittingError.notAccepted("compression ratio \(ratio)", expected: "1 to 3")) {
        try FittingPlan(target: .rule(.nalRPCompressive(compressionRatio: ratio)))
      }
    }
    #expect(throws: FittingError.self) {
      try FittingPlan(target: .rule(.nalRPCompressive(compressionRatio: .nan)))
    }
    let clamped = PrescribedRule.nalRPCompressive(compressionRatio: 9).rule as? NALRPCompressive
    #expect(clamped?.compressionRatio == 3)
  }

  @Test("nothing is lowered and no sound is added unless it is prescribed")
  func offByDefault() throws {
    let plan = try plan(.nalRP)
    for ear in Ear.allCases { #expect(plan.lowering[ear] == nil && plan.tinnitusSound[ear] == nil) }
  }

  @Test("a tinnitus sound may be as loud as the ceiling, and no louder")
  func tinnitusSoundAboveCeiling() throws {
    func plan(_ level: Double) throws -> FittingPlan {
      let sound = try TinnitusSound(shape: .broadband, level: SoundPressureLevel(level))
      return try FittingPlan(
        target: .rule(.nalRP), outputCeiling: SoundPressureLevel(62),
        tinnitusSound: Binaural(left: nil, right: sound))
    }
    #expect(try plan(62).tinnitusSound.right?.level == SoundPressureLevel(62))
    let error = FittingError.notAccepted(
      "tinnitus sound of 62.1 dB SPL", expected: "at most the output ceiling, 62 dB SPL")
    #expect(throws: error) { try plan(62.1) }
  }

  @Test(
    "a new tinnitus sound stays within a week's allowance, and cards of before are read up to 75 dB SPL")
  func tinnitusSoundAllDay() throws {
    // 80 dB(A) for 40 h a week (H.870) as energy for the week's 168 h: 80 − 10·log10(168/40) = 73.77 dB(A).
    let allowance = 80 - 10 * log10(168.0 / 40)
    // A-weighting has at most +1.3 dB, at 2.5 kHz (IEC 61672-1, table 3).
    #expect(TinnitusSound.newLevels.upperBound.decibels + 1.3 <= allowance)
    for level in [10.0, 72] {
      let new = try TinnitusSound.prescribed(shape: .broadband, level: SoundPressureLevel(level))
      #expect(new.level == SoundPressureLevel(level))
    }
    for level in [9.9, 72.1, 75] {
      #expect(throws: FittingError.self) {
        try TinnitusSound.prescribed(shape: .broadband, level: SoundPressureLevel(level))
      }
    }
    let former = try TinnitusSound(shape: .broadband, level: SoundPressureLevel(75))
    #expect(former.level == SoundPressureLevel(75))
    #expect(throws: FittingError.self) {
      try TinnitusSound(shape: .broadband, level: SoundPressureLevel(75.1))
    }
  }

  @Test("both are told in words with their numbers")
  func words() throws {
    #expect("\(try FrequencyLowering(cutoff: 2000, ratio: 1.5))" == "from 2000 Hz up, 1.5:1")
    let shapes: [(TinnitusSound.Shape, String)] = [
      (.broadband, "noise of 45 dB SPL, broadband"),
      (.band(pitch: 6000, width: 0.5), "noise of 45 dB SPL, 0.5 octaves around 6000 Hz"),
      (.notched(pitch: 6000, width: 0.5), "noise of 45 dB SPL, all but 0.5 octaves around 6000 Hz"),
    ]
    for (shape, expected) in shapes {
      #expect("\(try TinnitusSound(shape: shape, level: SoundPressureLevel(45)))" == expected)
    }
  }
}
