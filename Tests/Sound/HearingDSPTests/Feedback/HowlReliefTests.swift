import Testing

@testable import HearingDSP

@Suite("Howl relief") struct HowlReliefTests {
  static let readingTime = 0.006

  /// Suspicion after each reading of a sound from outside.
  private static func suspicion(
    _ relief: inout HowlRelief, seconds: Double, power: Float, output: Float
  ) -> [Bool] {
    var suspicion: [Bool] = []
    for _ in 0..<Int(seconds / readingTime) {
      _ = relief.process(power: power, stood: 0, output: output, isFree: true)
      suspicion.append(relief.isSuspicious)
    }
    return suspicion
  }

  @Test("after an hour of loud surroundings 1.5 s of quiet end all suspicion and every probe")
  func forgotten() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var relief = HowlRelief(geometry, readingTime: Self.readingTime)
    let loud = Self.suspicion(&relief, seconds: 3600, power: 0.01, output: 0.5)
    #expect(loud.last == true)
    #expect(relief.lasting == 1)
    // 1.2 s of suspicion are kept at most and fade twice as fast, beside a probe of 0.6 s.
    let quiet = Self.suspicion(&relief, seconds: 20, power: 1e-6, output: 1e-6)
    let isSuspectLater = quiet[Int(1.5 / Self.readingTime)...].contains(true)
    #expect(!isSuspectLater)
  }
}
