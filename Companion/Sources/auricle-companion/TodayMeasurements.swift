import Almanac
import Base
import Companion
import Studies

extension Today {
  /// Takes results that the aid has finished while this program was gone, before anything is asked.
  func recover(_ part: Part, _ own: OwnParts) throws(Failure) {
    let count = try measurer(own).recover(part)
    guard count > 0 else { return }
    Terminal().say(
      "\nTaken from the aid, which had finished: \(count) \(count == 1 ? "result" : "results").\n")
  }

  /// Measures what is due, one after the other; what cannot be measured stays due.
  ///
  /// - Parameters:
  ///   - isFirst: True before the questions: measurements that the study wants after them wait, which is
  ///     said.
  ///   - tried: ``Occurrence/id`` of all that was offered in this sitting, and is not offered again.
  /// - Returns: False when the person stops.
  func measure(
    _ part: Part, _ own: OwnParts, isFirst: Bool = false, _ tried: inout Set<String>
  ) throws(Failure) -> Bool {
    let measurer = measurer(own)
    while let (due, present) = try next(in: own, part, isFirst, except: tried),
      let kind = due.task.measurement?.kind
    {
      tried.insert(due.occurrence.id)
      Terminal().say("\n\(MeasurementCommand.title(of: kind)) · day \(due.day) of \(part.study.dayCount)\n")
      let line = Terminal().ask("Measure now? [yes, - not now, q stops, Enter: yes] > ")
      guard let text = line?.filter({ !$0.isWhitespace }), text != "q" else { return false }
      let isLater = text == "-" || AnswerText.yes(text) == false
      guard isLater || text.isEmpty || AnswerText.yes(text) == true else {
        Terminal().say("Found \"\(text)\"; expected yes, - or q.\n")
        tried.remove(due.occurrence.id)
        continue
      }
      if isLater { continue }
      guard try measurer.measure(due, of: present) != .stopped else { return false }
    }
    if isFirst { try sayWaiting(present(part, own), own.surroundings.now()) }
    return true
  }

  /// Says which measurements wait for the questions.
  private func sayWaiting(_ part: Part, _ now: Instant) {
    let allowed = Set(part.measurementsBeforeQuestions(at: now).map(\.occurrence.id))
    for due in part.openMeasurements(at: now) where !allowed.contains(due.occurrence.id) {
      let title = (due.task.measurement?.kind).map { MeasurementCommand.title(of: $0) } ?? due.task.id
      Terminal().say("\n\(title): its study wants the questions answered before it.\n")
    }
  }

  private func measurer(_ own: OwnParts) -> Measurer {
    Measurer(own, AuricleProgram.found(ProcessEnvironment.variables), person: Terminal())
  }

  private func present(_ part: Part, _ own: OwnParts) throws(Failure) -> Part {
    try own.all().first { $0.enrolment.id == part.enrolment.id } ?? part
  }

  private func next(
    in own: OwnParts, _ part: Part, _ isFirst: Bool, except tried: Set<String>
  ) throws(Failure) -> (Course.Due, Part)? {
    let (now, present) = (own.surroundings.now(), try present(part, own))
    let open =
      isFirst ? present.measurementsBeforeQuestions(at: now) : present.openMeasurements(at: now)
    return open.first { !tried.contains($0.occurrence.id) }.map { ($0, present) }
  }
}
