import Acoustics
import Glibc

/// Gain of one band in one hop, and its parts.
///
/// The parts follow from the setting's curves and the hop's levels, each by itself, in double precision;
/// ``applied`` is what the chain did. Their difference is the chain's rounding, below 0.1 dB.
///
/// - Threads: `control`.
public struct BandGain: Sendable, Equatable {
  /// Level of the band at the microphone, dB SPL, as the chain reads it.
  public let level: Double
  /// Each part, dB, in the order of ``GainPart/allCases``.
  public let parts: [Double]
  /// Insertion gain from microphone to ear, dB.
  public let applied: Double

  /// One part, dB.
  public subscript(part: GainPart) -> Double { parts[Self.index[part] ?? 0] }

  /// Gain that the setting asks for at this level, dB.
  public var target: Double { GainPart.ofTarget.reduce(0) { $0 + self[$1] } }

  /// Place of each part.
  private static let index = Dictionary(
    uniqueKeysWithValues: zip(GainPart.allCases, GainPart.allCases.indices))

  /// - Parameters:
  ///   - band: Index of the band.
  ///   - frame: The ear's hop.
  ///   - fitting: Setting that was in force.
  ///   - ramp: Factor of the rise from silence, linear.
  ///   - streaming: Factor of the microphones' sound because of streamed sound, linear.
  init(_ band: Int, of frame: GainFrame, fitting: EarFitting, ramp: Float, streaming: Float = 1) {
    var parts = [GainPart: Double]()
    let sine = 10 * log10(2.0)
    let read = 10 * log10(Double(frame.power[band]) + 1e-20) + fitting.inputAtFullScale.decibels + sine
    // The chain reads a band's level as too high by the microphone's response.
    let response = fitting.response(inBand: band)
    let own = SoundPressureLevel(max(read, Double(LevelMemory.floor)) - response)
    var gain = 0.0
    for layer in fitting.layers {
      let next = layer.curves[band].gain(at: own)
      parts[layer.part, default: 0] += next - gain
      gain = next
    }
    let curve = fitting.curves[band]
    let levels = [frame.linkedLevel, frame.followedLevel, frame.spreadLevel]
    for (part, level) in zip([GainPart.link, .lag, .spread], levels) {
      let next = curve.gain(at: SoundPressureLevel(Double(level[band]) - response))
      parts[part] = next - gain
      gain = next
    }
    parts[.transition] = Double(frame.transition[band])
    gain += Double(frame.transition[band])
    let held = min(gain, EarFitting.gainCeiling)
    parts[.noiseReduction] = -Double(frame.noiseReduction[band])
    parts[.windRelief] = -Double(frame.windRelief[band])
    parts[.expansion] = -Double(frame.expansion[band])
    parts[.impulseSoftening] = -Double(frame.impulseSoftening)
    let relief = Double(
      frame.noiseReduction[band] + frame.windRelief[band] + frame.expansion[band] + frame.impulseSoftening)
    parts[.reliefLimit] = max(0, relief - Double(EarGain.greatestRelief))
    let wanted = held - min(relief, Double(EarGain.greatestRelief))
    let allowed = EarTable.limit(of: fitting, band) - Double(frame.exposedLevel[band])
    parts[.bandLimit] = min(0, allowed - wanted)
    let offset = fitting.digitalOffset(inBand: band)
    let digital = min(wanted, allowed) + offset
    let bounded = min(max(digital, Double(EarGain.lowest)), Double(EarGain.highest))
    parts[.ceiling] = (held - gain) + (bounded - digital)
    let after: [(GainPart, Float)] = [
      (.streaming, streaming), (.limiter, frame.limiterGain), (.howlRelief, frame.howlFactor),
      (.ramp, ramp),
    ]
    for (part, factor) in after { parts[part] = Self.decibels(factor) }
    self.parts = GainPart.allCases.map { parts[$0] ?? 0 }
    level = own.decibels
    applied = Double(frame.digitalGain[band]) - offset + after.reduce(0) { $0 + Self.decibels($1.1) }
  }

  /// dB of a factor; −200 dB stands for silence.
  private static func decibels(_ factor: Float) -> Double { 20 * log10(max(Double(factor), 1e-10)) }
}
