import Testing

@testable import Paper

@Suite("Error correction") struct ErrorCorrectionTests {
  @Test("the four levels have the letters of ISO/IEC 18004")
  func letters() { #expect(ErrorCorrection.allCases.map(\.rawValue) == ["L", "M", "Q", "H"]) }
}
