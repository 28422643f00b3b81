import Foundation
import Testing

@testable import Acoustics

@Suite("Audiogram") struct AudiogramTests {
  typealias Point = Audiogram.Point

  @Test("a threshold halfway between two octaves is the mean of their dB")
  func interpolates() throws {
    let audiogram = try Audiogram(air: [1000: 20, 4000: 60])
    #expect(audiogram.threshold(at: 2000) == HearingLevel(40))
    #expect(audiogram.threshold(at: 1000) == HearingLevel(20))
    #expect(audiogram.threshold(at: 4000) == HearingLevel(60))
  }

  @Test("outside the measured points the nearest threshold is held")
  func holds() throws {
    let audiogram = try Audiogram(air: [500: 30, 4000: 60])
    #expect(audiogram.threshold(at: 125) == HearingLevel(30))
    #expect(audiogram.threshold(at: 12_500) == HearingLevel(60))
  }

  @Test("an ear without air-conduction points has no threshold and no average")
  func noAir() throws {
    #expect(try Audiogram(points: []).threshold(at: 1000) == nil)
    let bone = try Audiogram(
      points: [Point(frequency: 1000, threshold: HearingLevel(10), conduction: .bone)])
    #expect(bone.threshold(at: 1000) == nil)
    #expect(bone.pureToneAverage == nil)
  }

  @Test("bone conduction does not disturb the air-conduction threshold")
  func bone() throws {
    let audiogram = try Audiogram(points: [
      Point(frequency: 1000, threshold: HearingLevel(10), conduction: .bone),
      Point(frequency: 1000, threshold: HearingLevel(45)),
    ])
    #expect(audiogram.threshold(at: 1000) == HearingLevel(45))
    #expect(audiogram.points.map(\.conduction) == [.air, .bone])
  }

  @Test("a masked threshold replaces the unmasked one at its frequency")
  func masked() throws {
    let audiogram = try Audiogram(points: [
      Point(frequency: 1000, threshold: HearingLevel(65), isMasked: true),
      Point(frequency: 1000, threshold: HearingLevel(40)),
      Point(frequency: 2000, threshold: HearingLevel(50)),
    ])
    #expect(audiogram.threshold(at: 1000) == HearingLevel(65))
    #expect(audiogram.airPoints.map(\.frequency) == [1000, 2000])
    #expect(audiogram.points.count == 3)
  }

  @Test("no response counts with the loudest level presented, and says so")
  func noResponse() throws {
    let audiogram = try Audiogram(points: [
      Point(frequency: 4000, threshold: HearingLevel(60)),
      Point(frequency: 8000, threshold: HearingLevel(100), hasResponse: false),
    ])
    #expect(audiogram.threshold(at: 8000) == HearingLevel(100))
    #expect(audiogram.noResponseFrequencies == [8000])
  }

  @Test("the pure-tone average is the mean at 500, 1000 and 2000 Hz")
  func average() throws {
    #expect(try Audiogram(air: [500: 35, 1000: 40, 2000: 51]).pureToneAverage == HearingLevel(42))
    // 1000 Hz missing: halfway between its neighbours, 45.
    #expect(try Audiogram(air: [500: 30, 2000: 60]).pureToneAverage == HearingLevel(45))
  }

  @Test("an average is not made up from points that leave 500–2000 Hz open")
  func averageNeedsCover() throws {
    #expect(try Audiogram(air: [1000: 40, 2000: 50, 4000: 60]).pureToneAverage == nil)
    #expect(try Audiogram(air: [250: 40, 1000: 50]).pureToneAverage == nil)
  }

  @Test(
    "a bad point is refused by name",
    arguments: [
      (
        [Point(frequency: 100, threshold: HearingLevel(20))],
        "air conduction at 100 Hz: expected a frequency of 125 to 16000 Hz"
      ),
      (
        [Point(frequency: 16_001, threshold: HearingLevel(20), conduction: .bone)],
        "bone conduction at 16001 Hz: expected a frequency of 125 to 16000 Hz"
      ),
      (
        [
          Point(frequency: 500, threshold: HearingLevel(20)),
          Point(frequency: 1000, threshold: HearingLevel(-11)),
        ],
        "air conduction of -11 dB HL at 1000 Hz: expected -10 to 120 dB HL"
      ),
      (
        [Point(frequency: 1000, threshold: HearingLevel(121))],
        "air conduction of 121 dB HL at 1000 Hz: expected -10 to 120 dB HL"
      ),
      (
        [
          Point(frequency: 1000, threshold: HearingLevel(20), isMasked: true),
          Point(frequency: 1000, threshold: HearingLevel(30)),
          Point(frequency: 1000, threshold: HearingLevel(25), isMasked: true),
        ],
        "masked air conduction at 1000 Hz given twice"
      ),
    ])
  func refuses(points: [Point], words: String) {
    #expect(refusal { () throws(AcousticsError) in try Audiogram(points: points) } == words)
  }

  @Test("a threshold or frequency that is not a number is refused")
  func refusesNaN() {
    #expect(throws: AcousticsError.self) { try Audiogram(air: [1000: .nan]) }
    #expect(throws: AcousticsError.self) { try Audiogram(air: [.nan: 20]) }
    #expect(throws: AcousticsError.self) { try Audiogram(air: [1000: .infinity]) }
  }

  @Test("the ends of the ranges are accepted: 125 and 16000 Hz, −10 and 120 dB HL")
  func ends() throws {
    #expect(try Audiogram(air: [125: -10, 16_000: 120]).points.count == 2)
  }

  @Test("an audiogram written and read is the same, and a bad one is refused on reading")
  func coding() throws {
    let audiogram = StandardAudiogram.s2.audiogram
    let data = try JSONEncoder().encode(audiogram)
    #expect(try JSONDecoder().decode(Audiogram.self, from: data) == audiogram)
    let bad = String(decoding: data, as: UTF8.self).replacing("95", with: "195")
    let error = #expect(throws: AcousticsError.self) {
      try JSONDecoder().decode(Audiogram.self, from: Data(bad.utf8))
    }
    #expect(error?.reason == "air conduction of 195 dB HL at 4000 Hz: expected -10 to 120 dB HL")
  }
}
