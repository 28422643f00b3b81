import Acoustics
import ArgumentParser
import Control
import Daemon
import HearingAid

/// `auricle check`: whether a file can be used, without using it.
struct Check: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Check a configuration or an audiogram file.",
    discussion: """
      Without FILE: the configuration that would be used, with every file it names. Exits with 0 when all is \
      well, 1 for an audiogram that no gain can be made from, \
      65 for a bad audiogram or calibration, 66 for a missing file, 78 for a bad configuration.
      """)

  @Argument(
    help: "auricle.toml, or an audiogram in JSON, FHIR (.json) or CSV (.csv).", completion: .file())
  var file: String?

  @Flag(help: "Answer in JSON, for programs.")
  var json = false

  var isForPrograms: Bool { json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    if let file, file.hasSuffix(".json") || file.lowercased().hasSuffix(".csv") {
      return try answer(audiogram: file)
    }
    let loaded = try ConfigurationSearch(explicit: file).load().get()
    let settings = try AidSettings(loaded)
    let hearing = settings.hearing
    if json {
      print(try self.json(CheckedConfiguration(loaded.file, hearing)))
      return .done
    }
    let gain = GainText.clause(isFitted: !hearing.fittedEars.isEmpty, cap: hearing.gainCap)
    print("\(loaded.file ?? "no configuration file, defaults"): good, \(gain)")
    for caution in hearing.needlessGains { print("Caution: \(caution.sentence)") }
    return .done
  }

  private func answer(audiogram file: String) throws(ConfigurationFailures) -> ExitStatus {
    let audiogram = try one { () throws(Failure) in try AudiogramReading.file(at: file) }
    let summaries = Ear.allCases.map { AudiogramSummary($0, audiogram.ears[$0]) }
    let isGood = summaries.contains(where: \.isFittable) && !summaries.contains(where: \.isIncomplete)
    // By the rule that an audiogram gets which no prescription comes with.
    let cautions = HearingSettings(audiograms: audiogram.ears).needlessGains.map(\.sentence)
    if json {
      if isGood {
        print(try self.json(CheckedAudiogram(file, audiogram.ears, cautions: cautions)))
        return .done
      }
      let found = summaries.map(\.text).joined(separator: "; ")
      throw ConfigurationFailures(failures: [
        Failure(file, found: found, expected: "thresholds to fit an ear from", exit: .no)
      ])
    }
    let verdict = isGood ? "a good audiogram file" : "an audiogram file that cannot be used for fitting"
    print("\(file): \(verdict)")
    for summary in summaries { print(summary.text) }
    for caution in cautions { print("Caution: \(caution)") }
    return isGood ? .done : .no
  }
}
