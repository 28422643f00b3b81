import CommonTesting
import Testing

@testable import Paper

@Suite("Clinic card sheet") struct ClinicCardSheetTests {
  private func sheet(
    _ clinic: String, fingerprint: String, codeWidth: Double = CodeDrawing.standardWidth
  ) -> ClinicCardSheet {
    ClinicCardSheet(
      clinic: clinic, url: "https://hearing.example/auricle",
      validUntil: "31 December 2031", keyFingerprint: fingerprint,
      code: CodeDrawing(SampleSheet.modules(side: 57), width: codeWidth))
  }

  @Test("name, ways to reach the clinic and every group of the fingerprint can be read in the PDF")
  func texts() throws {
    let folder = TemporaryFolder()
    let sheet = sheet(
      "Hearing Centre Lindenhof",
      fingerprint: "4F2A 91C7 0B3E D85A 6C11 7E90 A2B4 53FD 18E6 C97B 40D2 8F35 B7A1 06EC 9D48 217F")
    try sheet.picture().write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    for words in [
      sheet.clinic, sheet.url ?? "", "valid until 31 December 2031",
      "auricle trust add",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    // Sixteen groups in two rows of eight.
    #expect(text.contains("4F2A 91C7 0B3E D85A 6C11 7E90 A2B4 53FD"))
    #expect(text.contains("18E6 C97B 40D2 8F35 B7A1 06EC 9D48 217F"))
  }

  @Test(
    "no text leaves the page or covers another or the code's quiet zone",
    arguments: ["A", String(repeating: "Sternberg ", count: 8), String(repeating: "W", count: 80)])
  func layout(clinic: String) throws {
    let long = String(repeating: "abcdefgh ", count: 16)
    for fingerprint in ["00", long, String(repeating: "f", count: 64)] {
      for width in [60.0, 90] {
        let sheet = sheet(clinic, fingerprint: fingerprint, codeWidth: width)
        let picture = sheet.picture()
        #expect(Layout.clipped(picture) == [])
        #expect(Layout.overlapping(picture) == [])
        let metrics = TextMetrics()
        for case .fill(let path, .code) in picture.marks {
          let zone = path.extent.inset(by: -4 * sheet.code.module)
          for label in picture.labels {
            let bounds = label.bounds(metrics)
            #expect(!bounds.overlaps(zone), "\(label.text)")
          }
        }
      }
    }
  }
}
