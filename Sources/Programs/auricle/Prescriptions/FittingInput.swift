import Acoustics
import ArgumentParser
import Base
import Fitting
import Prescriptions
import Service

/// Options that derive gain from the audiogram.
struct FittingInput: ParsableArguments {
  @Option(
    help: .init(
      "Fitting rule: \(RuleName.all.joined(separator: ", ")). Default: NAL-RP-compressive.",
      valueName: "rule"),
    completion: .list(RuleName.all))
  var rule: String?

  @Option(help: .init("Compression ratio of NAL-RP-compressive, 1 to 3. Default: 2.", valueName: "ratio"))
  var ratio: Double?

  @Option(
    help: .file(
      "Explicit targets instead of a rule, as CSV: ear,frequency,gain50,gain65,gain80,maximum-output."),
    completion: .file())
  var targets: String?

  @Option(help: .init("The tool that the targets come from, NAL-NL2 for instance.", valueName: "name"))
  var source: String?

  @Option(
    name: .customLong("tune"), parsing: .singleValue,
    help: .init(
      "Fine tuning, once for each: right:2000:+3, or both:500:+2/0/-3 for speech at 50/65/80 dB SPL. One alone holds at all "
        + "frequencies, the outermost of several beyond them: right:1000:0, right:2000:+3 and right:4000:0 make a peak.",
      valueName: "ear:Hz:dB"))
  var tunings: [String] = []

  @Option(
    name: .customLong("lowering"), parsing: .singleValue,
    help: .init(
      "Frequency lowering, once for each ear: right:2000:2 compresses sounds above 2000 Hz 2:1.",
      valueName: "ear:Hz:ratio"))
  var lowerings: [String] = []

  @Option(
    name: .customLong("tinnitus-sound"), parsing: .singleValue,
    help: .init(
      "Noise for tinnitus, for each ear: both:broadband:40, or band or notched with pitch and width in octaves, "
        + "left:notched:6000:0.5:45.", valueName: "ear:shape:dB"))
  var tinnitusSounds: [String] = []

  @Option(help: .init("Share of the gain that a new user starts with, 50 to 100 %.", valueName: "percent"))
  var adaptation = 100.0

  @Option(help: .init("Greatest output, 60 to 120 dB SPL.", valueName: "dB")) var ceiling = 111.0

  @Option(
    parsing: .unconditional,
    help: .init(
      "Range in which the patient may set the volume, as -10..5; 0..0 for none. Default: -20..0.",
      valueName: "dB..dB"))
  var volume: RangeText?

  @Option(
    parsing: .unconditional,
    help: .init("Range in which the patient may set the tone, as -3..3.", valueName: "dB..dB"))
  var tone: RangeText?

  func plan() throws(Failure) -> FittingPlan {
    let (target, tuning) = (try target(), try TuningText.tuning(tunings))
    let lowering = try LoweringText.lowering(lowerings)
    let sounds = try TinnitusSoundText.sounds(tinnitusSounds)
    guard (50...100).contains(adaptation) else {
      throw Failure(
        "--adaptation", found: "\(adaptation.shortText) %", expected: "50 to 100 %", exit: .usage)
    }
    // A file's targets were checked when it was read: what is refused here is an option.
    return try Failure.saying("fitting", exit: .usage) {
      try FittingPlan(
        target: target, fineTuning: tuning, adaptation: adaptation / 100,
        outputCeiling: SoundPressureLevel(ceiling), lowering: lowering, tinnitusSound: sounds)
    }
  }

  func adjustment() throws(Failure) -> PatientAdjustment {
    try Failure.saying("patient's adjustment", exit: .usage) {
      let usual = PatientAdjustment.usual
      return try PatientAdjustment(
        volume: volume?.range ?? usual.volume, tone: tone?.range ?? usual.tone)
    }
  }

