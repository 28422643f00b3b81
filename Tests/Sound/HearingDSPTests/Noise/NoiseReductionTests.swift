import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Noise reduction") struct NoiseReductionTests {
  /// What conversation in noise has in `ProgramTable`, dB.
  static let depth = 16.0

  static let count = 44_100 * 12 / 64 * 64

  /// Something like speech at 65 dB SPL, 0.4 s in 1.5 of them silent or fading.
  static let speech = NoiseSound.scaled(Signal.speechLike(level: 65, count: count), to: 65)

  // A synthetic voice has no holes in its spectrum and few pauses, in which the rest is gained. The network was learnt with bursts like these beside voices: this is no proof
  // that voices gain, but that the chain does what was learnt.
  @Test(
    "a voice without spectral holes, noise at +5 dB, 12 dB deep: behind a linear prescription 4 dB better, speech within 2 dB",
    arguments: [StandardAudiogram.n2, .n3, .n4])
  func ratio(audiogram: StandardAudiogram) throws {
    let ear = try ChainRig.prescribed(audiogram.audiogram)
    let noise = NoiseSound.speechShaped(level: 60, count: Self.count, seed: 5)
    let before = try Separation(Self.speech, noise, treatment: .plain, ear: ear)
    let after = try Separation(Self.speech, noise, treatment: .noise(12), ear: ear)
    #expect(after.ratio - before.ratio >= 4)
    let lost = Measure.level(of: before.speech[44_100...]) - Measure.level(of: after.speech[44_100...])
    #expect(lost < 2)
  }

  @Test("each ear's noise is reduced by its own hearing, as if both were like it")
  func ears() throws {
    let (near, far) = (
      try ChainRig.prescribed(StandardAudiogram.n2.audiogram),
      try ChainRig.prescribed(StandardAudiogram.n5.audiogram)
    )
    let noise = NoiseSound.speechShaped(level: 60, count: 44_100 * 6 / 64 * 64, seed: 12)
    let sound = zip(Self.speech, noise).map { $0 + $1 }
    func play(_ ears: Binaural<EarFitting>) throws -> Binaural<[Float]> {
      var rig = try ChainRig(ears, treatment: .noise(Self.depth))
      let output = rig.run(sound)
      return Binaural(left: output.left, right: output.right)
    }
    let first = try play(Binaural(left: near, right: far))
    let (alikeNear, alikeFar) = (try play(Binaural(both: near)), try play(Binaural(both: far)))
    #expect(zip(first.left, alikeNear.left).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(zip(first.right, alikeFar.right).allSatisfy { abs($0 - $1) < 1e-6 })
    // Without aided thresholds the same gain makes another sound.
    var unknown = near
    unknown.aidedThresholds = nil
    let third = try play(Binaural(left: unknown, right: far))
    #expect(zip(first.left[88_200...], third.left[88_200...]).contains { abs($0 - $1) > 1e-4 })
  }

  // The network hears levels besides ratios.
  @Test("soft and loud speech gain as much as speech of 65 dB SPL", arguments: [50.0, 85])
  func levels(level: Double) throws {
    let ear = try ChainRig.prescribed(StandardAudiogram.n3.audiogram)
    func gained(_ level: Double) throws -> Double {
      let speech = NoiseSound.scaled(Self.speech, to: level)
      let noise = NoiseSound.speechShaped(level: level - 5, count: Self.count, seed: 5)
      let before = try Separation(speech, noise, treatment: .plain, ear: ear)
      return try Separation(speech, noise, treatment: .noise(12), ear: ear).ratio - before.ratio
    }
    // Half a decibel is not noticed: 3 dB of ratio are (McShefferty et al. 2015, Trends in Hearing 19).
    #expect(abs(try gained(level) - gained(65)) < 0.5)
  }

  @Test("residual noise has at most 1.5 times the kurtosis it had, alone and in the pauses of speech")
  func musicalNoise() throws {
    let noise = NoiseSound.speechShaped(level: 60, count: Self.count, seed: 6)
    let alone = [88_200..<Self.count]
    let silence = Signal.silence(Self.count)
    let before = try Separation(silence, noise, treatment: .plain).kurtosis(in: alone)
    let after = try Separation(silence, noise, treatment: .noise(Self.depth)).kurtosis(in: alone)
    // Gaussian noise has 6, which a finite number of windows reads up to a tenth low.
    #expect(before > 5.2 && before < 6.5)
    #expect(after / before <= 1.5)
    // Every sixth syllable of a quarter second is silent; 40 ms after its beginning bands have closed.
    let pauses = (1..<7).map { index in
      let start = (6 * index + 5) * 11_025
      return start + 1764..<start + 11_025
    }
    let first = try Separation(Self.speech, noise, treatment: .plain).kurtosis(in: pauses)
    let second = try Separation(Self.speech, noise, treatment: .noise(Self.depth)).kurtosis(in: pauses)
    #expect(second / first <= 1.5)
  }

  @Test("clean speech keeps its level to 0.5 dB, whole and in every third octave")
  func cleanSpeech() throws {
    var plain = try ChainRig.treated(.plain)
    var reduced = try ChainRig.treated(.noise(Self.depth))
    let before = plain.run(Self.speech).left
    let after = reduced.run(Self.speech).left
    let change = Measure.level(of: after[...]) - Measure.level(of: before[...])
    #expect(abs(change) <= 0.5)
    for centre in LongTermAverageSpeechSpectrum.thirdOctaveCentres.dropFirst(2).dropLast() {
      let change = Self.power(after, around: centre) - Self.power(before, around: centre)
      #expect(abs(change) <= 0.5, "at \(centre) Hz")
    }
  }

  @Test("steady noise alone is turned down by nearly the depth, low and high")
  func depth() throws {
    let noise = NoiseSound.speechShaped(level: 65, count: Self.count, seed: 8)
    var plain = try ChainRig.treated(.plain)
    var reduced = try ChainRig.treated(.noise(10))
    let (before, after) = (plain.run(noise).left, reduced.run(noise).left)
    for frequency in [200.0, 1000, 4000] {
      let taken =
        Self.power(Array(before[220_500...]), around: frequency)
        - Self.power(Array(after[220_500...]), around: frequency)
      // After 5 s, the noise learnt; a chance peak opens a band here and there, and counts by its power.
      #expect(taken <= 10 && taken > 6, "at \(frequency) Hz")
    }
  }

  /// Levels of the same speech in noise in tenths of a second from `start` on, dB: with reduction all along, and turned on then.
  private static func levelsFromTurningOn(
    at start: Int, seed: UInt64, before: [(from: Int, Treatment)]
  )
    throws -> [(always: Double, late: Double)]
  {
    let noise = NoiseSound.speechShaped(level: 60, count: Self.count, seed: seed)
    let sound = zip(Self.speech, noise).map { $0 + $1 }
    var always = try ChainRig.treated(.noise(10))
    var late = try ChainRig.treated(before[0].1)
    let ends = before.dropFirst().map(\.from) + [start]
    for (part, end) in zip(before, ends) {
      if part.from > 0 { try late.retarget(part.1) }
      _ = late.run(Array(sound[part.from..<end]))
    }
    _ = always.run(Array(sound[..<start]))
    var on = Treatment.noise(10)
    on.transition = 0.1
    try late.retarget(on)
    let (a, b) = (always.run(Array(sound[start...])).left, late.run(Array(sound[start...])).left)
    return (0..<40).map { tenth in
      let part = tenth * 4410..<(tenth + 1) * 4410
      return (Measure.level(of: a[part]), Measure.level(of: b[part]))
    }
  }

  @Test(
    "turned off and on again, it takes what it would have taken all along as soon as its depth is in force")
  func turnedOnAgain() throws {
    let (off, on) = (2 * 44_100 / 64 * 64, 4 * 44_100 / 64 * 64)
    let levels = try Self.levelsFromTurningOn(at: on, seed: 10, before: [(0, .noise(10)), (off, .plain)])
    // The first tenth is the way of the depth.
    for (always, late) in levels.dropFirst(2) { #expect(abs(always - late) < 0.01) }
  }

  // With an estimate of noise that begins then, what is taken for noise is a syllable.
  @Test(
    "turned on for the first time amid speech, it knows the noise from before: the next tenths are within 1 dB of one on all along",
    arguments: [UInt64(10), 11, 12])
  func turnedOn(seed: UInt64) throws {
    let levels = try Self.levelsFromTurningOn(at: 4 * 44_100 / 64 * 64, seed: seed, before: [(0, .plain)])
    for (always, late) in levels[1...2] { #expect(abs(always - late) < 1, "\(late - always) dB") }
  }

  @Test("a change of depth moves every band's gain by at most its share per hop")
  func transition() throws {
    let noise = NoiseSound.speechShaped(level: 65, count: 44_100 * 3 / 64 * 64, seed: 9)
    var rig = try ChainRig.treated(.noise(20))
    _ = rig.run(noise)
    var off = Treatment.plain
    off.transition = 0.5
    try rig.retarget(off)
    var last = rig.chain.meters.left.insertionGain
    var greatest: Float = 0
    for start in stride(from: 0, to: rig.count(0.6), by: 64) {
      _ = rig.run(Array(noise[start..<start + 64]))
      let now = rig.chain.meters.left.insertionGain
      for band in 0..<20 { greatest = max(greatest, abs(now[band] - last[band])) }
      last = now
    }
    // 20 dB in half a second are 0.06 dB per hop; a band that opens for a chance peak moves faster.
    #expect(greatest < 6)
    for band in 0..<20 { #expect(last[band] == 0) }
  }

  /// Power around a frequency, dB: mean over a tenth of a second of three correlations in the third octave.
  private static func power(_ samples: [Float], around centre: Double) -> Double {
    var sum = 0.0
    let length = 4410
    for offset in [-0.08, -0.04, 0, 0.04, 0.08] {
      let f = centre * exp2(offset * 2)
      for start in stride(from: 0, through: samples.count - length, by: length) {
        let level = Measure.level(of: samples[start..<start + length], at: f)
        sum += pow(10, level / 10)
      }
    }
    return 10 * log10(sum)
  }
}
