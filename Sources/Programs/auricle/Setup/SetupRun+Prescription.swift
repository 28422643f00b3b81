import Acoustics
import Base
import Control
import Engine
import Glibc
import Service

extension SetupRun {
  // MARK: - Calibration

  /// Takes calibration files where there are any.
  mutating func nameCalibration() throws {
    let calibration = file.configuration.calibration
    guard calibration.microphone.status == .none || calibration.earphone.status == .none,
      calibration.microphone.file == nil, calibration.earphone.file == nil
    else {
      interview.say("Microphone and earphones are calibrated.")
      return try finish(.calibration)
    }
    interview.say(
      "Nobody has measured yet how loud these earphones and this microphone are. Without that the gain is held to 20 dB, "
        + "which is safe and for a moderate loss too little. Who has measured them, an audiologist for instance, gives you a "
        + "file for each.")
    for (end, what) in [(Configuration.End.earphone, "earphones"), (.microphone, "microphone")] {
      guard try takeCalibration(of: end, what) else { break }
    }
    try finish(.calibration)
  }

  /// - Returns: False when there is none.
  private mutating func takeCalibration(of end: Configuration.End, _ what: String) throws -> Bool {
    while true {
      let answer = try interview.ask("File with the calibration of the \(what) (Enter: none):")
      if answer.isEmpty { return false }
      let before = file
      do {
        // A file is instead of a number, which may be what the confirmed loudness left.
        try file.unset("calibration.\(end.rawValue).full-scale-level", subject: "calibration")
        try file.set(
          "calibration.\(end.rawValue).file", to: TOMLParser.literal(path(answer)), from: Self.folder,
          subject: "calibration")
        guard end == .earphone, let level = progress.level else {
          _ = try AidSettings(try file.loaded())
          return true
        }
        if try hold(to: level) != nil { return true }
        interview.say("This calibration is left out, then: what you confirmed would be exceeded.")
        file = before
      } catch let failure as Failure where failure.subject == "setup" { throw failure } catch {
        file = before
        say(error)
      }
    }
  }

  // MARK: - Prescription

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
      "Without a prescription nothing is amplified. It comes on a card, which a clinic gives you, or from an audiogram."
    )
    while true {
      let answer = try interview.ask(
        "Picture or PDF of the card (your clinic's own card first), audiogram file, c for the camera, t to type thresholds "
          + "(Enter: later):"
      )
      do {
        guard try take(answer) else { continue }
        return try finish(.prescription)
      } catch let failure as Failure where failure.subject == "setup" { throw failure } catch { say(error) }
    }
  }

  /// - Returns: False when there is something left to ask.
  private mutating func take(_ answer: String) throws -> Bool {
    let answer = path(answer)
    switch answer.lowercased() {
    case "":
      interview.say("Later, then: auricle rx scan, or auricle config set hearing.audiogram=FILE.")
      return true
    case "c": return try bench.loadCard(nil)
    case "t": return try typeThresholds()
    default:
      if Self.isAudiogram(answer) { return try takeAudiogram(answer) }
      let isPrescription = try bench.loadCard(answer)
      if !isPrescription { interview.say("The clinic is trusted. Now its card for you.") }
      return isPrescription
    }
  }

  /// True for a file that is text and no card.
  private static func isAudiogram(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".json", ".csv"].contains { name.hasSuffix($0) }
  }

  private mutating func takeAudiogram(_ path: String) throws -> Bool {
    let audiogram = try AudiogramReading.file(at: path)
    let summaries = Ear.allCases.reversed().map { AudiogramSummary(ear: $0, audiogram: audiogram.ears[$0]) }
    interview.say(summaries.map(\.text).joined(separator: "\n"))
    guard summaries.contains(where: \.isFittable) else {
      interview.say("No gain can be worked out from it.")
      return false
    }
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
    for ear in [Ear.right, .left] {
      var thresholds: [Double: Double] = [:]
      for frequency in Self.frequencies {
        thresholds[frequency] = try threshold(ear, frequency)
      }
      ears[ear] = try Audiogram(air: thresholds)
    }
    let path = try Self.newFile(beside: file.path)
    try WholeFile.save([UInt8](AudiogramFile(ears: ears).text.utf8), to: path)
    let isTaken = try takeAudiogram(path)
    if !isTaken { unlink(path) }
    return isTaken
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
  private static var folder: String? {
    guard let current = getcwd(nil, 0) else { return nil }
    defer { free(current) }
    return String(cString: current)
  }

  // MARK: - Feedback and start

  mutating func measureFeedback() throws {
    interview.say(
      "Where earphones leak, loud gain whistles. The test plays rising tones, softly first, and holds the gain below that; "
        + "it takes half a minute in a quiet room.")
    while try interview.confirms("Measure now?", usual: true) {
      do {
        try bench.measureFeedback(configuration: file.path)
        return try finish(.feedback)
      } catch { say(error) }
    }
    interview.say("Later, then: auricle fit feedback.")
    try finish(.feedback)
  }

  mutating func start() throws {
    if let reason = bench.reasonAgainstLogin() {
      interview.say("It is not started at login: \(reason)")
    } else if try interview.confirms("Start the aid whenever you log in?", usual: true) {
      do { try bench.startAtLogin() } catch { say(error) }
    }
    interview.say(
      "The aid begins with silence and rises to what the prescription asks for. If it whistles or is too loud: auricle mute."
    )
    guard try interview.confirms("Start it now?", usual: true) else {
      interview.say("Later, then: auricle start. The configuration is \(file.path).")
      return try finish(.start)
    }
    try bench.start(configuration: file.path)
    interview.say(
      "Set up. The configuration is \(file.path). auricle stop ends the sound, auricle volume -5 turns it down, "
        + "auricle status shows everything.")
    try finish(.start)
  }
}
