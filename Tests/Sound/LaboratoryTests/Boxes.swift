import Acoustics
import Fitting
import Glibc
import HearingDSP

@testable import Laboratory

/// A black box on the bench whose law is known.
struct Box: SoundPath {
  var sampleRate = 44_100.0
  var blockFrames = 64
  /// What is done to each sample, in order.
  var law: (Float) -> Float

  mutating func play(_ input: Binaural<[Float]>) -> Binaural<[Float]> { input.map { $0.map(law) } }
}

/// A wire that is late.
struct DelayBox: SoundPath {
  var sampleRate = 44_100.0
  var blockFrames = 64
  private var line: [Float]

  init(frames: Int) { line = Array(repeating: 0, count: frames) }

  mutating func play(_ input: Binaural<[Float]>) -> Binaural<[Float]> {
    let all = line + input.left
    line = Array(all.suffix(line.count))
    return Binaural(both: Array(all.prefix(input.left.count)))
  }
}

/// A compressor of known ratio for a 2 kHz tone: its level in dB through a one-pole low-pass.
struct CompressorBox: SoundPath {
  var sampleRate = 44_100.0
  var blockFrames = 64
  let ratio: Double
  /// s.
  let timeConstant: Double
  private var level = -100.0
  private var last = 0.0

  init(ratio: Double, timeConstant: Double) {
    self.ratio = ratio
    self.timeConstant = timeConstant
  }

  mutating func play(_ input: Binaural<[Float]>) -> Binaural<[Float]> {
    let omega = 2 * .pi * 2000 / sampleRate
    let share = 1 - exp(-1 / (timeConstant * sampleRate))
    var result: [Float] = []
    for sample in input.left {
      let x = Double(sample)
      let square = (x * x + last * last - 2 * x * last * cos(omega)) / (sin(omega) * sin(omega))
      last = x
      level += share * (10 * log10(max(square, 1e-20)) - level)
      result.append(Float(x * pow(10, (1 / ratio - 1) * (level + 65) / 20)))
    }
    return Binaural(both: result)
  }
}

/// Benches on which 0 dB FS is 120 dB SPL at both ends.
enum Benches {
  static func scale(_ level: Double = 120) throws -> Binaural<Sensitivity> {
    Binaural(both: try Sensitivity(flat: SoundPressureLevel(level)))
  }

  static func bench<Path: SoundPath & ~Copyable>(_ path: consuming Path) throws -> Bench<Path> {
    Bench(path: path, microphones: try scale(), earphones: try scale(), settling: 0.2)
  }

  /// The product's chain with one curve in all bands.
  static func chain(_ curve: GainCurve, dynamics: Dynamics = Dynamics()) throws -> Bench<ChainPath> {
    let bands = BandLayout.standard
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let full = SoundPressureLevel(120)
    let ear = EarFitting(
      curves: bands.centres.map { _ in curve }, bandLimits: bands.centres.map { _ in full },
      outputLimit: full, inputAtFullScale: full, outputAtFullScale: bands.centres.map { _ in full })
    let parameters = try ChainParameters(
      Binaural(both: ear), dynamics: dynamics, bands: bands, geometry: geometry)
    var bench = try bench(ChainPath(parameters, bands: bands, geometry: geometry))
    bench.rest(1)
    return bench
  }
}
