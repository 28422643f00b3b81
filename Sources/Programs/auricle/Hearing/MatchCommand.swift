import Acoustics
import ArgumentParser
import Base
import Control
import Glibc
import Paper
import Procedures
import Service

/// `auricle match`: loudness and pitch of a tinnitus, and how it is masked.
struct Match: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Match your tinnitus by tones: loudness, pitch, masking, residual inhibition.",
    discussion: """
      A match rests on your threshold at the same frequency, by the same earphone: auricle hearing-test comes first. Nothing is louder than \
      85 dB SPL, than 60 dB above your threshold, and than the aid's own limit. The aid is silent meanwhile.
      """,
    subcommands: [
      Loudness.self, Pitch.self, Bandwidth.self, Masking.self, Inhibition.self, MatchHistoryCommand.self,
      MatchExport.self,
      Replay.self,
    ])

  struct Loudness: MatchVerb {
    static let configuration = CommandConfiguration(
      abstract: "Make a tone as loud as your tinnitus, in several trials.",
      discussion: "EXAMPLE: auricle match loudness --tinnitus left")

    @Option(help: .init("Frequency of the tone, Hz.", valueName: "hz")) var frequency = 1000.0
    @Option(help: .init("Trials, 1 to 20.", valueName: "count")) var trials = 3
    @Flag(help: "Say of each tone whether it is softer or louder, instead of turning it.") var bracketing =
      false
    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.loudness
    static let title = "Loudness of your tinnitus"

    var procedureName: ProcedureOrder.Name { bracketing ? .bracketing : Self.name }

    func order() throws(Failure) -> ProcedureOrder {
      var order = try match.order(procedureName)
      (order.frequency, order.trials) = (frequency, trials)
      return order
    }
  }

  struct Pitch: MatchVerb {
    static let configuration = CommandConfiguration(
      abstract: "Find the tone that is most like your tinnitus, by comparisons.",
      discussion: "EXAMPLE: auricle match pitch --tinnitus left")

    @Flag(help: "Rate tones by their likeness, 0 to 100, instead of comparing two: slower, and steadier.")
    var likeness = false
    @Option(help: .file("Draw the profile of --likeness: .png, .svg or .pdf."), completion: .file())
    var picture: String?

    func draw(_ beginning: ProcedureBeginning, _ result: ProcedureResult?) throws(Failure) {
      guard let picture, let likeness = result?.likeness else { return }
      try Failure.saying(picture, exit: .cannotCreate) {
        try LikenessPage(likeness, began: beginning.at, doubts: likeness.doubts.map(MatchReport.words))
          .picture()
          .write(to: picture)
      }
    }

    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.pitch
    static let title = "Pitch of your tinnitus"

    var procedureName: ProcedureOrder.Name { likeness ? .likeness : Self.name }

    func order() throws(Failure) -> ProcedureOrder { try match.order(procedureName) }
  }

  struct Bandwidth: MatchVerb {
    static let configuration = CommandConfiguration(
      abstract: "Find out whether your tinnitus is like a tone, narrow noise or broad noise.",
      discussion: "EXAMPLE: auricle match bandwidth --tinnitus left --frequency 4000")

    @Option(help: .init("Pitch of your tinnitus, Hz.", valueName: "hz")) var frequency = 1000.0
    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.bandwidth
    static let title = "Bandwidth of your tinnitus"

    func order() throws(Failure) -> ProcedureOrder {
      var order = try match.order(Self.name)
      order.frequency = frequency
      return order
    }
  }

  struct Masking: MatchVerb {
    static let configuration = CommandConfiguration(
      abstract: "Find the softest noise beside which your tinnitus is not heard.",
      discussion: "EXAMPLE: auricle match masking --tinnitus left --signal narrow-noise --frequency 4000")

    @Option(help: .init("Middle of narrow noise, Hz.", valueName: "hz")) var frequency = 1000.0
    @Option(help: .init("broad-noise, narrow-noise or tone.", valueName: "name"))
    var signal = Stimulus.Signal.broadNoise
    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.masking
    static let title = "Masking your tinnitus"

    func order() throws(Failure) -> ProcedureOrder {
      var order = try match.order(Self.name)
      (order.frequency, order.signal) = (frequency, signal)
      return order
    }
  }

  struct Inhibition: MatchVerb {
    static let configuration = CommandConfiguration(
      abstract: "Hear a minute of noise, and tell how your tinnitus comes back.",
      discussion: "EXAMPLE: auricle match inhibition --tinnitus left")

    @Option(help: .init("Middle of narrow noise, Hz.", valueName: "hz")) var frequency = 1000.0
    @Option(
      help: .init(
        "broad-noise, narrow-noise or tone, as in the search for its masking level.", valueName: "name"))
    var signal = Stimulus.Signal.broadNoise
    @OptionGroup var match: MatchOptions
    @OptionGroup var options: ClientOptions

    static let name = ProcedureOrder.Name.inhibition
    static let title = "Residual inhibition"

    func order() throws(Failure) -> ProcedureOrder {
      var order = try match.order(Self.name)
      (order.frequency, order.signal) = (frequency, signal)
      return order
    }
  }
}

