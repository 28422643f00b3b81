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
      well, 65 for a bad audiogram or calibration, 66 for a missing file, 78 for a bad configuration.
      """)

  @Argument(help: "auricle.toml, or an audiogram in JSON.")
  var file: String?

  @Flag(help: "Say what is wrong in JSON, for programs.")
  var json = false

  var isForPrograms: Bool { json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    if let file, file.hasSuffix(".json") {
      let audiogram = try one { () throws(Failure) in try AudiogramReading.file(at: file) }
      let ears = Ear.allCases.filter { !audiogram.ears[$0].airPoints.isEmpty }.map(\.rawValue)
      let whom =
        ears.isEmpty
        ? "no air-conduction thresholds" : "thresholds of the \(ears.joined(separator: " and ")) ear"
      if !json { print("\(file): a good audiogram file, \(whom)") }
      return .done
    }
    let loaded = try ConfigurationSearch(explicit: file).load().get()
    let settings = try AidSettings(loaded)
    guard !json else { return .done }
    let fitted = settings.hearing.fittedEars.isEmpty ? "not fitted, nothing is amplified" : "fitted"
    print("\(loaded.file ?? "no configuration file, defaults"): good, \(fitted)")
    return .done
  }
}
