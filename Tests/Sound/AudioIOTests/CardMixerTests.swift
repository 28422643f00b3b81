import Testing

@testable import AudioIO

@Suite("Volume controls that tell no dB") struct CardMixerTests {
  /// Raw values of a control: of 32 steps, and of one whose driver counts from below zero.
  @Test(
    "their place is the share of their range, and leads back to the same step",
    arguments: [
      (0, 0...31, 0.0), (31, 0...31, 100), (10, 0...31, 32.26), (-10, -10...10, 0), (0, -10...10, 50),
      (21_845, 0...65_535, 33.33),
    ] as [(Int, ClosedRange<Int>, Double)])
  func places(_ value: Int, _ range: ClosedRange<Int>, _ place: Double) {
    #expect(MixerVolume.place(of: value, in: range) == place)
    // A hundredth of a percent of 65535 are six steps.
    #expect(abs(MixerVolume.value(at: place, in: range) - value) <= range.count / 10_000)
  }

  @Test("whatever place a file tells, the value lies in the range", arguments: [-1000, -0.1, 100.1, 1000])
  func beyond(_ place: Double) {
    for range in [0...31, Int.min...Int.max] {
      let value = MixerVolume.value(at: place, in: range)
      #expect(value == (place < 0 ? range.lowerBound : range.upperBound))
    }
  }
}
