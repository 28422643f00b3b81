import Base
import Control
import Procedures
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

  /// Words of the page that are literal.
  private let literals: Set<String> = Set(
    ControlManual(methods: []).text.split(separator: "\n").filter { $0.hasPrefix(".Ql ") }
      .flatMap { $0.split(separator: " ") }.map(String.init))

  @Test("every question of a step is in the page, and every key that answers one")
  func questions() {
    let text = ControlManual(methods: []).text
    for question in ProcedureStep.Question.allCases {
      #expect(text.contains("\n.Ql \(question.rawValue) :\n"))
    }
    for key in ProcedureKey.Name.allCases { #expect(literals.contains(key.rawValue)) }
  }

  @Test("every member of a notice of a procedure is in the page")
  func procedureNotice() {
    let members = Mirror(reflecting: ProcedureNotice("a", .paused, share: 0)).children.compactMap(\.label)
    #expect(members.contains("note"))
    for member in members { #expect(literals.contains(member)) }
  }
}
