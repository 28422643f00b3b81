import Almanac
import Base
import Companion
import Studies

extension Today {
  /// Takes results that the aid has finished while this program was gone. A failure is said, and keeps nobody
  /// from questions: the results stay with the aid.
  func recover(_ part: Part, _ own: OwnParts) {
    let count: Int
    do throws(Failure) { count = try measurer(own).recover(part) } catch {
      Terminal().say(
        "\nResults that the aid has finished were not taken. \(error.message)\n"
          + "The aid keeps them: auricle q today takes them the next time.\n")
      return
    }
    guard count > 0 else { return }
    Terminal().say(
      "\nTaken from the aid, which had finished: \(count) \(count == 1 ? "result" : "results").\n")
  }

  /// Measures what is due and waits for no question, and says which measurements wait.
  ///
  /// - Parameter offered: All that was offered in this sitting.
  /// - Returns: False when the person stops.
  func measureBeforeQuestions(
    _ part: Part, _ own: OwnParts, _ offered: inout OfferedMeasurements
  ) throws(Failure) -> Bool {
    guard try measure(part, own, &offered) else { return false }
    sayWaiting(try present(part, own), own.surroundings.now(), offered)
    return true
  }

  /// Measures what is due. A questionnaire that has opened since the questions is asked before the measurements
  /// that wait for it.
  ///
  /// - Parameter offered: All that was offered in this sitting.
  /// - Returns: False when the person stops.
  func measureBehindQuestions(
    _ part: Part, _ own: OwnParts, _ offered: inout OfferedMeasurements
  ) throws -> Bool {
    while true {
      guard try measure(part, own, &offered) else { return false }
      let now = own.surroundings.now()
      let waiting = try present(part, own).waitingMeasurements(at: now, except: offered)
      guard !waiting.isEmpty else { return true }
      guard try ask(part, own) else { return false }
      let later = own.surroundings.now()
      let answered = try present(part, own)
      guard answered.nextMeasurement(at: later, except: offered) != nil else {
        sayWaiting(answered, later, offered)
        return true
      }
    }
  }

  /// Measures what is due and waits for no question, one after the other; what cannot be measured stays due.
  ///
  /// - Returns: False when the person stops.
  private func measure(
    _ part: Part, _ own: OwnParts, _ offered: inout OfferedMeasurements
  ) throws(Failure) -> Bool {
    let measurer = measurer(own)
    while let (due, present) = try next(in: own, part, except: offered),
      let kind = due.task.measurement?.kind
    {
      Terminal().say("\n\(MeasurementCommand.title(of: kind)) · day \(due.day) of \(part.study.dayCount)\n")
      let line = try Terminal().ask("Measure now? [yes, - not now, q stops, Enter: yes] > ")
      guard let text = line?.filter({ !$0.isWhitespace }), text != "q" else { return false }
      if text == "-" || AnswerText.yes(text) == false {
        offered.decline(due, of: present)
        continue
      }
      guard text.isEmpty || AnswerText.yes(text) == true else {
        Terminal().say("Found \"\(text)\"; expected yes, - or q.\n")
        continue
      }
      offered.take(due, of: present)
      guard try measurer.measure(due, of: present) != .stopped else { return false }
    }
    return true
  }

  /// Says which measurements wait for the questions.
  private func sayWaiting(_ part: Part, _ now: Instant, _ offered: OfferedMeasurements) {
    for due in part.waitingMeasurements(at: now, except: offered) {
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

  /// The next measurement to offer, after the results that the aid has finished by now: what it could not tell
  /// before, or has finished since, is not measured again.
  private func next(
    in own: OwnParts, _ part: Part, except offered: OfferedMeasurements
  ) throws(Failure) -> (Course.Due, Part)? {
    let before = try present(part, own)
    guard before.nextMeasurement(at: own.surroundings.now(), except: offered) != nil else { return nil }
    recover(before, own)
    let after = try present(part, own)
    return after.nextMeasurement(at: own.surroundings.now(), except: offered).map { ($0, after) }
  }
}
