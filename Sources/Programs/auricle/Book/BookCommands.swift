import ArgumentParser
import Base
import Control
import Glibc
import Service

/// `auricle book`: the prescription book as a whole.
struct BookCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "book", abstract: "Back up and restore the prescription book, and correct its clock.",
    subcommands: [BookBackup.self, BookRestore.self, BookClockCorrection.self])
}

/// `auricle book backup`.
struct BookBackup: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Write the whole book into one file, sealed with a passphrase.",
    discussion: """
      The file opens on any machine with the passphrase, and on none without it. It is read back before the \
      command says that it is done. A daemon that has the book open writes the file itself, as its own user.
      """)

  @Argument(
    help: ArgumentHelp("The file to make; none that is there is replaced.", valueName: "file"),
    completion: .file())
  var file: String

  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  func call() throws(Failure) -> BookMethods.BackUp {
    BookMethods.BackUp(
      path: try AbsolutePath.of(file), passphrase: try passphrase.new(for: "the backup"))
  }
}

/// `auricle book restore`.
struct BookRestore: Verb {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup in the place of the book.",
    discussion: """
      Stop the daemon first. The backup is checked whole before anything is changed, and a book that was there is \
      kept aside.
      """)

  @Argument(help: ArgumentHelp("The backup.", valueName: "file"), completion: .file())
  var file: String

  @OptionGroup var passphrase: PassphraseOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let desk = PrescriptionDesk(.current)
      let words = try passphrase.known(for: "the backup")
      print(try desk.restore(from: file, passphrase: words, byUser: geteuid(), process: getpid()))
      return .done
    }
  }
}

/// `auricle book correct-clock`.
struct BookClockCorrection: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "correct-clock", abstract: "Let the book go by the system's clock again.",
    discussion: """
      The book never goes back in time, so that no clock set back can revive a trial. When the system's clock was \
      wrong, years ahead for instance, and is right now, this says so. It stands in the audit trail.
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  func call() -> BookMethods.CorrectClock { BookMethods.CorrectClock() }
}

/// A command that changes which prescription is heard.
protocol BookVerb: Verb {
  associatedtype Method: BookMethod where Method.Reply == BookAnswer

  var socket: SocketOption { get }
  var form: AnswerOptions { get }

  /// True for a command that changes the sound.
  var changesSound: Bool { get }

  /// The request to the book.
  func call() throws(Failure) -> Method
}

extension BookVerb {
  var changesSound: Bool { false }
  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let (change, isHeard) = try one { () throws(Failure) in
      let call = try call()
      let door = try BookDoor(socket)
      return (try door.ask(call), door.isHeard)
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
