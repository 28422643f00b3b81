import Acoustics
import Base
import Testing

@testable import AuricleCommands
@testable import Service

@Suite("Spectrogram of a stretch") struct SpectrogramStretchTests {
  private func draw(_ reports: [SpectrumReport]) throws {
    var stretch = SpectrogramStretch()
    for report in reports { stretch.add(report) }
    _ = try stretch.drawing(title: "Title", numbers: "", ears: [.right, .left])
  }

  @Test(
    "two spectra of one time, or nearer than times are told, have no length that could be drawn",
    arguments: [0, .leastNonzeroMagnitude, 1e-300, 1e-7, 0.0004])
  func shortest(time: Double) {
    #expect {
      try draw([.sample(at: 0), .sample(at: time)])
    } throws: {
      ($0 as? Failure)?.exitStatus == .badData
    }
  }

  @Test("the gain drawn is that of the bands nearest to 500 and 2000 Hz, by their own names, each once")
  func shownGains() {
    for (bands, names) in [
      (BandLayout.standard.centres, ["500 Hz", "2000 Hz"]),
      // Half octaves around them: 500 Hz lie 0.4982 of an octave above 354 Hz and 0.4998 below 707 Hz, and 2000 Hz
      // 0.5002 above 1414 Hz and 0.4998 below 2828 Hz.
      ([177, 354, 707, 1414, 2828, 5657], ["354 Hz", "2828 Hz"]),
      ([1000], ["1000 Hz"]), ([63, 125, 250], ["250 Hz"]),
    ] as [([Double], [String])] {
      var stretch = SpectrogramStretch()
      for time in [0.0, 1] { stretch.add(.sample(at: time, bands: bands)) }
      let gains = stretch.gains(.right, bands)
      #expect(gains.map(\.name) == names)
      #expect(gains.allSatisfy { $0.points.count == 2 })
    }
  }

  @Test("the longest stretch that times allow is drawn, and levels whose power is nothing")
  func extremes() throws {
    try draw([.sample(at: -1e9), .sample(at: 1e9)])
    try draw([.sample(at: -1e9), .sample(at: -1e9 + 1e-6), .sample(at: 1e9)])
    try draw([.sample(at: 0, level: -10_000), .sample(at: 1, level: 1000), .sample(at: 2, level: -10_000)])
  }
}
