import Foundation
import Instruments
import ProgramsTesting
import Questionnaires
import Testing

@testable import Studies

@Suite("Studies that come with the program") struct ShippedStudyTests {
  static let folder = Programs.path("../../Studies")

  static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }
    .sorted()

  @Test("are there: the fifteen days, mood and worry, and a week of tinnitus")
  func present() {
    #expect(Set(Self.names).isSuperset(of: ["fifteen-days", "mood", "tinnitus-week"]))
  }

  @Test(
    "pass the check without an error, and name an instrument's makers wherever it is asked",
    arguments: names)
  func attribution(name: String) throws {
    let bundle = try StudyBundle(StudyFolder.content(of: "\(Self.folder)/\(name)"))
    let findings = try StudyCheck(StudyCheckTests.use).findings(in: bundle)
    #expect(findings.filter { $0.severity == .error }.map(\.description) == [])
    for entry in bundle.study.instruments {
      let questionnaire = try #require(bundle.questionnaires[entry.questionnaire])
      let makers = try #require(entry.instrument).attribution
      #expect(questionnaire.allItems.map(\.text.text).contains(makers), "\(entry.id)")
    }
  }
}
