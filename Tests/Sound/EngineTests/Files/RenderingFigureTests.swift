import Acoustics
import AudioIO
import CommonTesting
import Glibc
import Testing

@testable import Engine
@testable import EngineTesting

/// What a rendering says about the sound, against formulas.
@Suite("Figures of a rendering") struct RenderingFigureTests {
  /// Renders a two-channel recording for an ear without a prescription.
  static func render(
    left: [Float], right: [Float]? = nil, level: FileRendering.InputLevel,
    hearing: HearingSettings = HearingSettings()
  ) throws -> RenderingResult {
    let folder = TemporaryFolder()
    try folder.record("in.wav", left: left, right: right ?? left)
    return try FileRendering(
      inputs: [folder.file("in.wav")], output: folder.file("out.wav"), hearing: hearing, level: level
    ).run()
  }

  /// Level of all third octaves together.
  static func total(_ summary: SoundSummary) -> Double {
    SoundPressureLevel.powerSum(summary.thirdOctaves.map(\.level)).decibels
  }

  @Test("Leq of a sine is its amplitude's level below full scale; the ramp takes its share of the output")
  func sineLevel() throws {
    let result = try Self.render(
      left: Signal.sine(1000, amplitude: 0.1, seconds: 2), level: .fullScale(SoundPressureLevel(111)))
    for ear in Ear.allCases {
      let (input, output) = (result.ears[ear].input, result.ears[ear].output)
      #expect(abs(input.equivalentLevel.value.decibels - 91) < 0.01)
      // ∫(3x² − 2x³)² = 13/35 of the ramp's 50 ms are left.
      let share = (2 - 0.05 * (1 - 13.0 / 35)) / 2
      #expect(abs(output.equivalentLevel.value.decibels - (91 + 10 * log10(share))) < 0.01)
      // A steady tone's Fast level comes within e^(−2/0.125) of its level.
      #expect(abs(input.maximumFastLevel.value.decibels - 91) < 0.05)
      #expect(input.equivalentLevel.status == .provisional)
      #expect(output.equivalentLevel.status == .provisional)
      #expect(abs(Self.total(input) - 91) < 0.1)
      let band = try #require(input.thirdOctaves.first { abs($0.frequency - 1000) < 1 })
      #expect(abs(band.level.decibels - 91) < 0.1)
    }
    #expect(abs(result.duration - 2) < 1e-9)
    #expect(result.time > 0)
    #expect(result.clippedOutput == 0)
  }

  @Test("an equivalent level is that of the louder ear; the other keeps its distance")
  func equivalent() throws {
    let result = try Self.render(
      left: Signal.sine(1000, amplitude: 0.02, seconds: 1),
      right: Signal.sine(1000, amplitude: 0.2, seconds: 1),
      level: .equivalent(SoundPressureLevel(65)))
    #expect(abs(result.ears.right.input.equivalentLevel.value.decibels - 65) < 0.01)
    #expect(abs(result.ears.left.input.equivalentLevel.value.decibels - 45) < 0.01)
  }

  @Test("third octaves of noise add up to its level")
  func thirdOctaves() throws {
    let result = try Self.render(
      left: Signal.babble(peak: 0.5, count: 88_200), level: .equivalent(SoundPressureLevel(70)))
    let input = result.ears.left.input
    #expect(input.thirdOctaves.count == 23)
    #expect(abs(input.equivalentLevel.value.decibels - 70) < 0.01)
    // White noise has a share above the 16 kHz band's edge, 17 783 Hz, and below the 100 Hz band's, 89 Hz;
    // the Hann windows see the swelling sound's ends less: 0.3 dB.
    let share = (17_783.0 - 89) / 22_050
    #expect(abs(Self.total(input) - (70 + 10 * log10(share))) < 0.3)
  }

  @Test("a flat 10 dB is found in every third octave and in the level")
  func gain() throws {
    let result = try Self.render(
      left: Signal.babble(peak: 0.5, count: 88_200), level: .equivalent(SoundPressureLevel(60)),
      hearing: LiveBench.hearing(gain: 10))
    let ear = result.ears.left
    let difference = ear.output.equivalentLevel.value - ear.input.equivalentLevel.value
    #expect(abs(difference - 10) < 0.2)
    for (input, output) in zip(ear.input.thirdOctaves, ear.output.thirdOctaves) {
      #expect(abs(output.level - input.level - 10) < 0.3)
    }
    #expect(ear.targetGains(bands: .standard).allSatisfy { abs($0 - 10) < 1e-9 })
    // A chain begins as if it had heard 90 dB SPL: 10 dB more exceed a band's limit, for the first of 1378
    // hops.
    #expect(ear.limitedShare < 1.5 / 1378)
  }

