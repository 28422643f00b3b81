import Acoustics
import Fitting
import Glibc
import HearingDSP

/// Plays sound through the chain for scoring: 32-bit floats at 44.1 kHz from standard input, both ears alike;
/// the left ear's output to standard output. 0 dB FS is 120 dB SPL on both sides, and no limit is near. An ear outside Bisgaard's set is given by its
/// thresholds.
@main struct NoiseRendering {
  static let usage =
    "Usage: noise-rendering (N1…N7|S1…S3|none|HL,HL,HL,HL,HL,HL) (linear|compressive) NOISE IMPULSE WIND EXPANSION\n"
  /// Where thresholds are given, Hz: the frequencies of HASPI and HASQI.
  static let frequencies = [250.0, 500, 1000, 2000, 4000, 6000]
  static let fullScale = SoundPressureLevel(120)

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 7, let treatment = treatment(arguments.dropFirst(3)),
      let curves = try curves(arguments[1], isLinear: arguments[2] == "linear")
    else {
      _ = usage.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(EX_USAGE)
    }
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var ear = EarFitting(
      curves: curves, bandLimits: curves.map { _ in fullScale }, outputLimit: fullScale,
      inputAtFullScale: fullScale, outputAtFullScale: curves.map { _ in fullScale })
    ear.aidedThresholds = audiogram(arguments[1]).flatMap {
      AidedThreshold.each(for: $0, behind: curves, bands: .standard)
    }
    let parameters = try ChainParameters(
      Binaural(both: ear), dynamics: Dynamics(), treatment: treatment, bands: .standard, geometry: geometry)
    var chain = try LimitedChain(
      geometry: geometry, bands: .standard, parameters: parameters, rise: 0.05)
    chain.open()
    render(&chain, frames: geometry.blockFrames)
  }

  private static func treatment(_ depths: ArraySlice<String>) -> Treatment? {
    let values = depths.compactMap { Double($0) }
    guard values.count == 4 else { return nil }
    var treatment = Treatment.plain
    treatment.noiseReduction = values[0]
    treatment.impulseSoftening = values[1]
    treatment.windReduction = values[2]
    treatment.expansion = values[3]
    return treatment
  }

  /// The audiogram of a name of Bisgaard's set, or of thresholds at ``frequencies``, dB HL.
  private static func audiogram(_ name: String) -> Audiogram? {
    if let standard = StandardAudiogram(rawValue: name) { return standard.audiogram }
    let levels = name.split(separator: ",").compactMap { Double($0) }
    guard levels.count == frequencies.count else { return nil }
    return try? Audiogram(air: Dictionary(uniqueKeysWithValues: zip(frequencies, levels)))
  }

  private static func curves(_ name: String, isLinear: Bool) throws -> [GainCurve]? {
    if name == "none" {
      let curve = try GainCurve(linear: 0)
      return BandLayout.standard.centres.map { _ in curve }
    }
    guard let audiogram = audiogram(name) else { return nil }
    return isLinear
      ? try NALR().curves(for: audiogram, bands: .standard)
      : try NALRPCompressive.standard.curves(for: audiogram, bands: .standard)
  }

  /// Reads, processes and writes whole blocks; what is left over at the end is dropped.
  private static func render(_ chain: inout LimitedChain, frames: Int) {
    var input = [Float](repeating: 0, count: frames)
    var left = input
    var right = input
    // Streams of their own: the C library's are variables that any thread may change.
    let (source, sink) = (fdopen(STDIN_FILENO, "r"), fdopen(STDOUT_FILENO, "w"))
    while input.withUnsafeMutableBytes({ fread($0.baseAddress, 4, frames, source) }) == frames {
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      chain.process(left: input.span, right: input.span, intoLeft: &leftSpan, intoRight: &rightSpan)
      _ = left.withUnsafeBytes { fwrite($0.baseAddress, 4, frames, sink) }
    }
    fflush(sink)
  }
}
