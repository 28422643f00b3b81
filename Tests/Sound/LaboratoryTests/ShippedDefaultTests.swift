import Acoustics
import Base
import Engine
import Fitting
import HearingDSP
import Testing

@testable import Laboratory

@Suite("What is shipped, on the bench") struct ShippedDefaultTests {
  @Test(
    "the default rule and times meet every limit for N2, N3 and N4 with the sample calibration",
    arguments: [StandardAudiogram.n2, .n3, .n4])
  func defaults(_ audiogram: StandardAudiogram) throws {
    let verification = try Verification(try SampleAid.subject(audiogram))
    for finding in verification.broken {
      Issue.record("\(finding.name): \(finding.measured ?? .nan) \(finding.unit), \(finding.note)")
    }
    #expect(verification.ears.count == 2)
  }

  @Test(
    "earphones measured in a coupler have the prescribed insertion gain: the coupler's response is not counted as gain"
  )
  func coupler() throws {
    var subject = try SampleAid.subject(.n3)
    let transducer = try #require(Transducer.named("er3a"))
    let readings = try Ear.allCases.flatMap { ear in
      try EarphoneMeasurement.neededFrequencies.map {
        try EarphoneMeasurement.Reading(
          ear: ear, frequency: $0, played: FullScaleLevel(-20), read: SoundPressureLevel(98))
      }
    }
    subject.hearing.earphones = try OutputCalibration(
      device: subject.hearing.earphones.device,
      measurement: EarphoneMeasurement(readings: readings, examiner: "B. Ear", coupler: transducer.coupler),
      transducer: transducer)
    let verification = try Verification(subject)
    let gains = verification.findings.filter {
      $0.name.hasPrefix("Gain less target") || $0.name.hasPrefix("Response less stated")
    }
    // Three levels of speech and two ranges of tones, at two ears.
    #expect(gains.count == 10)
    for finding in gains where finding.verdict != .met {
      Issue.record("\(finding.name): \(finding.measured ?? .nan) \(finding.unit), \(finding.note)")
    }
  }
}

@Suite("The chain on the bench") struct ChainOnBenchTests {
  @Test("it is the chain that the settings make for the live aid, sample for sample")
  func same() throws {
    let subject = try SampleAid.subject(.n3)
    var bench = try TestBox(subject: subject).bench()
    let parameters = try subject.hearing.parameters(for: subject.geometry)
    var live = try ChainPath(parameters, bands: subject.hearing.bands, geometry: subject.geometry)
    var random = SeededNumbers(seed: 1)
    let sound = (0..<64 * 200).map { _ in Float(0.02 * random.normalPair().0) }
    #expect(bench.play(Binaural(both: sound)).left == live.play(Binaural(both: sound)).left)
  }

  @Test("expansion goes from a curve, and nothing else")
  func expansion() throws {
    let curve = try GainCurve(
      knots: [
        .init(level: SoundPressureLevel(20), gain: 0), .init(level: SoundPressureLevel(40), gain: 20),
        .init(level: SoundPressureLevel(80), gain: 0),
      ], slopeBelow: 1, slopeAbove: -0.5)
    let held = curve.withoutExpansion
    for (level, gain) in [(-20.0, 20.0), (20, 20), (40, 20), (60, 10), (80, 0), (90, -5)] {
      #expect(abs(held.gain(at: SoundPressureLevel(level)) - gain) < 1e-9)
    }
  }

  @Test("speech through 2:1 is compressed by less than 2, through a linear aid not at all")
  func speech() throws {
    let scale = try Benches.scale()
    let speech = Binaural(both: SpeechLikeSignal(seconds: 20, sampleRate: 44_100, microphone: scale.left))
    let knot = GainCurve.Knot(level: SoundPressureLevel(20), gain: 20)
    var compressed = try Benches.chain(
      try GainCurve(knots: [knot], slopeAbove: -0.5), dynamics: Dynamics(attack: 0.005, release: 0.05))
    let ratio = SpeechDynamics.measure(speech, level: 65, discarded: 2, on: &compressed).left
      .compressionRatio
    #expect((1.2...2).contains(ratio), "\(ratio)")
    var linear = try Benches.chain(try GainCurve(linear: 20))
    let none = SpeechDynamics.measure(speech, level: 65, discarded: 2, on: &linear).left
    #expect(abs(none.compressionRatio - 1) <= 0.01)
    for band in none.bands { #expect(abs(band.gain - 20) <= 0.1) }
  }

  @Test("an aid without compression has neither attack nor release; one with 2:1 for N3 has both")
  func steps() throws {
    var subject = try SampleAid.subject(.n3)
    for (rule, hasTimes) in [(PrescribedRule.nalRPCompressive(compressionRatio: 2), true), (.nalR, false)] {
      subject.hearing.plan = try HearingSettings.plan(by: rule)
      var results = Binaural<EarMeasurements> { EarMeasurements(ear: $0) }
      try TestBox(subject: subject).measureSteps(&results)
      for ear in Ear.allCases {
        let steps = results[ear].steps
        #expect((steps.attack != nil) == hasTimes && (steps.release != nil) == hasTimes, "\(steps)")
      }
    }
  }

  @Test("an ear without thresholds is left out; where none has any, both are measured")
  func ears() throws {
    var subject = try SampleAid.subject(.n3)
    subject.hearing.audiograms?.left = try Audiogram(points: [])
    #expect(TestBox(subject: subject).ears == [.right])
    subject.hearing.audiograms = nil
    #expect(TestBox(subject: subject).ears == [.left, .right])
  }

  @Test("program, volume and tone are left out, when the subject is made and when it is changed")
  func standardSetting() throws {
    var subject = try SampleAid.subject(.n3)
    let plain = try subject.hearing.fittings()
    subject.hearing.program = .music
    subject.hearing.adjustment = SoundAdjustment(volume: -6, tone: 4)
    #expect(subject.hearing.program == nil && subject.hearing.adjustment == .none)
    #expect(try subject.hearing.fittings() == plain)
  }
}
