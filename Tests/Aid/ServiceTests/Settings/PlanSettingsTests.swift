import Acoustics
import CommonTesting
import Control
import Engine
import Fitting
import Testing

@testable import Service

@Suite("Plan from a configuration") struct PlanSettingsTests {
  @Test("hearing.rule names the rule of the plan", arguments: PrescribedRule.all)
  func rules(rule: PrescribedRule) throws {
    let folder = TemporaryFolder()
    let text = "[hearing]\nrule = \"\(rule.identifier)\"\ncompression-ratio = 1.5\n"
    let settings = try AidSettings(try loaded(text, folder: folder.path))
    #expect(settings.hearing.plan.target == .rule(rule.with(compressionRatio: 1.5)))
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
