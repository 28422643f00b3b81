import CommonTesting
import Foundation
import SimulatedListeners
import Testing

@testable import Procedures

@Suite("Pitch match by likeness") struct LikenessRatingTests {
  private static let frequencies = LikenessRating.frequencies(.thirdOctave, within: 100...20_000)

  private func rated(
    seed: UInt64, frequencies: [Double] = frequencies, _ rating: (Double) -> Double
  ) throws -> LikenessProfile {
    var match = try #require(LikenessRating(frequencies: frequencies, seed: seed))
    while let frequency = match.next {
      let isTaken = match.rate(min(max(rating(frequency).rounded(), 0), 100))
      #expect(isTaken)
    }
    return try #require(match.result)
  }

  /// Likeness to a pitch: falls to 14 at an octave, with an error of ten points of a hundred (own choice of a good listener).
  private func likeness(_ frequency: Double, to pitch: Double, _ random: inout SeededGenerator) -> Double {
    100 * exp(-2 * pow(log2(frequency / pitch), 2)) + 10 * random.normal()
  }

  @Test("thirds of an octave from 500 Hz are 16 tones to 16 kHz and 13 to 8 kHz; half octaves 11 and 9")
  func tones() {
    #expect(Self.frequencies.count == 16)
    #expect(LikenessRating.frequencies(.thirdOctave, within: 100...8001).count == 13)
    #expect(LikenessRating.frequencies(.halfOctave, within: 100...20_000).count == 11)
    #expect(LikenessRating.frequencies(.halfOctave, within: 100...8001).count == 9)
    #expect(abs(Self.frequencies[3] - 1000) < 1e-9 && abs(Self.frequencies[15] - 16_000) < 1e-9)
    #expect(LikenessRating.frequencies(.halfOctave, within: 600...900).count == 1)
  }

