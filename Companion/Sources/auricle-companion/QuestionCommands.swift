import Almanac
import ArgumentParser
import Base
import Companion
import Exchange
import Glibc
import Instruments
import Records
import Studies

/// `auricle q`: questions and answers.
struct QuestionCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "q", abstract: "Questionnaires: what is due today, scores, your answers as files.",
    subcommands: [Today.self, Scores.self, Export.self])
}

/// `auricle q today`.
struct Today: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Ask what is due today.",
    discussion: """
      Each answer is kept as you give it: stop when you like, the next time goes on from there. Lines may come from a file.
      """)

  @Flag(help: "Tell what is due, and ask nothing.") var list = false
  @OptionGroup var common: CommonOptions

  func run() throws {
    let own = try common.open()
    let parts = try own.all().filter { $0.enrolment.ended == nil }
    if list || common.json { return show(parts, own) }
    guard !parts.isEmpty else {
      print("You take part in no study. Begin one: auricle study begin FOLDER")
      return
    }
    for part in parts {
      guard try ask(part, own), try measure(part, own) else {
        print("\nStopped. What you have answered is kept; go on with: auricle q today")
        return
      }
    }
    show(try own.all().filter { $0.enrolment.ended == nil }, own)
  }

  /// - Returns: False when the person stops.
  private func ask(_ part: Part, _ own: OwnParts) throws -> Bool {
    let help =
      part.study.helpText.flatMap { part.bundle.text($0, in: own.surroundings.language) }
      ?? HelpText.standard
    let questioner = Questioner(
      own.database, own.surroundings, subject: OwnParts.subject, person: Terminal(),
      watch: SelfHarmWatch(part.study), help: help)
    // An answer may call for more on the day that is running.
    var asked: Set<String> = []
    while let (due, question) = try next(in: own, part, except: asked) {
      asked.insert(due.occurrence.id + " " + question.outline.questionnaire.url)
      let language = own.surroundings.language
      let title = (question.module?.title ?? question.outline.questionnaire.title).text(in: language)
      Terminal().say("\n\(title) · day \(due.day) of \(part.study.dayCount)\n")
      if asked.count == 1 { print("q stops, < goes back, - leaves a question out, ? helps.") }
      var response = try Failure.participating(part.study.id) { () throws(ParticipationError) in
        try Responses(own.database).open(
          own.surroundings.newID(), due.occurrence, of: part.enrolment.id, question.outline, own.session)
      }
      let ending = try questioner.ask(&response)
      try tell(of: response, own)
      guard ending == .completed else { return false }
    }
    return true
  }

  /// Tells the study's contact of answers that must not wait, and the person what became of it.
  private func tell(of response: Response, _ own: OwnParts) throws(Failure) {
    let standing = try AlertDelivery(own).deliver().filter { $0.alert.response == response.id }
    for words in standing.compactMap(AlertText.words(for:)) { Terminal().say("\n" + words + "\n") }
  }

  /// The first open questionnaire that is not complete, for all answers up to now.
  private func next(
    in own: OwnParts, _ part: Part, except asked: Set<String>
  ) throws(Failure) -> (Course.Due, Course.Part)? {
    let now = own.surroundings.now()
    guard let present = try own.all().first(where: { $0.enrolment.id == part.enrolment.id }) else {
      return nil
    }
    for due in present.due(at: now) where due.occurrence.isOpen(at: now) {
      for question in due.parts
      where !question.isDone
        && !asked.contains(due.occurrence.id + " " + question.outline.questionnaire.url)
      {
        return (due, question)
      }
    }
    return nil
  }

  // MARK: - The list

  private func show(_ parts: [Part], _ own: OwnParts) {
    let now = own.surroundings.now()
    let words = parts.map { DayText.text(of: $0, at: now, in: own.surroundings.language) }.joined(
      separator: "\n")
    common.show(
      ["schema": 100, "studies": .array(parts.map { DayText.report(of: $0, at: now) })],
      parts.isEmpty ? "You take part in no study. Begin one: auricle study begin FOLDER\n" : words)
  }
}

/// Words for a person whose study brings no help page of its own.
enum HelpText {
  static let standard = """
    You have said that you have thoughts of being better off dead or of hurting yourself.
    You do not have to be alone with that. Please speak to somebody now: a person close to you, your doctor,
    or the emergency number (112 in Europe, 988 in the United States).
    """
}

/// The person at the keyboard, or lines of a file.
struct Terminal: Asking {
  var isPresent: Bool { isatty(STDIN_FILENO) == 1 }

  func say(_ text: String) { print(Printable.text(text), terminator: "") }

  func ask(_ prompt: String) -> String? {
    say(prompt)
    // A prompt stands there before anybody types.
    try? StandardOutput.finish()
    return readLine()
  }
}

/// `auricle q scores`.
struct Scores: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scores", abstract: "Scores of the instruments that were asked, or why there is none.")

  @Argument(help: "The study's name; it may be left out where there is one.") var study: String?
  @OptionGroup var common: CommonOptions

  func run() throws {
    let own = try common.open()
    let part = try own.chosen(study, among: own.all())
    let scores = part.course.scores(part.given)
    common.show(
      ["schema": 100, "study": .text(part.study.id), "scores": .array(scores.map(ScoreText.report))],
      scores.isEmpty ? "This study has no instruments.\n" : scores.map(ScoreText.text).joined())
  }
}

/// `auricle q export`.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write your answers to files: tables, their dictionary, and as FHIR has them.")

  @Argument(help: "The study's name; it may be left out where there is one.") var study: String?
  @ArgumentParser.Option(
    name: [.customShort("o"), .long], help: "Folder, which is made; files in it are not replaced.")
  var output: String
  @OptionGroup var common: CommonOptions

  func run() throws {
    let own = try common.open()
    let part = try own.chosen(study, among: own.all())
    let dataSet = DataSet(part.content, [part.participant(code: "self")], made: own.surroundings.now())
    let names = try DataSetFiles.write(dataSet, to: output)
    common.show(
      ["schema": 100, "folder": .text(output), "files": .array(names.map { .text($0) })],
      "Wrote \(names.joined(separator: ", ")) to \(output).\n")
  }
}

extension Part {
  /// As a data set has the person.
  func participant(code: String) -> DataSet.Participant {
    DataSet.Participant(
      code: code, course: course, ended: enrolment.ended, ending: enrolment.ending?.rawValue,
      responses: zip(responses, given).map { response, given in
        DataSet.GivenResponse(
          id: response.id, given: given, zone: response.zone, begun: response.begun,
          completed: response.completed)
      }, measurements: measurements)
  }
}
