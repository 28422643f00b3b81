/// Repetitions of every measurement.
struct Effort: Codable {
  /// Rounds in which sounds are compared.
  let rounds: Int
  /// Rounds in which an extra is compared with the chain without it.
  let extraRounds: Int
  /// Rounds of single blocks.
  let blockRounds: Int
  /// Single blocks per round; at least 1,000 for the 99.9th percentile to mean something.
  let blocks: Int

  /// As many as the medians need to repeat within a few per cent.
  static let whole = Effort(rounds: 800, extraRounds: 200, blockRounds: 15, blocks: 7000)
  /// Everything once: shows that the benchmark runs; its figures mean nothing.
  static let least = Effort(rounds: 1, extraRounds: 1, blockRounds: 1, blocks: 100)
}