  @Test("each tone comes three times, once in each round and never twice in a row, by the seed")
  func order() throws {
    var orders: Set<[Double]> = []
    for seed in 0..<200 as Range<UInt64> {
      var match = try #require(LikenessRating(frequencies: Self.frequencies, seed: seed))
      var heard: [Double] = []
      while let frequency = match.next {
        heard.append(frequency)
        _ = match.rate(50)
      }
      #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 != $1 })
      for round in 0..<3 { #expect(heard[16 * round..<16 * (round + 1)].sorted() == Self.frequencies) }
      orders.insert(heard)
    }
    #expect(orders.count == 200)
  }

  @Test("the median error of simulated listeners lies within the spacing of the tones")
  func errors() throws {
    var random = SeededGenerator(1)
    var errors: [Double] = []
    var doubted = 0
    for seed in 0..<1000 as Range<UInt64> {
      // Pitches of tinnitus lie high as a rule; none at the edges, where a peak says nothing.
      let pitch = 1000 * exp2(Double.random(in: 0...3.5, using: &random))
      let profile = try rated(seed: seed) { likeness($0, to: pitch, &random) }
      if !profile.doubts.isEmpty { doubted += 1 }
      errors.append(abs(log2(try #require(profile.pitch) / pitch)))
    }
    errors.sort()
    #expect(errors[500] <= 1.0 / 3)
    // Own choice: of good listeners one in twenty may be doubted.
    #expect(doubted <= 50)
  }

  @Test("who rates at random is flagged, who rates everything alike is told as flat, without a pitch")
  func useless() throws {
    var random = SeededGenerator(2)
    var flagged = 0
    for seed in 0..<1000 as Range<UInt64> {
      let profile = try rated(seed: seed) { _ in Double.random(in: 0...100, using: &random) }
      if profile.doubts.contains(.unreliable) { flagged += 1 }
      let flat = try rated(seed: seed) { _ in 40 + 5 * random.normal() }
      #expect(flat.doubts.contains(.flat) && flat.pitch == nil)
    }
    // By the F distribution one in a thousand reaches an ICC of 0.5 by chance.
    #expect(flagged >= 990)
    let constant = try rated(seed: 1) { _ in 70 }
    #expect(constant.reliability == nil && constant.doubts == [.flat, .atEdge])
  }

  @Test("a peak at the lowest or highest tone is told: the pitch may lie beyond")
  func edges() throws {
    for pitch in [300.0, 20_000] {
      let profile = try rated(seed: 3) { 100 * exp(-2 * pow(log2($0 / pitch), 2)) }
      #expect(profile.doubts == [.atEdge])
    }
  }

  @Test("a peak beside tones that were left out is told, and has no share of those on the other side")
  func gaps() throws {
    let tones = Self.frequencies.prefix(13).filter { $0 < 3000 || $0 > 6000 }
    #expect(tones.count == 10)
    func profile(_ pitch: Double) throws -> LikenessProfile {
      try rated(seed: 3, frequencies: tones) { 100 * exp(-2 * pow(log2($0 / pitch), 2)) }
    }
    // 2520 and 6350 Hz are the last tone below the gap and the first one above.
    for pitch in [2520.0, 6350] { #expect(try profile(pitch).doubts == [.besideGap]) }
    for (pitch, place) in [(1000.0, 3), (1587, 5)] {
      let found = try profile(pitch)
      #expect(found.doubts.isEmpty && found.pitch == tones[place])
    }
    let found = try profile(2520)
    let means = found.tones.map(\.ratings.mean)
    #expect(abs(found.smoothed[7] - (means[6] + 2 * means[7]) / 3) < 1e-12)
    #expect(abs(found.smoothed[8] - (2 * means[8] + means[9]) / 3) < 1e-12)
    #expect(abs(found.smoothed[6] - (means[5] + 2 * means[6] + means[7]) / 4) < 1e-12)
  }

  @Test("mean, spread and reliability of ratings are those of their formulas")
  func figures() {
    let ratings = SoundRatings(ratings: [10, 20, 60])
    // Mean 30; squares 400 + 100 + 900 over 2.
    #expect(ratings.mean == 30)
    #expect(abs(ratings.spread - 700.0.squareRoot()) < 1e-12)
    // Two tones rated twice: means 10 and 30, B = 2·200, W = (2 + 2) / 2: (400 − 2) / (400 + 2).
    let profile = LikenessProfile(tones: [
      .init(frequency: 1000, ratings: SoundRatings(ratings: [9, 11])),
      .init(frequency: 2000, ratings: SoundRatings(ratings: [29, 31])),
    ])
    let reliability: Double = 398 / 402
    #expect(abs((profile.reliability ?? 0) - reliability) < 1e-12)
    // Neighbours count half: (2·10 + 30) / 3 and (10 + 2·30) / 3.
    let smoothed: [Double] = [50 / 3, 70 / 3]
    #expect(profile.smoothed == smoothed)
  }

  @Test("a rating outside of 0…100 and a set of tones that makes no profile are refused")
  func refusals() throws {
    var match = try #require(LikenessRating(frequencies: Self.frequencies, seed: 1))
    for rating in [-1, 100.5, .nan, .infinity] {
      let isTaken = match.rate(rating)
      #expect(!isTaken)
    }
    #expect(match.ratings.isEmpty && match.result == nil)
    #expect(LikenessRating(frequencies: [1000, 2000], seed: 1) == nil)
    #expect(LikenessRating(frequencies: (1...26).map { 500 * Double($0) }, seed: 1) == nil)
    #expect(LikenessRating(frequencies: [1000] + Self.frequencies.dropFirst(), seed: 1) == nil)
    #expect(LikenessRating(frequencies: [-1] + Self.frequencies, seed: 1) == nil)
    #expect(LikenessRating(frequencies: Self.frequencies + [.nan], seed: 1) == nil)
  }

  @Test("a match that was kept goes on with the same tone; what is no match is refused")
  func kept() throws {
    var match = try #require(LikenessRating(frequencies: Self.frequencies, seed: 7))
    for rating in 0..<20 { _ = match.rate(Double(rating)) }
    let kept = try JSONEncoder().encode(match)
    #expect(try JSONDecoder().decode(LikenessRating.self, from: kept) == match)
    for broken in [
      #"{"frequencies":[],"seed":1,"ratings":[]}"#, #"{"frequencies":[1000],"seed":1,"ratings":[50]}"#,
    ] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(LikenessRating.self, from: Data(broken.utf8))
      }
    }
  }
}
