import Glibc

/// Sounds for the loop, about 65 dB SPL.
enum FeedbackSound: String, CaseIterable, Sendable {
  case speech, music, noise

  private static let whole = [FeedbackSound: [Float]](
    uniqueKeysWithValues: allCases.map { ($0, $0.made(14 * 44_100)) })

  /// The first `count` samples, 14 s at most.
  func samples(_ count: Int) -> [Float] { Array((Self.whole[self] ?? []).prefix(count)) }

  private func made(_ count: Int) -> [Float] {
    switch self {
    case .speech:
      let floor = Signal.noise(peak: Float(Signal.amplitude(25)), count: count, seed: 5)
      return zip(Signal.speechLike(level: 65, count: count), floor).map { $0 + $1 }
    case .noise: return SpeechNoise.atRest.repeated(count)
    case .music: return Self.chords(count)
    }
  }

  /// Chords of four notes with nineteen harmonics each, struck every 0.6 s and dying away, over a floor of 25 dB SPL.
  static func chords(_ count: Int) -> [Float] {
    var random = Seeded(7)
    var sound = [Double](repeating: 0, count: count)
    let rate = 44_100.0
    let length = Int(1.2 * rate)
    for start in stride(from: 0, to: count, by: Int(0.6 * rate)) {
      for _ in 0..<4 {
        let f = 196 * pow(2, Double(Int.random(in: 0..<24, using: &random)) / 12)
        for k in 1..<20 where f * Double(k) < 16_000 {
          let omega = 2 * .pi * f * Double(k) / rate
          var x = Double.random(in: 0...2 * .pi, using: &random)
          let strength = pow(Double(k), -1.1)
          let decay = exp(-(1 + 0.3 * Double(k)) / rate)
          var envelope = strength
          for n in start..<min(count, start + length) {
            sound[n] += envelope * min(1, Double(n - start) / 441) * sin(x)
            x += omega
            envelope *= decay
          }
        }
      }
    }
    let power = sound.reduce(0) { $0 + $1 * $1 } / Double(count)
    let scale = Signal.amplitude(65) / sqrt(2 * power)
    let floor = Signal.noise(peak: Float(Signal.amplitude(25)), count: count, seed: 6)
    return zip(sound, floor).map { Float($0 * scale) + $1 }
  }
}
