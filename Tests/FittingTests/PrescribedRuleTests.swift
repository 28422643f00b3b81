import Acoustics
import Testing

@testable import Fitting

@Suite("Prescribed rule") struct PrescribedRuleTests {
  @Test("every rule and every former version is found by what a card says of it, and by nothing else")
  func found() {
    for rule in PrescribedRule.all + PrescribedRule.former {
      let found = PrescribedRule(
        identifier: rule.identifier, version: rule.version, compressionRatio: rule.compressionRatio)
      #expect(found == rule)
      #expect(
        PrescribedRule(
          identifier: rule.identifier, version: 3, compressionRatio: rule.compressionRatio) == nil)
      #expect(PrescribedRule(identifier: rule.identifier + " ", version: 1) == nil)
    }
  }

  @Test("without a version a rule is the newest one, which is the one in the list")
  func newest() {
    for rule in PrescribedRule.all {
      let found = PrescribedRule(
        identifier: rule.identifier, compressionRatio: rule.compressionRatio)
      #expect(found == rule)
      let former = PrescribedRule.former.filter { $0.identifier == rule.identifier }
      #expect(former.allSatisfy { $0.version < rule.version })
    }
    #expect(Set(PrescribedRule.all.map(\.identifier)).count == PrescribedRule.all.count)
  }

  @Test(
    "a card that says CAMEQ 1 keeps the gain it was signed with, one that says CAMEQ 2 has the published one"
  )
  func cameq() throws {
    let first = try #require(PrescribedRule(identifier: "CAMEQ", version: 1))
    let second = try #require(PrescribedRule(identifier: "CAMEQ", version: 2))
    let ear = StandardAudiogram.n3.audiogram
    #expect(
      try first.rule.curves(for: ear, bands: .standard)
        == CambridgeCompressive(reference: .ownBands).curves(for: ear, bands: .standard))
    #expect(
      try second.rule.curves(for: ear, bands: .standard)
        == CambridgeCompressive().curves(for: ear, bands: .standard))
    #expect(first.rule.name != second.rule.name)
  }
}
