import Acoustics
import CommonTesting
import Control
import Engine
import Fitting
import Testing

@testable import Service

@Suite("Plan from a configuration") struct PlanSettingsTests {
  @Test("every rule of the configuration is the prescribed rule of the same name, and the other way round")
  func names() throws {
    #expect(Configuration.Rule.allCases.map(\.rawValue) == PrescribedRule.all.map(\.identifier))
    for rule in Configuration.Rule.allCases {
      let prescribed = PrescribedRule(rule, compressionRatio: 2.5)
      #expect(prescribed.identifier == rule.rawValue)
      #expect(prescribed.compressionRatio == (rule == .nalRPCompressive ? 2.5 : nil))
    }
  }

  @Test("hearing.rule names the rule of the plan", arguments: Configuration.Rule.allCases)
  func rules(rule: Configuration.Rule) throws {
    let folder = TemporaryFolder()
    let text = "[hearing]\nrule = \"\(rule.rawValue)\"\ncompression-ratio = 1.5\n"
    let settings = try AidSettings(try loaded(text, folder: folder.path))
    #expect(settings.hearing.plan.target == .rule(PrescribedRule(rule, compressionRatio: 1.5)))
    #expect(settings.hearing.plan.adaptation == 1)
  }

  @Test(
    "safety.maximum-output is the limit of a configured rule, up to 120 dB SPL", arguments: [95.0, 120])
  func limit(level: Double) throws {
    let folder = TemporaryFolder()
    let text = "[safety]\nmaximum-output = \(level)\n"
    let settings = try AidSettings(try loaded(text, folder: folder.path))
    #expect(settings.hearing.outputCeiling == SoundPressureLevel(level))
  }
}
