import ArgumentParser
import Base
import Control
import Engine
import Service

/// `auricle use`: another listening program.
struct UseProgram: ProgramVerb {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Change to another program: quiet, conversation-in-noise, music, …",
    discussion: """
      The sound changes without a click. The choice is remembered, and with each program its own volume and \
      tone. `auricle programs` shows what each changes. Another prescription is chosen with `auricle rx use`.

      EXAMPLE: auricle use music
      EXAMPLE: auricle use automatic
      """)

  @Argument(
    help: ArgumentHelp(
      "quiet, conversation-in-noise, music, outdoors, television, automatic, or the beginning of one.",
      valueName: "program"), completion: .list(ProgramChoice.all.map(\.word)))
  var program: String

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  func call() throws(Failure) -> ProgramMethods.Use? {
    ProgramMethods.Use(try ProgramName.choice(program, in: "program").word)
  }

  func told(_ report: ProgramReport) -> String { report.name }
}

/// A program as a person writes it.
enum ProgramName {
  /// The choice that is meant.
  ///
  /// - Parameter subject: Option or argument, for messages.
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

/// A command that changes program, volume or tone.
protocol ProgramVerb: Verb {
  associatedtype Method: ControlMethod where Method.Reply == ProgramAnswer

  var socket: SocketOption { get }
  var form: AnswerOptions { get }

  /// Request to the daemon; nil when there is none and ``told(_:)`` is the answer.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` for what is not understood.
  func call() throws(Failure) -> Method?

  /// Answer when no change is requested.
  func told(_ report: ProgramReport) -> String
}

extension ProgramVerb {
  func answer() throws -> ExitStatus {
    // A name that is not understood is refused with and without a daemon.
    let call = try call()
    let client = try socket.client()
    var answer = if let call { try client.ask(call) } else { try present(client) }
    if form.json {
      answer.state = nil
      print(try JSON.text(answer))
      return .done
    }
    print(answer.message)
    for note in answer.program.notes { print(note) }
    if answer.state?.isMuted == true {
      print("Muted. Sound again with: auricle unmute")
    } else if let state = answer.state, state.name != .running {
      print("No sound is playing; the change is heard after: auricle start")
    }
    return .done
  }

  private func present(_ client: ControlClient) throws(Failure) -> ProgramAnswer {
    let status = try client.ask(ReportMethods.Status())
    guard let program = status.program else {
      throw Failure(
        "daemon", inWords: "This daemon has no programs: its version is another than this command's",
        remedy: "Start it again.", exit: .protocolMismatch)
    }
    return ProgramAnswer(message: told(program), program: program, state: status.state)
  }
}
