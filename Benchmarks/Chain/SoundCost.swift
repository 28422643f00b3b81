/// What the chain costs on one kind of sound.
struct SoundCost: Codable {
  let sound: String
  /// Processor time per block, s.
  let time: Spread
  /// The same in units of the same round.
  let units: Spread
  /// The same relative to speech in the same round.
  let againstSpeech: Spread
  /// Share of the output that a limiter worked on, 0...1.
  let limited: Double
}
