import Acoustics
import Base
import Control
import Engine
import Glibc
import Service

extension SetupRun {
  /// Takes a card, an audiogram file, or typed thresholds.
  mutating func takePrescription() throws {
    if bench.hasPrescription() {
      interview.say("A prescription of your clinic is in force.")
      return try finish(.prescription)
    }
    if let audiogram = file.configuration.hearing.audiogram {
      interview.say("The configuration has an audiogram: \(audiogram).")
      return try finish(.prescription)
    }
    interview.say(
      "Without a prescription nothing is amplified. It comes on a card, which a clinic gives you with a card of its own: that one "
        + "first, once. Or from an audiogram.")
    while true {
      let answer = try interview.ask(
        "Picture or PDF, audiogram file, c: camera, t: type thresholds (Enter: later):")
      do {
        guard try take(answer) else { continue }
        return try finish(.prescription)
      } catch let failure as Failure where failure.subject == "setup" { throw failure } catch {
        say(error)
      }
    }
  }

  /// - Returns: False when there is something left to ask.
  private mutating func take(_ answer: String) throws -> Bool {
    let answer = path(answer)
    switch answer.lowercased() {
    case "":
      interview.say("Later, then: auricle rx scan, or auricle config set hearing.audiogram=FILE.")
      return true
    case "c": return takeCard(try bench.loadCard(nil))
    case "t": return try typeThresholds()
    default:
      if Self.isAudiogram(answer) { return try takeAudiogram(answer) }
      return takeCard(try bench.loadCard(answer))
    }
  }

  /// - Returns: False while a prescription is still to come.
  private func takeCard(_ card: LoadedCard) -> Bool {
    switch card {
    case .prescription: return true
    case .clinic: interview.say("The clinic is trusted. Now its card for you.")
    case .ofUnknownClinic:
      interview.say(
        "The card is from a clinic that is not known here yet. Give the clinic's own card at this question first, then this card again."
      )
    }
    return false
  }

