import Almanac
import Base
import Records
import Studies

/// Measures what a study asks for by the aid's own command, and keeps what its record says.
///
/// A run is kept before the command starts, so that a program that is killed meanwhile finds the aid's record again: a finished one is
/// taken, one that was left goes on, also after an attempt in between that failed.
public struct Measurer {
  let own: OwnParts
  let program: (any MeasuringProgram)?
  let person: any Asking

  /// - Parameter program: Nil where the aid has none here.
  public init(_ own: OwnParts, _ program: (any MeasuringProgram)?, person: any Asking) {
    (self.own, self.program, self.person) = (own, program, person)
  }

  public enum Ending: Sendable, Hashable {
    case measured
    /// It stays due; the person was told why and what to do.
    case due
    /// The person stopped; what the aid has of it is kept there.
    case stopped
  }

  /// Measures an occurrence that is open.
  ///
  /// - Throws: ``Failure`` of the database; nothing is kept half.
  public func measure(_ due: Course.Due, of part: Part) throws(Failure) -> Ending {
    guard let (kind, settings) = due.task.measurement else { return .due }
    if let obstacle = MeasurementCommand.obstacle(to: kind, settings) {
      return stays(due, part, obstacle, "Tell whoever made the study.")
    }
    guard let program else {
      return stays(
        due, part, "the aid's program, auricle, is not here",
        "Install Auricle on this computer, or measure where it is.")
    }
    if let left = try left(due, of: part, program) {
      guard let goesOn = try asksToGoOn() else { return .stopped }
      if goesOn {
        let words = (MeasurementCommand.verb(of: kind) ?? []) + ["--resume", left.record, "--json"]
        return try take(words, left.run, due, part, program, isResumed: true)
      }
    }
    guard let side = try side(for: kind, of: part) else { return .stopped }
    let run = try participating { () throws(ParticipationError) in
      try TaskRuns(own.database).begin(
        own.surroundings.newID(), due.occurrence, of: part.enrolment.id, kind, settings, own.session)
    }
    return try take(
      MeasurementCommand.arguments(kind, settings, side.known), run, due, part, program)
  }

  /// Asks whether a measurement that was left goes on; a word that says neither must not begin it anew.
  ///
  /// - Returns: Nil: the person stopped.
  private func asksToGoOn() throws(Failure) -> Bool? {
    let prompt = "You left it before its end. Go on with it? [yes or no, Enter: yes] > "
    while let line = try person.ask(prompt) {
      let text = line.trimmingSpaces
      if text == "q" { return nil }
      if text.isEmpty { return true }
      if let answer = AnswerText.yes(text) { return answer }
      person.say("Found \"\(text)\"; expected yes or no.\n")
    }
    return nil
  }

  private func participating<Outcome>(
    _ body: () throws(ParticipationError) -> Outcome
  ) throws(Failure) -> Outcome {
    try Failure.participating("not saved", body)
  }

  // MARK: - The command

  /// - Parameter isResumed: True for a run that was left: where it does not go on, it stays open for another
  ///   attempt.
  private func take(
    _ arguments: [String], _ run: GivenMeasurement, _ due: Course.Due, _ part: Part,
    _ program: any MeasuringProgram, isResumed: Bool = false
  ) throws(Failure) -> Ending {
    func failed(_ reason: String, kept: String) throws(Failure) -> Ending {
      guard !isResumed else {
        return stays(due, part, Self.line(reason), "What you have answered before is kept by the aid.")
      }
      return try absent(run, reason, kept: kept, due, part)
    }
    let end: ProgramEnd
    do throws(Failure) { end = try program.run(arguments) } catch {
      return try failed(error.message, kept: AbsenceReason.notStarted)
    }
    guard end.status == 0 else {
      // Answers so far are kept at the aid, as it says: the run stays open for them.
      let isLeft = [nil, 130, 143].contains(end.status) || end.reason.contains("--resume ")
      guard isLeft else { return try failed(end.reason, kept: end.kind) }
      person.say("\nStopped before its end: \(end.reason)\nWhat you have answered is kept by the aid.\n")
      return .stopped
    }
    guard let (json, text) = end.report, let report = MeasurementReport(json, text, of: run.kind) else {
      return try failed(AbsenceReason.unreadable, kept: AbsenceReason.unreadable)
    }
    _ = try keep(report, for: run, program)
    person.say("Measured, and kept: \(Self.words(report))\n")
    return .measured
  }

  private func keep(
    _ report: MeasurementReport, for run: GivenMeasurement, _ program: any MeasuringProgram
  ) throws(Failure) -> GivenMeasurement {
    let record = MeasurementRecord(
      id: report.record, device: report.device, calibration: report.calibration,
      program: Self.version(program), report: report.text)
    return try participating { () throws(ParticipationError) in
      try TaskRuns(own.database).end(run, .measured(report.values, record), own.session)
    }
  }

  /// - Parameters:
  ///   - reason: Told to the person alone.
  ///   - kept: Its kind, which leaves with a data set (``AbsenceReason``).
  private func absent(
    _ run: GivenMeasurement, _ reason: String, kept: String, _ due: Course.Due, _ part: Part
  ) throws(Failure) -> Ending {
    _ = try participating { () throws(ParticipationError) in
      try TaskRuns(own.database).end(run, .absent(kept), own.session)
    }
    return stays(due, part, Self.line(reason), nil)
  }

  /// A reason on one line.
  private static func line(_ reason: String) -> String {
    reason.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Says why it stays due.
  private func stays(_ due: Course.Due, _ part: Part, _ reason: String, _ remedy: String?) -> Ending {
    let zone = part.course.zones.zone(at: own.surroundings.now())
    let closes = zone.local(at: due.occurrence.closes)
    person.say(
      "Not measured: \(reason)\(reason.hasSuffix(".") ? "" : ".")\(remedy.map { " " + $0 } ?? "")\n"
        + "It stays due until \(closes.time) on \(closes.date): auricle q today begins it again.\n")
    return .due
  }

  /// First line of what the program says of itself.
  static func version(_ program: any MeasuringProgram) -> String {
    guard let end = try? program.run(["version"]), end.status == 0,
      let line = end.output.split(separator: UInt8(ascii: "\n")).first
    else { return "unknown" }
    return String(decoding: line, as: UTF8.self)
  }

  private static func words(_ report: MeasurementReport) -> String {
    let shown = report.values.filter { ["level", "sensation_level", "frequency"].contains($0.name) }
      .map { "\(NumberText.fixed($0.value, $0.unit == "Hz" ? 0 : 1)) \($0.unit)" }.joined(separator: ", ")
    return (shown.isEmpty ? thresholds(report) : shown) + "; calibration \(report.calibration)"
  }

  private static func thresholds(_ report: MeasurementReport) -> String {
    func count(_ ending: String) -> Int { report.values.count { $0.name.hasSuffix(ending) } }
    let doubtful = count("_insufficiently_masked")
    return "\(count("_hz")) thresholds"
      + (doubtful == 0
        ? "" : ", of which \(doubtful) may be the other ear's: no noise that may be played masks it")
  }
}