/// Options of every match.
struct MatchOptions: ParsableArguments {
  @Option(
    name: .customLong("tinnitus"),
    help: .init("Side on which you hear it: left, right, both or head.", valueName: "side"))
  var side: ProcedureOrder.TinnitusSide?

  @Option(
    help: .init("Ear that hears the tones, instead of the one opposite the tinnitus.", valueName: "ear"))
  var ear: Ear?

  @Option(
    help: .init(
      "Your threshold, dB HL, of another audiogram, instead of the last hearing test's.", valueName: "level"
    ))
  var threshold: Double?

  @OptionGroup var room: RoomOption

  @Option(help: .init("Go on with one that was left; last: the newest.", valueName: "record"))
  var resume: String?

  /// - Throws: ``Failure`` where it is not said on which side the tinnitus is, and there is nobody to ask.
  func order(_ name: ProcedureOrder.Name) throws(Failure) -> ProcedureOrder {
    var order = ProcedureOrder(name)
    let side = if let side { side } else { try Self.askSide() }
    order.tinnitusSide = side
    switch (ear, side) {
    case (let ear?, _): order.ear = ear
    case (nil, .left): order.ear = .right
    case (nil, .right): order.ear = .left
    case (nil, .both), (nil, .head):
      throw Failure(
        "--ear", inWords: "With a tinnitus on both sides the ear that hears the tones must be said",
        remedy: "The one that hears better: --ear left or --ear right", exit: .usage)
    }
    (order.threshold, order.room) = (threshold, room.rule)
    return order
  }

  private static func askSide() throws(Failure) -> ProcedureOrder.TinnitusSide {
    let words = ProcedureOrder.TinnitusSide.allCases.map(\.rawValue)
    let line = TerminalLine(of: "--tinnitus", remedy: "Say it: --tinnitus left, right, both or head")
    while true {
      let answer = try line.ask(
        "On which side do you hear your tinnitus (\(English.list(words, "or")))? ", isShown: true)
      if let side = ProcedureOrder.TinnitusSide(rawValue: answer.lowercased().filter { $0 != " " }) {
        return side
      }
    }
  }
}

extension ProcedureOrder.TinnitusSide: ExpressibleByArgument {}

extension ProcedureMethods.Start {
  /// - Throws: ``Failure`` (``ExitStatus/usage``) of numbers that the daemon would refuse.
  init(checked order: ProcedureOrder) throws(Failure) {
    do throws(ControlFailure) { try order.check() } catch {
      let words = error.message.hasPrefix("order: ") ? String(error.message.dropFirst(7)) : error.message
      throw Failure(
        order.name.rawValue, inWords: words.prefix(1).uppercased() + words.dropFirst(), exit: .usage)
    }
    self.init(order)
  }
}

/// Files that are written once a procedure has ended: they are tried before it begins.
enum OutputPlace {
  /// - Throws: ``Failure`` of a folder that is missing or cannot be written.
  static func check(_ path: String?) throws(Failure) {
    guard let path else { return }
    let folder = FilePath.folder(of: path)
    guard access(folder, W_OK | X_OK) == 0 else {
      throw Failure.writing(path, SystemError(call: "access", code: errno))
    }
  }

  /// The same of a picture, whose name tells its format.
  static func check(picture path: String?) throws(Failure) {
    guard let path else { return }
    guard PictureFormat(path: path) != nil else {
      throw Failure(path, found: "no format of a picture", expected: ".png, .svg or .pdf", exit: .usage)
    }
    try check(path)
  }
}

/// A match as a command.
protocol MatchVerb: Verb {
  static var name: ProcedureOrder.Name { get }
  static var title: String { get }
  var match: MatchOptions { get }
  var options: ClientOptions { get }
  func order() throws(Failure) -> ProcedureOrder
  /// Name of the procedure with the options given.
  var procedureName: ProcedureOrder.Name { get }
  /// Draws the result, where that was asked for.
  func draw(_ beginning: ProcedureBeginning, _ result: ProcedureResult?) throws(Failure)
}

extension MatchVerb {
  func draw(_ beginning: ProcedureBeginning, _ result: ProcedureResult?) {}

  var procedureName: ProcedureOrder.Name { Self.name }

  func answer() throws -> ExitStatus {
    let client = try options.socket.client()
    let start: ProcedureMethods.Start
    if let left = match.resume {
      start = ProcedureMethods.Start(resuming: try LeftRecord.named(left, procedureName, client))
    } else {
      start = try ProcedureMethods.Start(checked: try order())
    }
    var dialogue = ProcedureDialogue(client, title: Self.title)
    let notice = try dialogue.carryOut(start)
    let beginning = try client.ask(ProcedureMethods.Show(notice.record)).beginning
    try draw(beginning, notice.result)
    let report = MatchReport(beginning, notice.result)
    return try show(report, report.text)
  }
}

