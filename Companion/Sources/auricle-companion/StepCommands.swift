import ArgumentParser
import Base
import Companion
import Questionnaires
import Records
import Studies

/// `auricle q next`.
struct NextQuestion: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Tell the next step: a question, the help page, or why nothing is asked.",
    discussion: """
      The same step that auricle q today would take next, for programs that ask in its place: questions of all \
      studies, and then measurements. Nothing is changed by it, but that a journey into another time zone is noted. \
      Answer with: auricle q answer ITEM --occurrence OCCURRENCE --study STUDY, and the answer on standard input; \
      STUDY is needed where several of your studies have the occurrence
      """)

  @ArgumentParser.Option(help: "The study's name; the default is all in which you take part.")
  var study: String?
  @OptionGroup var common: CommonOptions

  func run() throws {
    // Windows of a zone that is not kept would begin anew with each question.
    let own = try common.open(notingJourneys: true)
    let step = try own.nextStep(of: study)
    let report = StepReport.report(step, in: own.surroundings.language)
    common.show(report, StepWords.words(step, of: study, in: own.surroundings.language))
  }
}

/// `auricle q answer`.
struct GiveAnswer: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer", abstract: "Give one answer, and tell the next step.",
    discussion: """
      Programs leave VALUE out (or write - in its place) and write the answer to standard input, UTF-8 to its end: \
      words of a command line are in the system's list of processes, where others may read them. \
      Options are chosen by their codes, as auricle q next --json gives them; an answer that begins with - stands behind --. An answer that is not taken ends with 65 and changes nothing. \
      Name the occurrence that q next has told: one that has closed meanwhile is refused with 75, and nothing is kept in the next. \
      Where you take part in several studies name the study too: an occurrence that several of them have is refused with 75; \
      --complete that names nothing completes the first questionnaire that is ready. \
      While the help page waits nothing is taken before somebody has seen it: show it, then --help-was-shown.
      """)

  @Argument(help: "The question's item.") var item: String?
  @Argument(
    help: "The answer; yes or no for another repetition of a group. Left out or -: on standard input.")
  var value: String?
  @ArgumentParser.Option(help: "Repetition of the group around it, from 1; of nested ones such as 2.1.")
  var repetition: String?
  @ArgumentParser.Option(
    help:
      "The occurrence, as q next tells it; left out, what is open, unless one that was begun has closed within ten minutes."
  )
  var occurrence: String?
  @ArgumentParser.Option(help: "Milliseconds from the question to the answer.") var took: Int?
  @Flag(help: "Leave the question out.") var leaveOut = false
  @Flag(help: "Complete the questionnaire: its answers are not changed any more.") var complete = false
  @Flag(help: "Say that somebody has seen the help page.") var helpWasShown = false
  @ArgumentParser.Option(help: "The study's name; the default is all in which you take part.")
  var study: String?
  @OptionGroup var common: CommonOptions

  func run() throws {
    let step = try step()
    let own = try common.open(notingJourneys: true)
    let all: [Part]
    do throws(Failure) { all = step == .helpWasShown ? [] : try own.all() } catch {
      throw failure(error, own.help(for: step, after: error))
    }
    let parts: [Part]
    do throws(Failure) { parts = step == .helpWasShown ? [] : try own.running(study, among: all) } catch {
      throw failure(error, own.help(for: step, in: all))
    }
    do throws(StepRefusal) { try own.take(step, in: parts, of: occurrence) } catch {
      // Also of a part that has ended.
      let help = own.help(for: step, in: parts + all)
      switch error {
      case .failed(let failure): throw self.failure(failure, help)
      case .refused(let refusal): try refuse(refusal, help, own)
      }
    }
    let next: NextStep
    do throws(Failure) { next = try own.nextStep(of: study) } catch {
      // Kept, and the database is gone: the page is known without it.
      throw failure(error, own.help(for: step, in: parts + all), taken: true)
    }
    common.show(
      [
        "schema": 100, "taken": true,
        "next": StepReport.report(next, in: own.surroundings.language),
      ],
      StepWords.words(next, of: study, in: own.surroundings.language))
    // The help page is out before anybody else is told; they are told also where its reader is gone.
    var unread: Failure?
    do throws(Failure) { try StandardOutput.finish() } catch { unread = error }
    _ = try AlertDelivery(own).deliver()
    if let unread { throw unread }
  }

  /// The error with which the command ends; before it, on standard output, the help page of an answer that
  /// must not wait.
  private func failure(_ failure: Failure, _ help: ImmediateHelp?, taken: Bool = false) -> any Error {
    guard let help else { return failure }
    common.show(
      ["schema": 101, "taken": .boolean(taken), "help": StepReport.report(help)], help.words + "\n")
    // Out before the error.
    try? StandardOutput.finish()
    return failure
  }

  /// Says on standard output, where a program reads it, what was found and what was expected.
  private func refuse(_ refusal: AnswerRefusal, _ help: ImmediateHelp?, _ own: OwnParts) throws {
    guard common.json else {
      throw failure(
        Failure(refusal.item, found: refusal.found, expected: refusal.expected, exit: .badData), help)
    }
    let next: NextStep
    do throws(Failure) { next = try own.nextStep(of: study) } catch { throw failure(error, help) }
    // The next step says the same page already.
    var page = help.map { StepReport.report($0) }
    if case .help(let last, let part) = next, last.text == help?.text, part.study.contact == help?.contact {
      page = nil
    }
    common.show(
      [
        "schema": 101, "taken": false, "item": .text(refusal.item), "found": .text(refusal.found),
        "expected": .text(refusal.expected), "help": page,
        "next": StepReport.report(next, in: own.surroundings.language),
      ], "")
    throw ExitCode(ExitStatus.badData.rawValue)
  }

  // MARK: - The words

  private func step() throws(Failure) -> PersonStep {
    let flags = [leaveOut, complete, helpWasShown].count { $0 }
    if let item, flags == 0 {
      let (key, took) = (try key(item), try milliseconds())
      if let value, value != "-" { return .answer(key, value, took: took) }
      if let text = try AnswerInput.text() { return .answer(key, text, took: took) }
    }
    if let item, value == nil, leaveOut, flags == 1 { return .leaveOut(try key(item)) }
    if item == nil, flags == 1, !leaveOut, occurrence == nil || complete {
      return complete ? .complete : .helpWasShown
    }
    throw Failure(
      "auricle q answer",
      found: item != nil && flags == 0 ? "no answer, also on standard input" : "these words together",
      expected:
        "ITEM VALUE, ITEM and the answer on standard input, ITEM --leave-out, --complete or --help-was-shown",
      exit: .usage)
  }

  private func milliseconds() throws(Failure) -> Int? {
    guard let took else { return nil }
    // A day: no question stays on a screen for longer.
    guard 0...86_400_000 ~= took else {
      throw Failure("--took", found: "\(took)", expected: "0 to 86400000 ms", exit: .usage)
    }
    return took
  }

  private func key(_ item: String) throws(Failure) -> AnswerKey {
    guard let repetition else { return AnswerKey(item) }
    let numbers = repetition.split(separator: ".", omittingEmptySubsequences: false).map {
      Int($0).flatMap { 1...10_000 ~= $0 ? $0 - 1 : nil }
    }
    guard numbers.allSatisfy({ $0 != nil }) else {
      throw Failure(
        "--repetition", found: "\"\(repetition)\"", expected: "numbers from 1, such as 2 or 2.1",
        exit: .usage)
    }
    return AnswerKey(item, numbers.compactMap(\.self))
  }
}

