import Acoustics
import Base
import Testing

@testable import Prescriptions

@Suite("Audiograms as FHIR by themselves") struct AudiogramBundleTests {
  @Test(
    "what is written is read again: thresholds, missing responses, masking, and frequencies that LOINC has no code for"
  )
  func roundTrip() throws {
    let left = try Audiogram(points: [
      Audiogram.Point(frequency: 125, threshold: HearingLevel(12)),
      Audiogram.Point(frequency: 1000, threshold: HearingLevel(35), isMasked: true),
      Audiogram.Point(frequency: 8000, threshold: HearingLevel(90), hasResponse: false),
    ])
    for ears in [Binaural(left: left, right: try Audiogram(points: [])), Binaural(both: left)] {
      let text = AudiogramBundle(
        ears, at: Instant(seconds: 1_790_000_000), note: "HDA 200, calibration verified."
      ).text
      #expect(try FHIRAudiogram(parsing: text).ears == ears)
      #expect(text.contains("\"2026-09-21T14:13:20Z\"") && text.contains("calibration verified"))
    }
  }
}
