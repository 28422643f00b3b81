import Acoustics
import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Noise power") struct NoisePowerTests {
  static let hopTime = 64 / 44_100.0

  /// Noise found in a band, dB, and what it is, when each hop's power is given.
  static func found(hops: Int, _ power: (Int) -> Float) throws -> Double {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let bands = NoiseBands(.standard, geometry: geometry)
    var noise = NoisePower(stride: bands.stride, geometry: geometry)
    var input = AlignedBuffer<Float>(count: bands.stride)
    for hop in 0..<hops {
      input.fill(power(hop))
      noise.process(input, bands)
    }
    return 10 * log10(Double(noise.power[8]))
  }

  /// A band power as the chain reads it from Gaussian noise of mean square 1: chi-square with two degrees of
  /// freedom, the same for four hops.
  static func fluctuating(_ seed: UInt64) -> [Float] {
    var random = Seeded(seed)
    return (0..<4000).flatMap { _ -> [Float] in
      let power = -log(Float.random(in: 1e-6...1, using: &random))
      return [power, power, power, power]
    }
  }

  /// Band powers of a sound, hop by hop, as the chain reads them.
  static func powers(_ sound: [Float]) throws -> [[Float]] {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var history = PairHistory(length: geometry.filterLength)
    var spectrum = PairSpectrum(length: geometry.filterLength)
    var analyser = BandAnalyser(.standard, geometry: geometry)
    return (0..<sound.count / 64).map { hop in
      _ = history.process(left: sound.span, right: sound.span, from: 64 * hop, count: 64)
      spectrum.process(history.frames)
      analyser.process(history.frames, spectrum: spectrum)
      return (0..<20).map { analyser.power.left[$0] }
    }
  }

  /// Noise found in every band and hop.
  static func followed(_ powers: [[Float]]) throws -> [[Float]] {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let bands = NoiseBands(.standard, geometry: geometry)
    var noise = NoisePower(stride: bands.stride, geometry: geometry)
    var input = AlignedBuffer<Float>(count: bands.stride)
    return powers.map { hop in
      for (band, power) in hop.enumerated() { input[band] = power }
      noise.process(input, bands)
      return hop.indices.map { noise.power[$0] }
    }
  }

  /// Gaussian noise (Box & Muller 1958): the energy of uniform numbers fluctuates less.
  static func white(seconds: Double, seed: UInt64) -> [Float] {
    var random = Seeded(seed)
    return (0..<Int(seconds * 44_100)).map { _ in
      let height = sqrt(-2 * log(Double.random(in: 0x1p-53..<1, using: &random)))
      return Float(0.01 * height * cos(Double.random(in: 0..<2 * .pi, using: &random)))
    }
  }

  /// Mean over hops of one band, dB.
  static func mean(_ powers: ArraySlice<[Float]>, _ band: Int) -> Double {
    10 * log10(powers.reduce(0) { $0 + Double($1[band]) } / Double(powers.count))
  }

  @Test("white noise is found at its mean in every band within 0.3 dB, from its first second on")
  func steady() throws {
    let powers = try Self.powers(Self.white(seconds: 12, seed: 1))
    let found = try Self.followed(powers)
    // 11 s hold 700 independent powers of the widest fluctuation, 0.9: their mean is known to 0.15 dB, which the estimate follows.
    for band in 0..<20 {
      let error = Self.mean(found[690...], band) - Self.mean(powers[690...], band)
      #expect(abs(error) < 0.3, "\(error) dB in band \(band)")
    }
  }

  @Test(
    "a band's power fluctuates in white noise as its bins' correlation behind a Hann window has it, within 5 %"
  )
  func fluctuation() throws {
    let powers = try Self.powers(Self.white(seconds: 20, seed: 2))[700...]
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    for band in 0..<20 {
      let values = powers.map { Double($0[band]) }
      let mean = values.reduce(0, +) / Double(values.count)
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
      let expected = NoiseBand(.standard, band, geometry: geometry).fluctuation
      // 1,700 independent powers at least: a standard deviation is known to 1 / √(2 · 1,700), widened by the heavy tail of
      // an exponential law to 3.4 %.
      #expect(abs(sqrt(variance) / mean / expected - 1) < 0.05, "band \(band)")
    }
  }

  @Test(
    "noise of a voice's own spectrum amid that voice is found within 1 dB in the mean of bands and time, at 0, 5 and 10 dB",
    .enabled(if: RecordedVoice.speech != nil, "Debian's alsa-utils is not installed: no recorded voice"),
    arguments: [0.0, 5, 10])
  func voice(ratio: Double) throws {
    let speech = try #require(RecordedVoice.speech)
    let noise = RecordedVoice.noise(level: 65 - ratio, like: speech, seed: 1)
    let found = try Self.followed(Self.powers(zip(speech, noise).map { $0 + $1 }))
    let alone = try Self.powers(noise)
    let errors = (0..<20).map { band -> Double in
      let mean = Self.mean(alone[690...], band)
      return found[690...].reduce(0) { $0 + abs(10 * log10(Double($1[band])) - mean) }
        / Double(found.count - 690)
    }
    let error = errors.reduce(0, +) / 20
    #expect(error < 1, "\(error) dB")
  }

  @Test(
    "noise that rises by 10 or 30 dB for good is followed within 3 s in every band, one that falls within 1 s"
  )
  func rise() throws {
    let powers = try Self.powers(Self.white(seconds: 6, seed: 3))
    let second = Int(1 / Self.hopTime)
    let changed = { (time: Int, factor: Float) in
      try Self.followed(
        powers.enumerated().map { hop, power in power.map { hop < time ? $0 : factor * $0 } })
    }
    for rise: Float in [10, 1000] {
      let risen = try changed(2 * second, rise)[5 * second]
      // The estimate itself fluctuates by some 0.5 dB, and the floor that it rises to at once is 2 dB below the noise.
      for band in 0..<20 {
        let error = 10 * log10(Double(risen[band] / rise)) - Self.mean(powers[...], band)
        #expect(abs(error) < 2.5, "\(error) dB in band \(band)")
      }
    }
    let fallen = try changed(2 * second, 0.01)[3 * second]
    for band in 0..<20 {
      let error = 10 * log10(Double(fallen[band] / 0.01)) - Self.mean(powers[...], band)
      #expect(abs(error) < 2, "\(error) dB in band \(band)")
    }
  }

  // Two gaps in 2.4 s say nothing about the noise around them.
  @Test("gaps of 60 ms every 2 s lower steady noise by less than 2 dB in the mean of the time between")
  func gaps() throws {
    var powers = try Self.powers(Self.white(seconds: 14, seed: 7))
    let (second, gap) = (Int(1 / Self.hopTime), Int(0.06 / Self.hopTime))
    let mean = (0..<20).map { Self.mean(powers[...], $0) }
    for start in stride(from: second, to: powers.count - gap, by: 2 * second) {
      for hop in start..<start + gap { powers[hop] = powers[hop].map { $0 * 1e-6 } }
    }
    let found = try Self.followed(powers)
    for band in 0..<20 {
      let error = Self.mean(found[(5 * second)...], band) - mean[band]
      #expect(error > -2 && error < 1, "\(error) dB in band \(band)")
    }
  }

  @Test(
    "noise is followed in one band, in 40 bands, and at 96 kHz: as in the standard bands",
    arguments: [1, 20, 40], [44_100.0, 96_000])
  func layouts(count: Int, rate: Double) throws {
    let layout = try BandLayout(centres: (0..<count).map { 200 * pow(40, Double($0) / 39) })
    let geometry = try ChainGeometry(sampleRate: rate, blockFrames: 64)
    let bands = NoiseBands(layout, geometry: geometry)
    var noise = NoisePower(stride: bands.stride, geometry: geometry)
    var input = AlignedBuffer<Float>(count: bands.stride)
    let powers = Self.fluctuating(8)
    var (found, hops) = (0.0, 0)
    for hop in 0..<8000 {
      // As even as the mean of many bins.
      input.fill(1e-6 * (0.9 + 0.1 * powers[hop]))
      noise.process(input, bands)
      guard hop >= 4000 else { continue }
      (found, hops) = (found + Double(noise.power[count - 1]), hops + 1)
    }
    // Evener than white noise in these bands, for which up to 2.1 dB are made up: read too high by as much at most.
    let error = 10 * log10(found / Double(hops)) + 60
    #expect(error > -0.5 && error < 2.2, "\(error) dB")
  }

  @Test("a sound that stands for 1.5 s is no noise: it raises the noise by less than 3 dB")
  func held() throws {
    let powers = try Self.powers(Self.white(seconds: 3.5, seed: 4))
    let second = Int(1 / Self.hopTime)
    let found = try Self.followed(
      powers.enumerated().map { hop, power in hop < 2 * second ? power : power.map { $0 + 1e-2 } })
    for band in 0..<20 {
      let error = 10 * log10(Double(found[found.count - 1][band])) - Self.mean(powers[...], band)
      #expect(error < 3 && error > -2, "\(error) dB in band \(band)")
    }
  }

  @Test("syllables 20 dB above the noise raise it by less than 1.5 dB")
  func syllables() throws {
    let powers = Self.fluctuating(3)
    let syllable = Int(0.2 / Self.hopTime)
    let found = try Self.found(hops: 29 * syllable) { hop in
      powers[hop] * 1e-6 + (hop / syllable % 2 == 0 ? 0 : 1e-4)
    }
    // The hops end with a pause. The estimate's memory of 0.1 s holds some 17 independent powers, ±1 dB.
    #expect(found + 60 < 1.5 && found + 60 > -2)
  }

  @Test(
    "after a reset nothing is left of what was heard: the noise is what it is in a new estimate, to the bit"
  )
  func forgotten() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let bands = NoiseBands(.standard, geometry: geometry)
    var used = NoisePower(stride: bands.stride, geometry: geometry)
    var new = NoisePower(stride: bands.stride, geometry: geometry)
    var input = AlignedBuffer<Float>(count: bands.stride)
    for power in Self.fluctuating(5) {
      input.fill(power)
      used.process(input, bands)
    }
    used.reset()
    for power in Self.fluctuating(6).prefix(4000) {
      input.fill(power * 1e-5)
      used.process(input, bands)
      new.process(input, bands)
      let (after, fresh) = (used.power[8], new.power[8])
      #expect(after.bitPattern == fresh.bitPattern)
    }
  }

  @Test("silence, absurd powers and their change leave it finite and above its floor")
  func extremes() throws {
    let values: [Float] = [0, 1e-38, 16, 1e-20, 8, 0, 1]
    let found = try Self.found(hops: 5000) { values[$0 / 7 % values.count] }
    #expect(found.isFinite && found >= -160.1 && found < 13)
    #expect(try Self.found(hops: 3000) { _ in 0 } > -160.1)
  }
}
