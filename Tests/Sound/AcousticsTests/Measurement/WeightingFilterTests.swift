import Glibc
import Testing

@testable import Acoustics

/// IEC 61672-1:2013, table 3. Its goals are for exact frequencies, 10^(n/10) Hz, and rounded to 0.1 dB.
@Suite("Frequency weighting") struct WeightingFilterTests {
  /// Goals A and C, then upper and lower class 1 limits about them, dB; from 10 Hz (n = 10) in third
  /// octaves.
  static let table: [(a: Double, c: Double, upper: Double, lower: Double)] = [
    (-70.4, -14.3, 3, -.infinity),  // 10 Hz
    (-63.4, -11.2, 2.5, -.infinity),  // 12.5 Hz
    (-56.7, -8.5, 2, -4),  // 16 Hz
    (-50.5, -6.2, 2, -2),  // 20 Hz
    (-44.7, -4.4, 2, -1.5),  // 25 Hz
    (-39.4, -3, 1.5, -1.5),  // 31.5 Hz
    (-34.6, -2, 1, -1),  // 40 Hz
    (-30.2, -1.3, 1, -1),  // 50 Hz
    (-26.2, -0.8, 1, -1),  // 63 Hz
    (-22.5, -0.5, 1, -1),  // 80 Hz
    (-19.1, -0.3, 1, -1),  // 100 Hz
    (-16.1, -0.2, 1, -1),  // 125 Hz
    (-13.4, -0.1, 1, -1),  // 160 Hz
    (-10.9, 0, 1, -1),  // 200 Hz
    (-8.6, 0, 1, -1),  // 250 Hz
    (-6.6, 0, 1, -1),  // 315 Hz
    (-4.8, 0, 1, -1),  // 400 Hz
    (-3.2, 0, 1, -1),  // 500 Hz
    (-1.9, 0, 1, -1),  // 630 Hz
    (-0.8, 0, 1, -1),  // 800 Hz
    (0, 0, 0.7, -0.7),  // 1000 Hz
    (0.6, 0, 1, -1),  // 1250 Hz
    (1, -0.1, 1, -1),  // 1600 Hz
    (1.2, -0.2, 1, -1),  // 2000 Hz
    (1.3, -0.3, 1, -1),  // 2500 Hz
    (1.2, -0.5, 1, -1),  // 3150 Hz
    (1, -0.8, 1, -1),  // 4000 Hz
    (0.5, -1.3, 1.5, -1.5),  // 5000 Hz
    (-0.1, -2, 1.5, -2),  // 6300 Hz
    (-1.1, -3, 1.5, -2.5),  // 8000 Hz
    (-2.5, -4.4, 2, -3),  // 10000 Hz
    (-4.3, -6.2, 2, -5),  // 12500 Hz
    (-6.6, -8.5, 2.5, -16),  // 16000 Hz
    (-9.3, -11.2, 3, -.infinity),  // 20000 Hz
  ]

  /// Exact frequency of a row, Hz.
  static func frequency(_ row: Int) -> Double { pow(10, Double(10 + row) / 10) }

  static func goal(_ weighting: FrequencyWeighting, _ row: Int) -> Double {
    switch weighting {
    case .a: table[row].a
    case .c: table[row].c
    case .z: 0
    }
  }

  @Test("the analogue formula meets every goal of the table within its rounding")
  func formula() {
    for weighting in FrequencyWeighting.allCases {
      for row in Self.table.indices {
        let difference = weighting.gain(at: Self.frequency(row)) - Self.goal(weighting, row)
        #expect(abs(difference) <= 0.051, "\(weighting) at \(Self.frequency(row)) Hz: \(difference)")
      }
    }
  }

