import Book
import Glibc
import Prescriptions
import Sealing

/// How long a verb and an opening take.
struct Speed {
  static let count = 200

  func run() throws {
    var template = Array("/tmp/auricle-speed-XXXXXX".utf8CString)
    let folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    defer { Trial.remove(folder) }
    try Cards.make(Self.count, in: folder)
    let cards = try Cards(folder)
    let key = try SealingKey(bytes: Writer.key)
    let clock = ContinuousClock()
    var times: [Duration] = []
    do {
      let book = try PrescriptionBook(at: folder + "/book", key: key)
      if case .clinic(let identity) = try Card.read(cards.clinic, trusting: [], at: book.now) {
        try book.enrol(identity, by: Writer.actor)
      }
      for card in cards.texts { times.append(try clock.measure { try Writer.load(card, into: book) }) }
      let state = clock.measure { _ = book.state }
      print("state of \(Self.count) prescriptions: \(state)")
    }
    times.sort()
    print("load: median \(times[times.count / 2]), slowest \(times[times.count - 1])")
    let opening = try clock.measure { _ = try PrescriptionBook(at: folder + "/book", key: key) }
    print("opening with \(Self.count) prescriptions: \(opening)")
  }
}
