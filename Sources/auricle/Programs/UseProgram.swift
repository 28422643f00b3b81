import ArgumentParser
import Control
import HearingAid

/// `auricle use`: another listening program.
struct UseProgram: ProgramVerb {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Hear by another program: quiet, conversation-in-noise, music, …",
    discussion: """
      The sound crosses over without a click. The choice is remembered, and with each program its own volume and \
      tone. `auricle programs` shows what each changes. Another prescription is chosen with `auricle rx use`.

      EXAMPLE: auricle use music
      EXAMPLE: auricle use automatic
      """)

  @Argument(
    help: ArgumentHelp(
      "quiet, conversation-in-noise, music, outdoors, television, automatic, or enough of a beginning.",
      valueName: "program"), completion: .list(ProgramChoice.all.map(\.word)))
  var program: String

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  func call() throws(Failure) -> ProgramCall? { .use(try ProgramName.choice(program, in: "program").word) }

  func told(_ report: ProgramReport) -> String { report.name }
}

/// A program as a person writes it.
enum ProgramName {
  /// The choice that is meant.
  ///
  /// - Parameter subject: Where it was written, for messages.
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` and the list of what there is.
  static func choice(_ text: String, in subject: String) throws(Failure) -> ProgramChoice {
    let meant = ProgramChoice.meant(by: text)
    if meant.count == 1 { return meant[0] }
    let words = English.list((meant.isEmpty ? ProgramChoice.all : meant).map(\.word), "or")
    throw Failure(
      subject,
      found: meant.isEmpty
        ? "no program called \(text.isEmpty ? "''" : text)" : "\(text), which begins several programs",
      expected: words, remedy: "What each changes: auricle programs", exit: .usage)
  }
}
