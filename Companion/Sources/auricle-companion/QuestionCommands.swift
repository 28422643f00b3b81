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
    subcommands: [Today.self, NextQuestion.self, GiveAnswer.self, Scores.self, Export.self])
}

/// `auricle q today`.
struct Today: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Ask what is due today.",
    discussion: """
      Each answer is kept as you give it: stop when you like, the next time goes on from there. \
      Lines may come from a file; from the help page somebody at a terminal goes on. Measurements follow the questions of all studies, or come before them \
      with --measure-first, where their study does not want its questions answered before. \
      What you decline before the questions is not offered behind them; it stays due, and the next q today \
      offers it.
      """)

  @Flag(help: "Tell what is due, and ask nothing.") var list = false
  @Flag(help: "Measure first, and answer the questions then.") var measureFirst = false
  @ArgumentParser.Option(help: "The study's name; the default is all in which you take part.")
  var study: String?
  @OptionGroup var common: CommonOptions

  func run() throws {
    guard !measureFirst || !(list || common.json) else {
      throw Failure(
        "auricle q today", found: "--measure-first with --list or --json", expected: "one of them",
        exit: .usage)
    }
    let own = try common.open(notingJourneys: true)
    if list || common.json {
      // Told, and not taken for seen.
      if let (page, _) = try own.helpPage(), !common.json {
        Terminal().say(page.text + "\n\n")
      }
      return try tellDue(own)
    }
    // A page that waits comes first, and its contact is told below it.
    if try own.helpPage() == nil { try deliver(own) }
    // Also of a questionnaire that has closed since, and of a part that has ended.
    let isSeen = try own.showHelp(to: Terminal()) { () throws(Failure) in try Self.tell(own) }
    guard isSeen else { return }
    let parts = try own.running(study)
    guard !parts.isEmpty else {
      print("You take part in no study. Begin one: auricle study begin FOLDER")
      return
    }
    guard try work(on: parts, own) else {
      print("\nStopped. What you have answered is kept; go on with: auricle q today")
      return
    }
    show(try own.running(study), own, reminding: false)
  }

  /// Tells what is due. Alerts are delivered also where no study has the name.
  private func tellDue(_ own: OwnParts) throws(Failure) {
    let parts: [Part]
    do throws(Failure) { parts = try own.running(study) } catch {
      try deliver(own)
      throw error
    }
    show(parts, own, reminding: true)
    try deliver(own)
  }

  /// Takes what the aid has finished, asks what is due and measures.
  ///
  /// - Returns: False when the person stops.
  private func work(on parts: [Part], _ own: OwnParts) throws -> Bool {
    for part in parts { recover(part, own) }
    var offered = OfferedMeasurements()
    if measureFirst {
      for part in parts {
        guard try measureBeforeQuestions(part, own, &offered) else { return false }
      }
      offered.keepDeclined()
    }
    for part in parts {
      Terminal().say(OfferWords.reminder(part, in: own.surroundings.language))
      guard try ask(part, own) else { return false }
    }
    // Behind the questions of all studies, as OwnParts.nextStep has it.
    for part in parts {
      guard try measureBehindQuestions(part, own, &offered) else { return false }
    }
    return true
  }

  /// - Returns: False when the person stops.
  func ask(_ part: Part, _ own: OwnParts) throws -> Bool {
    // An answer may call for more on the day that is running.
    var asked: Set<String> = []
    while let work = try next(in: own, part, except: asked) {
      asked.insert(work.name)
      let language = own.surroundings.language
      let title = (work.piece.module?.title ?? work.piece.outline.questionnaire.title).text(in: language)
      Terminal().say("\n\(title) · day \(work.due.day) of \(part.study.dayCount)\n")
      if asked.count == 1 { print("q stops, < goes back, - leaves a question out, ? helps.") }
      var response = try own.response(to: work)
      let questioner = Questioner(
        own.database, own.surroundings, subject: OwnParts.subject, person: Terminal(),
        watch: SelfHarmWatch(work.part.study(version: response.studyVersion)),
        help: work.part.helpText(in: language), contact: work.part.study.contact
      ) { () throws(Failure) in try Self.tell(own) }
      guard try questioner.ask(&response) == .completed else { return false }
    }
    return true
  }

  /// Tells whoever could not be told before.
  private func deliver(_ own: OwnParts) throws(Failure) {
    // Words come to the screen first: a mail program may take a while.
    try? StandardOutput.finish()
    _ = try AlertDelivery(own).deliver()
  }

  /// Tells the study's contact of answers that must not wait, while the help page is on the screen, and the person what became of it.
  private static func tell(_ own: OwnParts) throws(Failure) {
    try? StandardOutput.finish()
    let standing = try AlertDelivery(own).deliver().filter { $0.alert.helpSeen == nil }
    for words in standing.compactMap(AlertText.words(for:)) { Terminal().say("\n" + words + "\n") }
  }

  /// The first open questionnaire that is not complete, for all answers up to now.
  private func next(
    in own: OwnParts, _ part: Part, except asked: Set<String>
  ) throws(Failure) -> OpenWork? {
    try own.running().first { $0.enrolment.id == part.enrolment.id }?
      .openWork(at: own.surroundings.now()).first { !asked.contains($0.name) }
  }

  // MARK: - The list

  /// - Parameter reminding: Of editions that were offered; where somebody is asked, that is said before.
  private func show(_ parts: [Part], _ own: OwnParts, reminding: Bool) {
    let now = own.surroundings.now()
    let language = own.surroundings.language
    let words = parts.map { part in
      DayText.text(of: part, at: now, in: language)
        + (reminding ? OfferWords.reminder(part, in: language) : "")
    }.joined(separator: "\n")
    common.show(
      ["schema": 100, "studies": .array(parts.map { DayText.report(of: $0, at: now, in: language) })],
      parts.isEmpty ? "You take part in no study. Begin one: auricle study begin FOLDER\n" : words)
  }
}