/// A match's result as a command tells it.
struct MatchReport: Encodable {
  private let schema = 100
  let record: String
  let calibration: DeviceCalibration
  let tinnitusSide: ProcedureOrder.TinnitusSide?
  let thresholdFrom: String?
  let result: ProcedureResult?

  init(_ beginning: ProcedureBeginning, _ result: ProcedureResult?) {
    (record, calibration) = (beginning.identifier, beginning.calibration.device)
    (tinnitusSide, thresholdFrom) = (beginning.order.tinnitusSide, beginning.thresholdFrom)
    self.result = result
  }

  var text: String {
    var lines: [String] = []
    if let loudness = result?.loudness { lines += Self.words(loudness) }
    if let pitch = result?.pitch { lines += Self.words(pitch) }
    if let likeness = result?.likeness { lines += Self.words(likeness) }
    if let bandwidth = result?.bandwidth { lines += Self.words(bandwidth) }
    if let masking = result?.masking { lines += Self.words(masking) }
    if let inhibition = result?.inhibition { lines += Self.words(inhibition) }
    lines.append(
      "Levels: \(calibration.device), calibration \(calibration.status.rawValue)."
        + (thresholdFrom.map { " Threshold from \($0)." } ?? ""))
    lines.append("Record: \(record)")
    return lines.map { $0 + "\n" }.joined()
  }

  private static func words(_ loudness: LoudnessSummary) -> [String] {
    var lines = [
      "Loudness at \(loudness.frequency.shortText) Hz, \(loudness.ear.rawValue) ear: "
        + "\(loudness.level.decibels.shortText) dB HL, \(loudness.sensationLevel.decibels.shortText) dB above your threshold of "
        + "\(loudness.threshold.decibels.shortText) dB HL.",
      "Trials: " + loudness.trials.map(\.shortText).joined(separator: ", ") + " dB HL"
        + (loudness.deviation.map { ", standard deviation \(NumberText.fixed($0, 1)) dB." } ?? "."),
    ]
    if loudness.isScattered { lines.append("The trials lie more than 10 dB apart: match once more.") }
    if loudness.isAtLimit {
      lines.append("A trial lies at the end of what may be played: the true match may lie beyond.")
    }
    return lines
  }

  private static func words(_ pitch: PitchMatchResult) -> [String] {
    ["Pitch: \(pitch.frequency.rounded().shortText) Hz."]
      + (pitch.isOctaveConfused
        ? ["An octave above or below was chosen as well: the pitch may be an octave off."] : [])
  }

  static func words(_ doubt: LikenessProfile.Doubt) -> String {
    switch doubt {
    case .flat: "The profile is flat: there may be no pitch."
    case .unreliable: "Ratings of one tone differ as much as those of different tones."
    case .atEdge: "The peak lies at the end of the tones: the pitch may lie beyond."
    }
  }

  private static func words(_ likeness: LikenessSummary) -> [String] {
    let pitch = likeness.pitch.map { "Pitch: \($0.rounded().shortText) Hz." } ?? "No frequency stands out."
    let doubts = likeness.doubts.map(Self.words)
    var table = TextTable([.trailing, .trailing, .leading])
    table.append(["Hz", "likeness", "ratings"])
    for tone in likeness.profile.tones {
      table.append([
        tone.frequency.rounded().shortText, NumberText.fixed(tone.ratings.mean, 0),
        tone.ratings.ratings.map(\.shortText).joined(separator: " "),
      ])
    }
    return [pitch] + doubts + [table.text]
  }

  private static func words(_ bandwidth: BandwidthSummary) -> [String] {
    let names = [
      BandwidthMatch.Sound.tone: "a tone", .narrowNoise: "narrow noise", .broadNoise: "broad noise",
    ]
    let head =
      bandwidth.sound.flatMap { names[$0] }.map { "Your tinnitus is most like \($0)." }
      ?? "Two sounds are as much like your tinnitus."
    return [head]
      + BandwidthMatch.Sound.allCases.map {
        "  \(names[$0] ?? ""): \(NumberText.fixed(bandwidth.ratings[$0].mean, 0)) of 100"
      }
  }

  private static func words(_ masking: MaskingSummary) -> [String] {
    guard let level = masking.level, let sensation = masking.sensationLevel else {
      return ["No noise that may be played masks the tinnitus in the \(masking.ear.rawValue) ear."]
    }
    return [
      "Minimum masking level, \(masking.ear.rawValue) ear: \(level.decibels.shortText) dB HL, "
        + "\(sensation.decibels.shortText) dB above the noise's threshold."
    ]
  }

  private static func words(_ inhibition: InhibitionSummary) -> [String] {
    var lines = ["Residual inhibition: \(inhibition.kind.rawValue)."]
    lines += inhibition.ratings.map {
      "  \($0.time.rounded().shortText) s after the noise: \($0.loudness.shortText) per cent"
    }
    if let recovery = inhibition.recovery {
      lines.append("As usual again after \(recovery.rounded().shortText) s.")
    }
    if inhibition.isHeldBack {
      lines.append("The noise was softer than 10 dB above the masking level, for safety.")
    }
    return lines
  }
}
