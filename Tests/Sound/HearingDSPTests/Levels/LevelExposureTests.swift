import Realtime
import Testing

@testable import HearingDSP

/// What a band's output limit is told of the sound in it and beside it.
@Suite("Level that a band's limit follows") struct LevelExposureTests {
  /// Levels of eight bands after a long time with these mean squares, dB re 1.
  static func exposure(_ squares: [Float]) -> [Float] {
    var memory = LevelMemory(bandCount: squares.count, stride: squares.count)
    var power = AlignedBuffer<Float>(count: squares.count)
    for (band, square) in squares.enumerated() { power[band] = square }
    memory.read(power, offset: 0, exposureShare: 1)
    return squares.indices.map { memory.exposure[$0] }
  }

  // Single precision and the logarithm's polynomial.
  static let tolerance: Float = 0.01

  @Test("equal power in all bands is read as each band's own")
  func broadband() {
    for level in Self.exposure([Float](repeating: 1, count: 8))[1...6] {
      #expect(abs(level) < Self.tolerance, "\(level)")
    }
  }

  @Test("a tone whose power lies half in one band and half in the next counts wholly in both")
  func between() {
    let levels = Self.exposure([0, 0, 0, 0.5, 0.5, 0, 0, 0])
    #expect(abs(levels[3]) < Self.tolerance && abs(levels[4]) < Self.tolerance, "\(levels)")
  }

  @Test("a tone at a centre counts as it is read there, whatever little its neighbours have of it")
  func centre() {
    let levels = Self.exposure([0, 0, 0, 0.1, 0.8, 0.1, 0, 0])
    // 10·log10(0.8) = −0.97 dB.
    #expect(abs(levels[4] + 0.969) < Self.tolerance, "\(levels)")
  }

  @Test("no sound counts for less than a band has of it, nor for more than the three bands together")
  func bounds() {
    let squares: [Float] = [1e-3, 0.2, 3, 0.01, 0.7, 0.7, 40, 1e-6]
    let levels = Self.exposure(squares)
    for band in 1...6 {
      let sum = squares[band - 1] + squares[band] + squares[band + 1]
      #expect(levels[band] >= Decibel.fromPower(squares[band]) - Self.tolerance)
      #expect(levels[band] <= Decibel.fromPower(sum) + Self.tolerance)
    }
  }
}