/// The person at the keyboard, or lines of a file.
struct Terminal: Asking {
  /// True where standard output is a report for a program: words go to standard error.
  var isReporting = false

  /// Words have to be seen, too.
  var isPresent: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(isReporting ? STDERR_FILENO : STDOUT_FILENO) == 1
  }

  func say(_ text: String) {
    guard isReporting else { return print(Printable.text(text), terminator: "") }
    StandardError.write(Printable.text(text))
  }

  func ask(_ prompt: String) throws(Failure) -> String? {
    while true {
      say(prompt)
      // A prompt stands there before anybody types.
      try? StandardOutput.finish()
      guard let bytes = Self.line() else { return nil }
      if let line = String(validating: bytes, as: UTF8.self) { return line }
      // Lines of a file would go on with another question's answer.
      guard isatty(STDIN_FILENO) == 1 else {
        throw Failure(
          "answer", found: "bytes that are no UTF-8", expected: "a text in UTF-8",
          remedy: "Save the lines as UTF-8, and give the rest of them to the same command.", exit: .badData)
      }
      say("Found bytes that are no UTF-8; expected a text in UTF-8, which the terminal can be set to.\n")
    }
  }

  /// Bytes of the next line without its end; nil at the end of them.
  ///
  /// One by one: those behind the line are left to whoever reads next, such as the aid's command.
  private static func line() -> [UInt8]? {
    var (bytes, byte) = ([UInt8](), UInt8(0))
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes.isEmpty ? nil : bytes }
      guard byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes
  }

  func dropTyped() {
    guard isPresent else { return }
    // Words come to the screen first.
    try? StandardOutput.finish()
    tcflush(STDIN_FILENO, TCIFLUSH)
  }
}

/// `auricle q scores`.
struct Scores: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scores",
    abstract: "Scores of the instruments, one for each time that they were answered, or why there is none.")

  @Argument(help: "The study's name; it may be left out where there is one.") var study: String?
  @OptionGroup var common: CommonOptions

  func run() throws {
    let own = try common.open()
    let part = try own.chosen(study, among: own.all())
    let scores = part.course.scores(part.given)
    common.show(
      ["schema": 101, "study": .text(part.study.id), "scores": .array(scores.map(ScoreText.report))],
      scores.isEmpty ? "This study has no instruments.\n" : ScoreText.text(scores))
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
  @Flag(help: "Also kinds of data that you do not give to the study, for yourself.") var everything = false
  @OptionGroup var common: CommonOptions

  func run() throws {
    let own = try common.open()
    let part = try own.chosen(study, among: own.all())
    let dataSet = DataSet(
      part.content, [part.participant(code: "self")], made: own.surroundings.now(), everything: everything)
    let names = try DataSetFiles.write(dataSet, to: output)
    common.show(
      ["schema": 100, "folder": .text(output), "files": .array(names.map { .text($0) })],
      "Wrote \(names.joined(separator: ", ")) to \(output).\n")
  }
}
