import Realtime
import Testing

@testable import HearingDSP

@Suite("Level that a band's limit follows") struct LevelExposureTests {
  /// Levels of eight bands after a long time with these mean squares, dB re 1.
  static func exposure(_ squares: [Float]) throws -> [Float] {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var memory = LevelMemory(bandCount: squares.count, geometry: geometry)
    var power = AlignedBuffer<Float>(count: squares.count)
    var level = AlignedBuffer<Float>(count: squares.count)
    for (band, square) in squares.enumerated() { power[band] = square }
    // Forty time constants.
    for _ in 0..<geometry.hops(40 * LevelMemory.exposureTime) {
      memory.processPower(power, offset: 0, into: &level)
    }
    return squares.indices.map { memory.exposure[$0] }
  }

  // Single precision and the logarithm's polynomial.
  static let tolerance: Float = 0.01

  @Test("equal power in all bands is read as each band's own")
  func broadband() throws {
    for level in try Self.exposure([Float](repeating: 1, count: 8))[1...6] {
      #expect(abs(level) < Self.tolerance, "\(level)")
    }
  }

  @Test("a tone whose power lies half in one band and half in the next counts wholly in both")
  func between() throws {
    let levels = try Self.exposure([0, 0, 0, 0.5, 0.5, 0, 0, 0])
    #expect(abs(levels[3]) < Self.tolerance && abs(levels[4]) < Self.tolerance, "\(levels)")
  }

  @Test("a tone at a centre counts as it is read there, whatever little its neighbours have of it")
  func centre() throws {
    let levels = try Self.exposure([0, 0, 0, 0.1, 0.8, 0.1, 0, 0])
    // 10·log10(0.8) = −0.97 dB.
    #expect(abs(levels[4] + 0.969) < Self.tolerance, "\(levels)")
  }

  @Test("no sound counts for less than a band has of it, nor for more than the three bands together")
  func bounds() throws {
    let squares: [Float] = [1e-3, 0.2, 3, 0.01, 0.7, 0.7, 40, 1e-6]
    let levels = try Self.exposure(squares)
    for band in 1...6 {
      let sum = squares[band - 1] + squares[band] + squares[band + 1]
      #expect(levels[band] >= Decibel.fromPower(squares[band]) - Self.tolerance)
      #expect(levels[band] <= Decibel.fromPower(sum) + Self.tolerance)
    }
  }
}
