/// How long single blocks take: processor time of the thread, s.
///
/// Other programs' interrupts and a hypervisor's pauses are counted against the thread as well, so a
/// round's extremes say more about the machine than about the chain. Each percentile is therefore the
/// median of the rounds' percentiles; only `greatest` is the greatest of all.
struct BlockTimes: Codable {
  let sampleRate: Double
  let frames: Int
  let period: Double
  let median: Double
  let percentile99: Double
  let percentile999: Double
  let greatest: Double

  /// - Parameters:
  ///   - speech: At `sampleRate`.
  ///   - rounds: Rounds whose percentiles are taken.
  ///   - blocks: Blocks per round.
  init(speech: StereoSound, sampleRate: Double, frames: Int, rounds: Int, blocks: Int) throws {
    var chain = try BenchedChain(speech, sampleRate: sampleRate, frames: frames)
    let rounds = (0..<rounds).map { _ in chain.times(blocks: blocks).sorted() }
    self.sampleRate = sampleRate
    self.frames = frames
    period = chain.period
    median = Self.typical(0.5, rounds)
    percentile99 = Self.typical(0.99, rounds)
    percentile999 = Self.typical(0.999, rounds)
    greatest = rounds.map { $0[$0.count - 1] }.max() ?? 0
  }

  private static func typical(_ share: Double, _ rounds: [[Double]]) -> Double {
    Spread(rounds.map { Spread.quantile(share, of: $0) }).median
  }
}
