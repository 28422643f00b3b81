import Base
import Realtime

/// What one extra costs: the chain with it against the same chain without, in the same round.
struct ExtraCost: Codable {
  private static let blocksPerRound = 100

  let name: String
  /// Units that the extra adds.
  let units: Spread

  static func measured(
    _ speech: StereoSound, sampleRate: Double, frames: Int, rounds: Int
  ) throws -> [ExtraCost] {
    try Extras.parts().map { part in
      var extras = Extras()
      part.add(&extras)
      let unit = UnitOfCost()
      var plain = try BenchedChain(speech, sampleRate: sampleRate, frames: frames)
      var other = try BenchedChain(speech, sampleRate: sampleRate, frames: frames, extras: extras)
      let added = (0..<rounds).map { _ in
        let begin = SystemTime.thread
        for _ in 0..<blocksPerRound { unit.spend() }
        let spent = SystemTime.thread
        plain.run(blocks: blocksPerRound)
        let without = SystemTime.thread
        other.run(blocks: blocksPerRound)
        let with = SystemTime.thread
        return (with - without - (without - spent)) / (spent - begin)
      }
      return ExtraCost(name: part.name, units: Spread(added))
    }
  }
}
