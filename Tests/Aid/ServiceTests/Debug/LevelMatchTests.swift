import Glibc
import Testing

@testable import Service

@Suite("LevelMatch") struct LevelMatchTests {
  /// Readings twenty times a second.
  static func add(
    _ side: LevelMatch.Side, _ levels: [(input: Double, output: Double)], seconds: Double,
    attenuation: Double = 0, to match: inout LevelMatch, from start: Double
  ) {
    for step in 0...Int(seconds * 20) {
      match.add(side, levels, attenuation: attenuation, at: start + Double(step) / 20)
    }
  }

  @Test(
    "the difference is that of the gains, whatever the level of the sound, and without what was taken away to compare"
  )
  func difference() throws {
    var match = LevelMatch()
    Self.add(.prescribed, [(65, 80), (60, 75)], seconds: 4, attenuation: 1.5, to: &match, from: 0)
    #expect(match.difference == nil)
    Self.add(.changed, [(75, 93), (70, 88)], seconds: 4, to: &match, from: 10)
    // 18 dB against 15 dB and the 1.5 dB that were taken away; of the gap of 6 s 0.2 s count, with the first reading.
    #expect(abs(try #require(match.difference) - 1.5) < 0.01)
  }

  @Test("less than 2 s, the way to a setting and rooms without sound count for nothing")
  func tooLittle() {
    var match = LevelMatch()
    Self.add(.prescribed, [(65, 80)], seconds: 3, to: &match, from: 0)
    Self.add(.changed, [(65, 80)], seconds: 1.5, to: &match, from: 3)
    #expect(match.difference == nil)
    match.wait(until: 10)
    Self.add(.changed, [(65, 80)], seconds: 2, to: &match, from: 5)
    #expect(match.difference == nil)
    Self.add(.changed, [(65, 80)], seconds: 1.5, to: &match, from: 10)
    #expect(match.difference != nil)
    match.forget(.changed)
    #expect(match.difference == nil)
    Self.add(.changed, [(30, 45)], seconds: 5, to: &match, from: 20)
    #expect(match.difference == nil)
  }

  @Test("what is not a number counts as silence")
  func notFinite() {
    var match = LevelMatch()
    Self.add(.prescribed, [(.nan, .infinity)], seconds: 3, to: &match, from: 0)
    Self.add(.changed, [(65, .nan)], seconds: 3, to: &match, from: 3)
    #expect(match.difference == nil)
  }
}
