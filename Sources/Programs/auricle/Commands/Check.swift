import Acoustics
import ArgumentParser
import Base
import Control
import Engine
import Service

/// `auricle check`: a file examined without using it.
struct Check: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Check a configuration or an audiogram file.",
    discussion: """
      Without FILE: the configuration in effect, with every file it names. Exits with 0 when all is \
      well, 1 for an audiogram from which no gain can be derived, \
      65 for a bad audiogram or calibration, 66 for a missing file, 78 for a bad configuration.
      """)

  @Argument(
    help: "auricle.toml, or an audiogram in JSON, FHIR (.json) or CSV (.csv).", completion: .file())
  var file: String?

  @Flag(help: "FILE is an audiogram, whatever its name; it may be a pipe, as of <(command).")
  var audiogram = false

  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    if let file, audiogram || file.hasSuffix(".json") || file.lowercased().hasSuffix(".csv") {
      return try answer(audiogram: file)
    }
    let loaded = try ConfigurationSearch(explicit: file).load().get()
    let settings = try AidSettings(loaded)
    let hearing = settings.hearing
    if form.json {
      print(try json(CheckedConfiguration(loaded.file, hearing)))
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
    if form.json {
      if isGood {
        print(try json(CheckedAudiogram(file, audiogram.ears, cautions: cautions)))
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

/// A good audiogram file, as `auricle check --json` prints it: what the lines of text say of each ear.
struct CheckedAudiogram: Encodable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private static let schema = 101

  private let schema = Self.schema
  private let file: String
  private let verdict = "good"
  private let ears: [String: Side]
  /// One sentence each.
  private let cautions: [String]

  init(_ file: String, _ audiograms: Binaural<Audiogram>, cautions: [String]) {
    self.file = file
    self.cautions = cautions
    ears = Dictionary(
      uniqueKeysWithValues: Ear.allCases.map { ear in
        (ear.rawValue, Side(AudiogramSummary(ear, audiograms[ear]), audiograms[ear]))
      })
  }

  /// One ear.
  struct Side: Encodable {
    /// True when gain can be derived from it.
    let isFittable: Bool
    /// Air conduction, by frequency; none where the ear was not tested.
    let thresholds: [Threshold]
    /// Of 500, 1000 and 2000 Hz; nil where these are not covered.
    let average: Double?

    init(_ summary: AudiogramSummary, _ audiogram: Audiogram) {
      isFittable = summary.isFittable
      thresholds = audiogram.airPoints.map {
        Threshold(frequency: $0.frequency, level: $0.threshold.decibels, isHeard: $0.hasResponse)
      }
      average = audiogram.pureToneAverage?.decibels
    }

    enum CodingKeys: String, CodingKey {
      case thresholds
      case isFittable = "fittable"
      case average = "average_db_hl"
    }
  }

  /// One threshold, with the keys of `auricle rx show --json`.
  struct Threshold: Encodable {
    let frequency: Double
    let level: Double
    let isHeard: Bool

    enum CodingKeys: String, CodingKey {
      case frequency = "frequency_hz"
      case level = "threshold_db_hl"
      case isHeard = "response"
    }
  }
}

/// Summary of one ear's audiogram, which shows swapped ears and missing frequencies.
struct AudiogramSummary {
  private let ear: Ear
  private let audiogram: Audiogram

  init(_ ear: Ear, _ audiogram: Audiogram) {
    self.ear = ear
    self.audiogram = audiogram
  }

  /// True when the NAL rules can derive gain from it: they need thresholds on both sides of their average.
  var isFittable: Bool { audiogram.covers(500...2000) }

  /// True when the ear was tested at too few frequencies.
  var isIncomplete: Bool { !audiogram.points.isEmpty && !isFittable }

  /// One line, `left: 250, 500, 1000 Hz, …, average of 500, 1000 and 2000 Hz 52 dB HL`.
  var text: String { "\(ear.rawValue): \(words)" }

  private var words: String {
    guard !audiogram.points.isEmpty else { return "not tested, not fitted" }
    let points = audiogram.airPoints
    guard let lowest = points.first?.frequency, let highest = points.last?.frequency else {
      return "no air-conduction thresholds, which fitting needs"
    }
    var text = points.map(\.frequency.shortText).joined(separator: ", ") + " Hz"
    if let average = audiogram.pureToneAverage {
      text += "; average of 500, 1000 and 2000 Hz \(average.decibels.shortText) dB HL"
    }
    guard isIncomplete else { return text }
    let missing = [
      lowest > 500 ? "one at or below 500 Hz" : nil, highest < 2000 ? "one at or above 2000 Hz" : nil,
    ].compactMap(\.self)
    return text + "; missing for fitting by a NAL rule: \(missing.joined(separator: ", "))"
  }
}
