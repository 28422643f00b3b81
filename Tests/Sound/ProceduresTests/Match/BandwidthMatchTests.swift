import CommonTesting
import Foundation
import SimulatedListeners
import Testing

@testable import Procedures

@Suite("Bandwidth match") struct BandwidthMatchTests {
  /// A listener who rates each sound about a mean.
  private func matched(
    seed: UInt64, _ means: [BandwidthMatch.Sound: Double], spread: Double, _ random: inout SeededGenerator
  ) throws -> BandwidthMatchResult {
    var match = BandwidthMatch(seed: seed)
    while let sound = match.next {
      let rating = (means[sound] ?? 0) + spread * random.normal()
      _ = match.rate(min(max(rating.rounded(), 0), 100))
    }
    return try #require(match.result)
  }

  @Test("a sound that is likest is found, whichever it is", arguments: BandwidthMatch.Sound.allCases)
  func found(sound: BandwidthMatch.Sound) throws {
    var random = SeededGenerator(1)
    var right = 0
    for seed in 0..<1000 as Range<UInt64> {
      let result = try matched(seed: seed, [sound: 60], spread: 0, &random)
      #expect(result.sound == sound && !result.isTied)
      var means = Dictionary(uniqueKeysWithValues: BandwidthMatch.Sound.allCases.map { ($0, 35.0) })
      means[sound] = 65
      if try matched(seed: seed, means, spread: 12, &random).sound == sound { right += 1 }
    }
    // A difference of 30 with a spread of 12: 4 standard errors of 7.6; two sounds have to be beaten.
    #expect(right >= 900)
  }

  @Test("two sounds that are alike are told as tied, and nothing is chosen, in nine of ten matches or more")
  func ties() throws {
    var random = SeededGenerator(2)
    var tied = 0
    for seed in 0..<1000 as Range<UInt64> {
      let result = try matched(
        seed: seed, [.tone: 60, .narrowNoise: 60, .broadNoise: 20], spread: 12, &random)
      #expect(result.isTied == (result.sound == nil))
      if result.isTied { tied += 1 }
      let constant = try matched(
        seed: seed, [.tone: 50, .narrowNoise: 50, .broadNoise: 50], spread: 0, &random)
      #expect(constant.isTied)
    }
    #expect(tied >= 900)
  }

  @Test("each sound comes five times and never twice in a row")
  func order() {
    for seed in 0..<100 as Range<UInt64> {
      var match = BandwidthMatch(seed: seed)
      var heard: [BandwidthMatch.Sound] = []
      while let sound = match.next {
        heard.append(sound)
        let isRefused = !match.rate(101) && !match.rate(.nan)
        #expect(isRefused)
        _ = match.rate(1)
      }
      #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 != $1 })
      for sound in BandwidthMatch.Sound.allCases { #expect(heard.count { $0 == sound } == 5) }
      let isTaken = match.rate(1)
      #expect(!isTaken)
    }
  }

  @Test("a match that was kept goes on; one with too many ratings is refused")
  func kept() throws {
    var match = BandwidthMatch(seed: 3)
    for _ in 0..<7 { _ = match.rate(30) }
    let kept = try JSONEncoder().encode(match)
    #expect(try JSONDecoder().decode(BandwidthMatch.self, from: kept) == match)
    let long = "{\"seed\":1,\"ratings\":[\(Array(repeating: "1", count: 16).joined(separator: ","))]}"
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(BandwidthMatch.self, from: Data(long.utf8))
    }
  }
}
