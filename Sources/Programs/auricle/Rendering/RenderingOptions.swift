import Acoustics
import ArgumentParser
import Base
import Control
import Engine
import Fitting
import HearingDSP
import Service

/// Hearing loss, rule and program of a rendering.
struct RenderingOptions: ParsableArguments {
  @Option(
    help: """
      Audiogram instead of the prescription in force: a file, or a standard one: N1 to N7, S1 to S3 \
      (Bisgaard 2010).
      """, completion: .file())
  var audiogram: String?

  @Option(
    help: .file(
      "Card instead of the prescription in force: its picture, PDF or text, signed by a trusted clinic."),
    completion: .file())
  var card: String?

  @Option(
    help: """
      Fitting rule for --audiogram: NAL-R, NAL-RP, NAL-RP-compressive, half-gain, POGO-II, Cambridge-linear \
      or CAMEQ. (default: NAL-RP-compressive)
      """, completion: .list(RuleName.all))
  var rule: String?

  @Option(
    parsing: .unconditional, help: "Compression ratio of NAL-RP-compressive, 1 to 3; 2 unless given.")
  var ratio: Double?

  @Option(parsing: .unconditional, help: "Level (Leq) the recording stands for, dB SPL; 65 unless given.")
  var level: Double?

  @Option(
    parsing: .unconditional,
    help: "Level a full-scale sine in the recording stands for, dB SPL, instead of --level.")
  var fullScale: Double?

  @Option(
    parsing: .unconditional,
    help: .init(
      "Attack time by the ANSI S3.22 step, milliseconds; unless given, the configuration's, and "
        + "\((Configuration().hearing.attack * 1000).shortText) with --audiogram.", valueName: "ms"))
  var attack: Double?

  @Option(
    parsing: .unconditional,
    help: .init(
      "Release time by the ANSI S3.22 step, milliseconds; unless given, the configuration's, and "
        + "\((Configuration().hearing.release * 1000).shortText) with --audiogram.", valueName: "ms"))
  var release: Double?

  @Option(
    parsing: .unconditional,
    help: .init(
      "Greatest output, dB SPL, 60 to 120; unless given, the configuration's, and "
        + "\(Configuration().safety.maximumOutput.shortText) with --audiogram.", valueName: "dB"))
  var limit: Double?

  @Option(
    help: .init(
      "Listening program, automatic too, as in auricle programs; without it the prescribed gain and nothing else.",
      valueName: "name"), completion: .list(ProgramChoice.all.map(\.word)))
  var program: String?

  @Option(parsing: .unconditional, help: "Frames per block, 16 to 1024.") var block = 64

  /// The rendering that these options describe.
  ///
  /// - Parameter socket: Socket of the daemon, which is asked for the prescription in force.
  /// - Throws: ``Failure``, or ``ConfigurationFailures`` where the configuration counts.
  func rendering(
    of inputs: [String], into output: String, asking socket: SocketOption
  ) throws -> (rendering: FileRendering, name: String) {
    var (settings, name) = try hearing(asking: socket)
    if let attack { settings.dynamics.attack = attack / 1000 }
    if let release { settings.dynamics.release = release / 1000 }
    if let limit {
      guard (60...120).contains(limit) else {
        throw Failure("--limit", found: limit.shortText, expected: "60 to 120 dB SPL", exit: .usage)
      }
      settings.maximumOutput = SoundPressureLevel(limit)
    }
    guard level == nil || fullScale == nil else {
      throw Failure(
        "command line",
        inWords: "--level and --full-scale both state how loud the recording is; give one of them",
        exit: .usage)
    }
    let level = level ?? 65
    guard (0...140).contains(level) else {
      throw Failure("--level", found: level.shortText, expected: "0 to 140 dB SPL", exit: .usage)
    }
    let scale = fullScale.map { FileRendering.InputLevel.fullScale(SoundPressureLevel($0)) }
    var rendering = FileRendering(
      inputs: inputs, output: output, hearing: settings,
      level: scale ?? .equivalent(SoundPressureLevel(level)), blockFrames: block)
    if let program { rendering.program = try ProgramName.choice(program, in: "--program") }
    return (rendering, name)
  }

  /// Hearing loss and plan, and their name as printed; with times, bands and greatest output of the configuration, or the defaults
  /// for an audiogram: its fitting by itself is to sound the same on every machine.
  private func hearing(asking socket: SocketOption) throws -> (HearingSettings, String) {
    guard audiogram == nil || card == nil else {
      throw Failure(
        "command line", inWords: "--audiogram and --card both state a hearing loss; give one of them",
        exit: .usage)
    }
    if let audiogram {
      let named = try NamedAudiogram(audiogram)
      var settings = HearingSettings(audiograms: named.ears)
      try settings.followConfiguration(.defaults)
      settings.plan = try plan()
      return (settings, named.name)
    }
    if rule != nil || ratio != nil { throw RuleName.unwanted(rule == nil ? "--ratio" : "--rule") }
    var settings = HearingSettings()
    try settings.followConfiguration(ConfigurationSearch(explicit: nil).load().get())
    let name: String
    if let card {
      name = try settings.follow(card: card, trusting: BookAccess.trustedClinics(socket))
    } else {
      name = try settings.followPrescription(by: socket).name
    }
    guard settings.audiograms != nil else {
      throw Failure(
        "prescription book", inWords: "No prescription is in force",
        remedy: "Scan a card with auricle rx scan, or give --audiogram or --card.", exit: .noInput)
    }
    return (settings, name)
  }

  private func plan() throws(Failure) -> FittingPlan {
    let named = try RuleName.rule(rule ?? Configuration().hearing.rule.identifier)
    guard ratio == nil || named.compressionRatio != nil else {
      throw Failure(
        "--ratio", found: "the rule \(named.identifier)",
        expected: "NAL-RP-compressive: no other has a ratio to choose", exit: .usage)
    }
    let ratio = ratio ?? Configuration().hearing.compressionRatio
    do { return try HearingSettings.plan(by: named.with(compressionRatio: ratio)) } catch {
      throw Failure("--ratio", found: ratio.shortText, expected: "1 to 3", exit: .usage)
    }
  }
}

/// An audiogram as it is named on a command line: a standard one's name, or a file.
struct NamedAudiogram {
  let name: String
  let ears: Binaural<Audiogram>

  /// - Throws: ``Failure`` naming what is neither.
  init(_ text: String) throws(Failure) {
    if let standard = StandardAudiogram(rawValue: text.uppercased()) {
      name = "Bisgaard \(standard.rawValue)"
      ears = Binaural(both: standard.audiogram)
      return
    }
    do {
      let file = try AudiogramReading.file(at: text)
      // Tables and most other formats have no name of the audiogram.
      (name, ears) = (file.name.isEmpty ? text : file.name, file.ears)
    } catch {
      guard error.exitStatus == .noInput else { throw error }
      throw Failure(
        "--audiogram",
        found: "\(text.isEmpty ? "''" : text), which is neither a file nor one of N1…N7, S1…S3",
        exit: .noInput)
    }
  }
}
