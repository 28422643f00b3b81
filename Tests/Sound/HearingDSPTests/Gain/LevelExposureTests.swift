import Acoustics
import Glibc
import Realtime
import Testing

@testable import HearingDSP

@Suite("Level that a band's limit follows") struct LevelExposureTests {
  /// Levels of bands after a long time with these mean squares, dB re 1.
  static func exposure(_ squares: [Float]) throws -> [Float] {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var memory = LevelMemory(bandCount: squares.count, geometry: geometry)
    let columns = BandLayout.stride(squares.count)
    var power = AlignedBuffer<Float>(count: columns)
    var level = AlignedBuffer<Float>(count: columns)
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
    for level in try Self.exposure([Float](repeating: 1, count: 8)) {
      #expect(abs(level) < Self.tolerance, "\(level)")
    }
  }

  @Test("speech is read as it is in each standard band, the first and the last too")
  func speech() throws {
    let bands = BandLayout.standard
    let speech = bands.centres.indices.map {
      bands.speechLevel(inBand: $0, overall: SoundPressureLevel(65))
    }
    let levels = try Self.exposure(speech.map { Float(pow(10, $0.decibels / 10)) })
    for (level, expected) in zip(levels, speech) {
      #expect(abs(Double(level) - expected.decibels) < Double(Self.tolerance), "\(level), \(expected)")
    }
  }

  @Test(
    "a tone whose power lies anywhere between one band and the next counts wholly in both",
    arguments: [(0, 1), (3, 4), (6, 7)])
  func between(_ low: Int, _ high: Int) throws {
    for share: Float in [0.05, 0.25, 0.5, 0.75, 0.95] {
      var squares = [Float](repeating: 0, count: 8)
      (squares[low], squares[high]) = (share, 1 - share)
      let levels = try Self.exposure(squares)
      #expect(abs(levels[low]) < Self.tolerance && abs(levels[high]) < Self.tolerance, "\(levels)")
    }
  }

  @Test("what a tone's window leaves on the far side of a narrow band takes nothing from the difference")
  func narrow() throws {
    // On the emptier side a tenth of the band's own power.
    let levels = try Self.exposure([0, 0, 0, 0.12, 0.8, 0.08, 0, 0])
    // 0.8 and the difference of 0.12 and 0.08.
    #expect(abs(levels[4] - Decibel.fromPower(0.84)) < Self.tolerance, "\(levels)")
  }

  @Test("of two bands each counts with the other, and a single one as it is")
  func few() throws {
    let two = try Self.exposure([0.3, 0.7])
    #expect(abs(two[0]) < Self.tolerance && abs(two[1]) < Self.tolerance, "\(two)")
    let one = try Self.exposure([1])
    #expect(abs(one[0]) < Self.tolerance)
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