  @Test(
    "the filter lies within class 1 at every row below half the sample rate",
    arguments: FrequencyWeighting.allCases, [32_000.0, 44_100, 48_000, 88_200, 96_000, 192_000])
  func classOne(weighting: FrequencyWeighting, sampleRate: Double) throws {
    let filter = try WeightingFilter(weighting, sampleRate: sampleRate)
    for row in Self.table.indices where Self.frequency(row) < sampleRate / 2 {
      let gain = 20 * log10(filter.magnitude(at: 2 * .pi * Self.frequency(row) / sampleRate))
      let difference = gain - Self.goal(weighting, row)
      let (upper, lower) = (Self.table[row].upper, Self.table[row].lower)
      #expect(
        lower <= difference && difference <= upper,
        "\(weighting) at \(Self.frequency(row)) Hz: \(difference) dB from the goal")
    }
  }

  @Test(
    "the filter is within 0.3 dB of the goal up to 20 kHz, far inside class 1",
    arguments: FrequencyWeighting.allCases, [44_100.0, 48_000, 96_000])
  func accuracy(weighting: FrequencyWeighting, sampleRate: Double) throws {
    let filter = try WeightingFilter(weighting, sampleRate: sampleRate)
    for row in Self.table.indices {
      let gain = 20 * log10(filter.magnitude(at: 2 * .pi * Self.frequency(row) / sampleRate))
      #expect(abs(gain - Self.goal(weighting, row)) <= 0.3)
    }
  }

  @Test(
    "sines through the filter come out as its response says",
    arguments: FrequencyWeighting.allCases, [44_100.0, 48_000])
  func sines(weighting: FrequencyWeighting, sampleRate: Double) throws {
    for frequency in [32.0, 100, 1000, 4000, 12_500, 16_000] {
      var filter = try WeightingFilter(weighting, sampleRate: sampleRate)
      let expected = filter.magnitude(at: 2 * .pi * frequency / sampleRate)
      // The slowest pole, 20.6 Hz, is 60 dB down after 54 ms; the second half of one second is steady.
      var sum = 0.0
      let count = Int(sampleRate)
      for n in 0..<count {
        let y = Double(filter.process(Float(sin(2 * .pi * frequency * Double(n) / sampleRate))))
        if n >= count / 2 { sum += y * y }
      }
      // Half a second holds whole periods of each; what is left is single precision.
      let factor = (2 * sum / Double(count - count / 2)).squareRoot()
      #expect(abs(20 * log10(factor / expected)) < 0.001, "\(weighting) at \(frequency) Hz")
    }
  }

  @Test("a block comes out as its samples one by one")
  func blocks() throws {
    var one = try WeightingFilter(.a, sampleRate: 48_000)
    var two = one
    let samples = (0..<256).map { Float(sin(Double($0 * $0) / 100)) }
    let singly = samples.map { one.process($0) }
    var block = samples
    var span = block.mutableSpan
    two.process(&span)
    #expect(block == singly)
  }

  @Test("Z weighting changes nothing")
  func flat() throws {
    var filter = try WeightingFilter(.z, sampleRate: 44_100)
    for sample: Float in [0, 1, -0.3, 1e-20] { #expect(filter.process(sample) == sample) }
  }

  @Test("a sample that is not a number leaves no trace in the filter")
  func notANumber() throws {
    for weighting in FrequencyWeighting.allCases {
      var filter = try WeightingFilter(weighting, sampleRate: 44_100)
      #expect(filter.process(.nan) == 0 && filter.process(.infinity) == 0)
      #expect(filter.process(0) == 0)
    }
  }

  @Test("after a reset the filter is as new")
  func reset() throws {
    var filter = try WeightingFilter(.a, sampleRate: 44_100)
    let first = filter.process(1)
    _ = filter.process(0.5)
    filter.reset()
    #expect(filter.process(1) == first)
  }

  @Test("sample rates outside 8–384 kHz are refused", arguments: [0, -1, 7999, 384_001, .infinity, .nan])
  func refuses(sampleRate: Double) {
    #expect(throws: AcousticsError.self) { try WeightingFilter(.a, sampleRate: sampleRate) }
  }
}
