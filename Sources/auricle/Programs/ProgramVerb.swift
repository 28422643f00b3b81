import ArgumentParser
import Control

/// A command that changes program, volume or tone.
protocol ProgramVerb: Verb {
  var socket: SocketOption { get }
  var form: AnswerOptions { get }

  /// What is asked of the daemon; nil: nothing, ``told(_:)`` is the answer.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` for what is not understood.
  func call() throws(Failure) -> ProgramCall?

  /// What is said when nothing is asked for.
  func told(_ report: ProgramReport) -> String
}

extension ProgramVerb {
  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let (answer, state) = try one { () throws(Failure) in
      // What cannot be understood is said whether a daemon runs or not.
      let call = try call()
      let client = try socket.client()
      if let call { return (try client.change(call), try client.status().state) }
      let status = try client.status()
      guard let program = status.program else {
        throw Failure(
          "daemon", found: "one that has no programs", expected: "the same version as this command",
          remedy: "Start it again.", exit: .protocolMismatch)
      }
      return (ProgramAnswer(message: told(program), program: program), status.state)
    }
    if form.json {
      print(try json(answer))
      return .done
    }
    print(answer.message)
    for note in answer.program.notes { print(note) }
    if state.isMuted {
      print("Muted. Sound again with: auricle unmute")
    } else if state.name != .running {
      print("No sound flows now; it is heard when it does.")
    }
    return .done
  }
}
