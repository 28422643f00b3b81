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

  @Test("the longest stretch that times allow is drawn, and levels whose power is nothing")
  func extremes() throws {
    try draw([.sample(at: -1e9), .sample(at: 1e9)])
    try draw([.sample(at: -1e9), .sample(at: -1e9 + 1e-6), .sample(at: 1e9)])
    try draw([.sample(at: 0, level: -10_000), .sample(at: 1, level: 1000), .sample(at: 2, level: -10_000)])
  }
}