  private func target() throws(Failure) -> FittingPlan.Target {
    if let targets {
      // A signed card must not differ from what was typed without a word.
      for (option, isGiven) in [("--rule", rule != nil), ("--ratio", ratio != nil)] where isGiven {
        throw Failure(
          option, inWords: "The targets of --targets take the place of a rule",
          remedy: "Give one of the two.",
          exit: .usage)
      }
      guard let source else {
        throw Failure(
          "--targets", inWords: "The tool that they come from is missing",
          remedy: "Give it, as --source NAL-NL2.", exit: .usage)
      }
      let bytes = try FileContent.bytes(of: targets, limit: 1 << 20)
      let tables = try TargetTableText.tables(String(decoding: bytes, as: UTF8.self), named: targets)
      return .tables(tables, source: source)
    }
    guard source == nil else {
      throw Failure(
        "--source", inWords: "It names where the numbers of --targets come from, and there are none",
        remedy: "Give --targets too, or leave it out.", exit: .usage)
    }
    let rule = self.rule ?? "NAL-RP-compressive"
    let known = PrescribedRule.all.first { $0.identifier.lowercased() == rule.lowercased() }
    guard let known else {
      throw RuleName.unknown(
        rule, remedy: Spelling.nearest(to: rule, among: RuleName.all).map { "Did you mean \($0)?" })
    }
    guard let ratio else { return .rule(known) }
    let (name, version) = (known.identifier, known.version)
    guard let chosen = PrescribedRule(identifier: name, version: version, compressionRatio: ratio) else {
      throw Failure(
        "--ratio", found: "\(ratio) for \(name)", expected: "1 to 3, for NAL-RP-compressive only",
        exit: .usage)
    }
    return .rule(chosen)
  }
}

/// Fitting rules as a command line names them.
enum RuleName {
  static let all = PrescribedRule.all.map(\.identifier)

  /// The rule of that name.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` and the list of what there is.
  static func rule(_ name: String) throws(Failure) -> PrescribedRule {
    guard let rule = PrescribedRule.all.first(where: { $0.identifier == name }) else { throw unknown(name) }
    return rule
  }

  /// Refusal of an option that goes with an audiogram.
  static func unwanted(_ option: String) -> Failure {
    Failure(option, inWords: "This needs --audiogram: a prescription has its own rule", exit: .usage)
  }

  static func unknown(_ name: String, remedy: String? = nil) -> Failure {
    Failure(
      "--rule", found: name, expected: "one of \(all.joined(separator: ", "))", remedy: remedy, exit: .usage
    )
  }
}

extension RangeText: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// Both ears' thresholds: from a file, or typed.
struct AudiogramInput: ParsableArguments {
  @Option(
    help: .file(
      "Audiogram of both ears: JSON of this project, CSV, or FHIR; or a standard one, N1 to N7, S1 to S3."),
    completion: .file())
  var audiogram: String?

  @Option(
    help: .init(
      "Left ear, typed: \"250:20 500:25 4000:>60 b1000:15\"; \"\" for an ear that was not tested, which gets no gain.",
      valueName: "points"))
  var left: String?

  @Option(help: .init("Right ear, typed.", valueName: "points")) var right: String?

  func validate() throws {
    guard audiogram == nil ? left != nil && right != nil : left == nil && right == nil else {
      throw ValidationError("Expected either --audiogram, or both --left and --right.")
    }
  }

  /// The thresholds, and the people whom the file names.
  func audiograms() throws(Failure) -> (ears: Binaural<Audiogram>, subjects: Set<FHIRSubject>) {
    if let left, let right {
      let ears = Binaural(
        left: try ThresholdText.audiogram(left, at: "--left"),
        right: try ThresholdText.audiogram(right, at: "--right"))
      return (ears, [])
    }
    let name = audiogram ?? ""
    if let standard = StandardAudiogram(rawValue: name.uppercased()) {
      return (Binaural(both: standard.audiogram), [])
    }
    let (file, subjects) = try AudiogramReading.identified(at: name)
    return (file.ears, subjects)
  }
}
