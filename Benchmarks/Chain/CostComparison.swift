import Base
import Realtime

/// The chain on several sounds against the unit of cost, interleaved in short rounds: what disturbs one
/// disturbs all, and the median of the rounds leaves out those that were disturbed in the middle.
///
/// Where the parts of a chain lie in memory, and which chain's work came before, moves its time by some per cent (0.96 to 1.01 of the
/// same ratio in several runs). So every sound has several chains one after another, and each round begins with another sound.
final class CostComparison {
  /// Blocks of each sound per round: a third of a millisecond, much longer than the clock takes and much
  /// shorter than a time slice.
  static let blocksPerRound = 100
  /// Chains that each sound has in the whole comparison.
  static let placements = 10

  static let names = ["speech", "silence", "denormals", "full-scale square", "all on, speech"]

  private let unit = UnitOfCost()
  private let sounds: [(sound: StereoSound, extras: Extras)]
  private let sampleRate: Double
  private let frames: Int
  /// Those in use last; the others stay, or the next would lie where they lay.
  private var chains: [[PlacedChain]] = []
  private var unitTimes: [Double] = []
  private var times = names.map { _ in [Double]() }

  init(speech: StereoSound, sampleRate: Double, frames: Int) throws {
    (self.sampleRate, self.frames) = (sampleRate, frames)
    sounds = [
      (speech, .none), (.silence(sampleRate: sampleRate), .none),
      (.denormals(sampleRate: sampleRate), .none),
      (.square(sampleRate: sampleRate), .none), (speech, try .everything()),
    ]
  }

  /// Time of one unit, s.
  var unitTime: Spread { Spread(unitTimes) }

  /// Runs all rounds.
  func run(rounds: Int) throws -> [SoundCost] {
    for round in 0..<rounds {
      if round * Self.placements / rounds >= chains.count { chains.append(try placed()) }
      let start = SystemTime.thread
      for _ in 0..<Self.blocksPerRound { unit.spend() }
      unitTimes.append((SystemTime.thread - start) / Double(Self.blocksPerRound))
      for step in sounds.indices {
        let index = (round + step) % sounds.count
        times[index].append(chains[chains.count - 1][index].time(blocks: Self.blocksPerRound))
      }
    }
    return Self.names.indices.map { index in
      SoundCost(
        sound: Self.names[index], time: Spread(times[index]),
        units: Spread(zip(times[index], unitTimes).map { $0 / $1 }),
        againstSpeech: Spread(zip(times[index], times[0]).map { $0 / $1 }),
        limited: chains.map { $0[index].chain.limitedShare }.reduce(0, +) / Double(chains.count))
    }
  }

  /// A chain of each sound.
  private func placed() throws -> [PlacedChain] {
    try sounds.map {
      PlacedChain(try BenchedChain($0.sound, sampleRate: sampleRate, frames: frames, extras: $0.extras))
    }
  }
}

/// One chain at its place in memory.
private final class PlacedChain {
  var chain: BenchedChain

  init(_ chain: consuming BenchedChain) { self.chain = chain }

  /// Processor time of one of the next blocks, s.
  func time(blocks: Int) -> Double {
    let start = SystemTime.thread
    chain.run(blocks: blocks)
    return (SystemTime.thread - start) / Double(blocks)
  }
}
