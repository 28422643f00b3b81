import Book
import CommonTesting
import Glibc
import Prescriptions
import Sealing

/// The process that is killed: opens the book and goes on until it is gone.
struct Writer {
  let folder: String
  let seed: UInt64

  static let actor = Actor(channel: .command, userID: getuid(), processID: getpid())
  static let key: [UInt8] = Array(0..<32)

  func run() throws {
    var random = SeededGenerator(seed)
    let cards = try Cards(folder)
    let book = try PrescriptionBook(at: folder + "/book", key: try SealingKey(bytes: Self.key))
    if book.state.clinics.isEmpty {
      let card = try Card.read(cards.clinic, trusting: [], at: book.now)
      if case .clinic(let identity) = card { try book.enrol(identity, by: Self.actor) }
    }
    say("open")
    while true {
      let state = book.state
      let serial = state.entries.count + 1
      let canRevert = state.trials[.quiet] != nil || (state.lines[.quiet]?.count ?? 0) > 1
      let deed: Deed
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3 where state.trials[.quiet] != nil: deed = .accept
      case 3..<6 where canRevert: deed = .revert
      default: deed = Cards.isTrial(serial) ? .trial(serial: serial) : .final(serial: serial)
      }
      guard serial <= cards.texts.count else { exit(0) }
      say("begin " + deed.text)
      switch deed {
      case .final, .trial: try Self.load(cards.texts[serial - 1], into: book)
      case .accept: try book.accept(by: Self.actor)
      case .revert: try book.revert(by: Self.actor)
      }
      say("done")
    }
  }

  /// Verifies and loads a prescription's card.
  static func load(_ text: String, into book: PrescriptionBook) throws {
    guard case .prescription(let card) = try book.read(text, by: actor) else {
      fatalError("no prescription")
    }
    try book.load(card, by: actor)
  }

  /// In one call, so that the trial reads a line whole or not at all.
  private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