  /// True for a file that is text and no card.
  private static func isAudiogram(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".json", ".csv"].contains { name.hasSuffix($0) }
  }

  private mutating func takeAudiogram(_ path: String) throws -> Bool {
    guard try isWearers(try AudiogramReading.file(at: path).ears) else { return false }
    return try name(path)
  }

  /// True for an audiogram that the person has seen and found to be theirs.
  private func isWearers(_ ears: Binaural<Audiogram>) throws -> Bool {
    let summaries = Ear.allCases.reversed().map { AudiogramSummary(ear: $0, audiogram: ears[$0]) }
    for summary in summaries {
      interview.say(summary.audiogram.airPoints.isEmpty ? summary.text : summary.thresholds)
    }
    guard summaries.contains(where: \.isFittable) else {
      interview.say(summaries.map(\.text).joined(separator: "\n"))
      interview.say("No gain can be worked out from it.")
      return false
    }
    // By the rule that an audiogram gets which no prescription comes with.
    for finding in HearingSettings(audiograms: ears).findings { interview.say(finding.line(.plain)) }
    return try interview.confirms("Is this your audiogram?")
  }

  /// Names the file in the configuration.
  private mutating func name(_ path: String) throws -> Bool {
    var changed = file
    try changed.set(
      "hearing.audiogram", to: TOMLParser.literal(path), from: Self.folder, subject: "audiogram")
    _ = try AidSettings(try changed.loaded())
    file = changed
    return true
  }

  /// Frequencies that are asked for, Hz: those of a usual audiogram.
  private static let frequencies = [250.0, 500, 1000, 2000, 4000, 8000]

  private mutating func typeThresholds() throws -> Bool {
    interview.say(
      "Type each threshold of your audiogram in dB HL, or Enter where there is none. At least 500, 1000 and 2000 Hz are "
        + "needed for an ear.")
    var ears = Binaural(both: try Audiogram(points: []))
    for ear in [Ear.right, .left] { ears[ear] = try Audiogram(air: try thresholds(ear)) }
    guard try isWearers(ears) else { return false }
    let path = try Self.newFile(beside: file.path)
    try WholeFile.save([UInt8](AudiogramFile(ears: ears).text.utf8), to: path)
    return try name(path)
  }

  /// Frequencies without which no gain can be worked out for an ear, Hz.
  private static let needed = [500.0, 1000, 2000]

  private func thresholds(_ ear: Ear) throws(Failure) -> [Double: Double] {
    var thresholds: [Double: Double] = [:]
    for frequency in Self.frequencies { thresholds[frequency] = try threshold(ear, frequency) }
    while !thresholds.isEmpty, case let missing = Self.needed.filter({ thresholds[$0] == nil }),
      !missing.isEmpty
    {
      interview.say(
        "The \(ear.rawValue) ear needs \(English.list(missing.map(\.shortText), "and")) Hz as well; Enter leaves this ear out."
      )
      guard let frequency = missing.first, let value = try threshold(ear, frequency) else { return [:] }
      thresholds[frequency] = value
    }
    return thresholds
  }

  private func threshold(_ ear: Ear, _ frequency: Double) throws(Failure) -> Double? {
    while true {
      let text = try interview.ask("\(ear.rawValue) ear, \(frequency.shortText) Hz:")
      if text.isEmpty { return nil }
      if let value = Double(text), (try? Audiogram(air: [frequency: value])) != nil { return value }
      interview.say("Found \"\(text)\", expected a number from −10 to 120, such as 45, or Enter.")
    }
  }

  /// A name that no file has, in the folder of the configuration.
  private static func newFile(beside configuration: String) throws(Failure) -> String {
    let folder = FilePath.folder(of: configuration)
    do throws(SystemError) { try Folder.make(folder) } catch { throw .writing(folder, error) }
    let names = ["audiogram.json"] + (2...1000).map { "audiogram-\($0).json" }
    let path = names.map { name -> String in "\(folder)/\(name)" }.first { access($0, F_OK) != 0 }
    guard let path else {
      throw Failure(folder, found: "a thousand audiograms", expected: "fewer", exit: .cannotCreate)
    }
    return path
  }

  /// The folder that typed paths start from.
  static var folder: String? {
    guard let current = getcwd(nil, 0) else { return nil }
    defer { free(current) }
    return String(cString: current)
  }

  // MARK: - Feedback and start

  mutating func measureFeedback() throws {
    interview.say(
      "Where earphones leak, loud gain whistles. The test plays rising tones, softly first, and holds the gain below that; "
        + "it takes half a minute in a quiet room.")
    var isUsual = true
    while try interview.confirms("Measure now?", usual: isUsual) {
      do {
        guard try bench.measureFeedback(configuration: file.path) > FeedbackText.great else {
          return try finish(.feedback)
        }
        interview.say(
          "So much gain is lost that speech may be softer than without an aid. Put the earpieces in firmly, keep the microphones "
            + "away from them, and measure again.")
      } catch {
        say(error)
        isUsual = false
      }
    }
    interview.say("Not measured now; what an earlier test found holds. Later: auricle fit feedback.")
    try finish(.feedback)
  }

  private var isGuess: Bool { !file.configuration.calibration.earphone.isCalibrated }

  /// - Returns: Done where sound flows or is to begin later; otherwise the step stays open.
  mutating func start() throws -> ExitStatus {
    if let reason = bench.reasonAgainstLogin(configuration: file.path) {
      interview.say("It is not started at login: \(reason)")
    } else if try interview.confirms("Start the aid whenever you log in?", usual: true) {
      do { try bench.startAtLogin() } catch { say(error) }
    }
    interview.say(
      "The aid begins with silence and rises to what the prescription asks for. If it whistles or is too loud: auricle mute."
    )
    guard try interview.confirms("Start it now?", usual: true) else {
      interview.say("Later, then: auricle start. The configuration is \(file.path).")
      try finish(.start)
      return .done
    }
    let status = try bench.start(configuration: file.path)
    guard status == .done else {
      interview.say(
        "The aid has started, and no sound flows: auricle status says why, and what to do. This step stays open; to do it again: "
          + "auricle stop --daemon, then auricle setup. The configuration is \(file.path).")
      return status
    }
    interview.say(
      "Set up. Never louder than \(file.configuration.safety.maximumOutput.shortText) dB SPL\(isGuess ? ", a guess without a calibration" : ""). "
        + "auricle stop ends the sound, auricle volume -5 turns it down, auricle status shows everything. Too loud, too soft, other "
        + "earphones, a calibration: auricle stop --daemon, then auricle setup --again. It whistles: auricle fit feedback. The "
        + "configuration is \(file.path).")
    try finish(.start)
    return .done
  }
}
