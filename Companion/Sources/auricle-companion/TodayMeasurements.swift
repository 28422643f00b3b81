import Almanac
import Base
import Companion
import Studies

extension Today {
  /// Measures what is due, one after the other; what cannot be measured stays due.
  ///
  /// - Returns: False when the person stops.
  func measure(_ part: Part, _ own: OwnParts) throws(Failure) -> Bool {
    guard part.study.tasks.contains(where: { $0.measurement != nil }) else { return true }
    let program = AuricleProgram.found(ProcessEnvironment.variables)
    let measurer = Measurer(own, program, person: Terminal())
    let count = try measurer.recover(try present(part, own))
    if count > 0 {
      Terminal().say(
        "\nTaken from the aid, which had finished: \(count) \(count == 1 ? "result" : "results").\n")
    }
    var tried: Set<String> = []
    while let (due, present) = try next(in: own, part, except: tried), let kind = due.task.measurement?.kind
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
    return true
  }

  private func present(_ part: Part, _ own: OwnParts) throws(Failure) -> Part {
    try own.all().first { $0.enrolment.id == part.enrolment.id } ?? part
  }

  private func next(
    in own: OwnParts, _ part: Part, except tried: Set<String>
  ) throws(Failure) -> (Course.Due, Part)? {
    let (now, present) = (own.surroundings.now(), try present(part, own))
    let due = present.openMeasurements(at: now).first { !tried.contains($0.occurrence.id) }
    return due.map { ($0, present) }
  }
}
