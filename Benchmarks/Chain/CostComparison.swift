import Base
import Realtime

/// The chain on several sounds against the unit of cost, interleaved in short rounds: what disturbs one
/// disturbs all, and the median of the rounds leaves out those that were disturbed in the middle.
final class CostComparison {
  /// Blocks of each sound per round: a third of a millisecond, much longer than the clock takes and much
  /// shorter than a time slice.
  static let blocksPerRound = 100

  private let unit: UnitOfCost
  private var speech: BenchedChain
  private var silence: BenchedChain
  private var denormals: BenchedChain
  private var square: BenchedChain
  private var everything: BenchedChain
  private var unitTimes: [Double] = []
  private var times: [[Double]] = [[], [], [], [], []]

  static let names = ["speech", "silence", "denormals", "full-scale square", "all on, speech"]

  init(speech sound: StereoSound, sampleRate: Double, frames: Int) throws {
    unit = UnitOfCost()
    speech = try BenchedChain(sound, sampleRate: sampleRate, frames: frames)
    silence = try BenchedChain(.silence(sampleRate: sampleRate), sampleRate: sampleRate, frames: frames)
    denormals = try BenchedChain(.denormals(sampleRate: sampleRate), sampleRate: sampleRate, frames: frames)
    square = try BenchedChain(.square(sampleRate: sampleRate), sampleRate: sampleRate, frames: frames)
    everything = try BenchedChain(sound, sampleRate: sampleRate, frames: frames, extras: .everything())
  }

  /// Time of one unit, s.
  var unitTime: Spread { Spread(unitTimes) }

  /// Runs all rounds.
  func run(rounds: Int) -> [SoundCost] {
    for _ in 0..<rounds {
      let start = SystemTime.thread
      for _ in 0..<Self.blocksPerRound { unit.spend() }
      unitTimes.append((SystemTime.thread - start) / Double(Self.blocksPerRound))
      times[0].append(Self.time(&speech))
      times[1].append(Self.time(&silence))
      times[2].append(Self.time(&denormals))
      times[3].append(Self.time(&square))
      times[4].append(Self.time(&everything))
    }
    let limited = [
      speech.limitedShare, silence.limitedShare, denormals.limitedShare, square.limitedShare,
      everything.limitedShare,
    ]
    return Self.names.indices.map { index in
      SoundCost(
        sound: Self.names[index], time: Spread(times[index]),
        units: Spread(zip(times[index], unitTimes).map { $0 / $1 }),
        againstSpeech: Spread(zip(times[index], times[0]).map { $0 / $1 }), limited: limited[index])
    }
  }

  private static func time(_ chain: inout BenchedChain) -> Double {
    let start = SystemTime.thread
    chain.run(blocks: blocksPerRound)
    return (SystemTime.thread - start) / Double(blocksPerRound)
  }
}