/// The next step in words.
enum StepWords {
  /// - Parameter study: ``NextQuestion/study``, which the next step names as well.
  static func words(_ step: NextStep, of study: String?, in language: String) -> String {
    switch step {
    case .help(let page, _): return page.text + "\nSeen? auricle q answer --help-was-shown\n"
    case .ask(let place, let work, let texts):
      return reading(texts, work, language) + question(place, work, of: study, language)
    case .complete(let work, let texts):
      return reading(texts, work, language)
        + "Everything is answered or left out. To complete it: auricle q answer --complete"
        + named(work, in: study) + "\n"
    case .measure(let due, _):
      let title = (due.task.measurement?.kind).map { MeasurementCommand.title(of: $0) } ?? due.task.id
      return "\(title): the aid plays and you answer at a terminal. Measure with: auricle q today\n"
    case .nothing(let reason): return words(reason)
    }
  }

  private static func reading(_ texts: [AnswerKey], _ work: OpenWork, _ language: String) -> String {
    texts.compactMap { work.piece.outline.item($0.item)?.text.text(in: language) }.map { $0 + "\n" }
      .joined()
  }

  /// Options by which a step names what it belongs to.
  private static func named(_ work: OpenWork, in study: String?) -> String {
    " --occurrence \(work.due.occurrence.id)"
      + (study != nil || work.isShared ? " --study \(work.part.study.id)" : "")
  }

  private static func question(
    _ place: QuestionPlace, _ work: OpenWork, of study: String?, _ language: String
  ) -> String {
    guard let item = work.piece.outline.item(place.key.item) else { return "" }
    let repetition = place.key.repetition.map { "\($0 + 1)" }.joined(separator: ".")
    let name =
      item.id + (repetition.isEmpty ? "" : " --repetition \(repetition)") + named(work, in: study)
    if case .again = place {
      return "\(item.text.text(in: language)): another one?\n  \(name)  [yes or no]\n"
    }
    let options = item.kind.options.map { "  \($0.code)  \($0.text.text(in: language))\n" }.joined()
    return item.text.text(in: language) + (item.isRequired ? "\n" : "  (may be left out)\n") + options
      + "  \(name)  [\(AnswerText.expectation(of: item, .codes))]\n"
  }

  private static func words(_ reason: NextStep.Reason) -> String {
    switch reason {
    case .noStudy: "You take part in no study. Begin one: auricle study begin FOLDER\n"
    case .notBegun(let date): "Nothing is asked before \(date).\n"
    case .noneOpen(let moment): "Nothing is open now." + (moment.map { " Next at \($0).\n" } ?? "\n")
    case .over: "The days of your studies are over.\n"
    }
  }
}
