import Base
import Testing

@testable import Acoustics

/// The audiograms in the folder Prescriptions.
@Suite("Sample audiograms") struct SampleAudiogramTests {
  let folder = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/") + "/Prescriptions"

  private func text(_ name: String) throws -> String {
    String(decoding: try FileContent.bytes(of: "\(folder)/\(name).json", limit: 1 << 20), as: UTF8.self)
  }

  @Test("each standard audiogram has its file, written as this program writes it")
  func standards() throws {
    for standard in StandardAudiogram.allCases {
      let file = AudiogramFile(
        name: "\(standard.rawValue), \(standard.category)", ears: Binaural(both: standard.audiogram))
      #expect(try text(standard.rawValue) == file.text)
      #expect(try AudiogramFile(parsing: text(standard.rawValue)) == file)
    }
  }

  @Test("the asymmetric sample is N2 on the left and N4 on the right")
  func asymmetric() throws {
    let file = try AudiogramFile(parsing: text("asymmetric"))
    #expect(
      file.ears
        == Binaural(left: StandardAudiogram.n2.audiogram, right: StandardAudiogram.n4.audiogram))
    #expect(try text("asymmetric") == file.text)
  }
}
