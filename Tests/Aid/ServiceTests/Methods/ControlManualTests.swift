import Base
import Control
import Testing

@testable import Service

@Suite("Manual page of the control protocol") struct ControlManualTests {
  /// Beside the sources, found from this file.
  private static let path = #filePath.replacing(#/Tests\/Aid\/.*/#, with: "docs/man/auricle-protocol.7")

  @Test(
    "the page that lies in the project is the one that the list of methods makes: otherwise, make manual")
  func isCurrent() throws {
    let text = ControlManual(methods: MethodTable.daemon.descriptions).text
    if ProcessEnvironment.variables["AURICLE_WRITE_MANUAL"] != nil {
      try WholeFile.save([UInt8](text.utf8), to: Self.path, mode: 0o644)
    }
    #expect(try String(decoding: FileContent.bytes(of: Self.path, limit: 1 << 20), as: UTF8.self) == text)
  }
}