  @Test("the limited share is the share of time that is too loud")
  func limited() throws {
    // 118 dB SPL for the first half, against a limit of 111; then 78.
    let tone = Signal.sine(1000, amplitude: 1, seconds: 4)
    let course = tone.enumerated().map { $0.element * ($0.offset < tone.count / 2 ? 0.5 : 0.005) }
    let result = try Self.render(left: course, level: .fullScale(SoundPressureLevel(124)))
    // The ramp's first part is not too loud, and the band's limiter lets go in its release of 0.1 s and
    // more.
    #expect(result.ears.left.limitedShare > 0.48 && result.ears.left.limitedShare < 0.58)
    #expect(result.clippedOutput == 0)
    let quiet = try Self.render(
      left: Signal.sine(1000, amplitude: 0.05, seconds: 1), level: .fullScale(SoundPressureLevel(111)))
    #expect(quiet.ears.left.limitedShare == 0)
  }

  @Test("the level's course has twenty points a second and follows the sound")
  func course() throws {
    let tone = Signal.sine(1000, amplitude: 0.5, seconds: 2)
    let switched = tone.enumerated().map { $0.offset < 44_100 ? 0 : $0.element }
    let result = try Self.render(left: switched, level: .fullScale(SoundPressureLevel(111)))
    let course = result.ears.left.input.course
    #expect(abs(course.count - 40) <= 1)
    #expect(course.filter { $0.time < 0.99 }.allSatisfy { $0.level.decibels < 0 })
    // Fast: after 0.5 s all but e^(−4) of the power is there, 0.08 dB.
    #expect(course.filter { $0.time > 1.5 }.allSatisfy { abs($0.level.decibels - (111 - 6.02)) < 0.1 })
  }

  @Test("samples that are not numbers are silence in every figure, and counted")
  func nonFinite() throws {
    let folder = TemporaryFolder()
    let tone = Signal.sine(1000, amplitude: 0.1, seconds: 1)
    var left = tone
    left[20_000] = .nan
    left[30_000] = .infinity
    folder.write(WAVE.float(left: left, right: tone), to: "in.wav")
    let result = try FileRendering(
      inputs: [folder.file("in.wav")], output: folder.file("out.wav"), hearing: HearingSettings(),
      level: .equivalent(SoundPressureLevel(65))
    ).run()
    #expect(result.ears.left.nonFinite == 2)
    #expect(result.ears.right.nonFinite == 0)
    for ear in Ear.allCases {
      #expect(abs(result.ears[ear].input.equivalentLevel.value.decibels - 65) < 0.05)
      #expect(abs(Self.total(result.ears[ear].input) - 65) < 0.2)
      #expect(result.ears[ear].output.equivalentLevel.value.decibels.isFinite)
    }
  }

  @Test(
    "blocks of a streamed recording whose samples are not numbers are counted, and the others are heard")
  func nonFiniteStream() throws {
    let folder = TemporaryFolder()
    let silence = [Float](repeating: 0, count: 44_100)
    var music = Signal.sine(1000, amplitude: 0.1, seconds: 0.5)
    // Two samples of one block of 64, and one of another.
    (music[6400], music[6401], music[12_800]) = (.nan, .infinity, 1e30)
    folder.write(WAVE.float(left: silence, right: silence), to: "in.wav")
    folder.write(WAVE.float(left: music, right: music), to: "music.wav")
    var rendering = FileRendering(
      inputs: [folder.file("in.wav")], output: folder.file("out.wav"), hearing: HearingSettings(),
      level: .fullScale(SoundPressureLevel(100)))
    rendering.streamed = folder.file("music.wav")
    let result = try rendering.run()
    #expect(result.streamedNonFinite == 2)
    #expect(result.ears.left.nonFinite == 0 && result.ears.right.nonFinite == 0)
    #expect(result.ears.left.output.equivalentLevel.value.decibels.isFinite)
    rendering.streamed = nil
    rendering.output = folder.file("alone.wav")
    #expect(try rendering.run().streamedNonFinite == 0)
  }

  @Test("input at full scale is counted")
  func clipped() throws {
    var left = Signal.sine(1000, amplitude: 0.1, seconds: 0.5)
    for n in 5000..<5010 { left[n] = 1 }
    let folder = TemporaryFolder()
    folder.write(WAVE.float(left: left, right: left), to: "in.wav")
    let result = try FileRendering(
      inputs: [folder.file("in.wav")], output: folder.file("out.wav"), hearing: HearingSettings(),
      level: .fullScale(SoundPressureLevel(100))
    ).run()
    #expect(result.ears.left.clippedInput == 10)
  }

  @Test("a recording of integers that was clipped at one end or at both is counted")
  func clippedIntegers() throws {
    var left = Signal.sine(1000, amplitude: 0.1, seconds: 0.5)
    // Held by the file at its greatest integer, and at its least.
    for n in 5000..<5010 { left[n] = 1.5 }
    var right = left
    for n in 6000..<6003 { right[n] = -1.5 }
    let result = try Self.render(left: left, right: right, level: .fullScale(SoundPressureLevel(100)))
    #expect(result.ears.left.clippedInput == 10)
    #expect(result.ears.right.clippedInput == 13)
  }
}
