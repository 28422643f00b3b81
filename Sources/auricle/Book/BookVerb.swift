import ArgumentParser
import Control

/// A command that changes which prescription is heard.
protocol BookVerb: Verb {
  var socket: SocketOption { get }
  var form: AnswerOptions { get }

  /// Whether it is about what is heard.
  var changesSound: Bool { get }

  /// What is asked of the book.
  func call() throws(Failure) -> BookCall
}

extension BookVerb {
  var changesSound: Bool { false }
  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let (change, isHeard) = try one { () throws(Failure) in
      let call = try call()
      let door = try BookDoor(socket)
      return (try door.change(call), door.isHeard)
    }
    if form.json {
      print(try json(change))
    } else {
      print(change.message)
      for note in change.book.notes { print(note) }
      if !isHeard, changesSound, change.book.inForce != nil {
        print("No daemon runs; it is heard after: auricle start")
      }
    }
    return .done
  }
}
