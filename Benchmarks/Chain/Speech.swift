import Acoustics
import AudioIO
import Glibc

/// Speech at conversational level: Debian's recorded voice prompts where installed, otherwise noise with
/// the spectrum and the syllable rhythm of speech.
struct Speech {
  /// Package alsa-utils.
  static let folder = "/usr/share/sounds/alsa"
  static let prompts = [
    "Front_Center", "Front_Left", "Front_Right", "Rear_Center", "Rear_Left", "Rear_Right", "Side_Left",
    "Side_Right",
  ]
  /// Overall level of conversation, dB SPL (ANSI S3.5, normal vocal effort, rounded).
  static let level = SoundPressureLevel(65)

  let sound: StereoSound
  /// What it is, for the report.
  let source: String

  init(sampleRate: Double) {
    var samples: [Float] = []
    for prompt in Self.prompts {
      samples += (try? Self.read("\(Self.folder)/\(prompt).wav", rate: Int(sampleRate))) ?? []
    }
    if samples.isEmpty {
      samples = Self.noise(sampleRate: sampleRate)
      source = "noise with the spectrum and rhythm of speech (no recordings in \(Self.folder))"
    } else {
      source = "recorded voice, \(Int(Double(samples.count) / sampleRate)) s of alsa-utils prompts"
    }
    let decibels = Self.level - BenchedChain.fullScale
    // A full-scale sine has the mean square 1/2.
    sound = StereoSound(samples, sampleRate: sampleRate).scaled(toMeanSquare: 0.5 * pow(10, decibels / 10))
  }

  private static func read(_ path: String, rate: Int) throws(SoundFileError) -> [Float] {
    var source = try SoundFileReader(path: path, anyRate: true).resampled(to: rate)
    var left = [Float](repeating: 0, count: source.frameCount)
    var right = left
    var leftSpan = left.mutableSpan
    var rightSpan = right.mutableSpan
    let count = try source.read(left: &leftSpan, right: &rightSpan)
    return Array(left.prefix(count))
  }

  /// Five seconds of sines 20 Hz apart with the levels of the long-term average speech spectrum and random
  /// phases, fully modulated at 4 Hz, the rhythm of syllables.
  private static func noise(sampleRate: Double) -> [Float] {
    var random = SystemRandomNumberGenerator()
    let spacing = 20.0
    var result = [Float](repeating: 0, count: Int(5 * sampleRate))
    for f in stride(from: 100, to: 16_000, by: spacing) {
      let density = LongTermAverageSpeechSpectrum.spectrumLevel(at: f, overall: level).decibels
      let amplitude = Float(pow(10, density / 20))
      let (step, phase) = (2 * .pi * f / sampleRate, Double.random(in: 0..<2 * .pi, using: &random))
      for n in result.indices { result[n] += amplitude * Float(sin(step * Double(n) + phase)) }
    }
    for n in result.indices { result[n] *= Float(1 + sin(2 * .pi * 4 * Double(n) / sampleRate)) }
    return result
  }
}
