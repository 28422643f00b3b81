import AudioIO
import Glibc
import Testing

@testable import Engine

@Suite("Watch of the earphones' plug") struct PlugWatchTests {
  /// A card with one jack, whose news are readable when it says so.
  final class Card {
    var jacks: [CardJack]? = [CardJack(name: "Headphone", isPlugged: true)]
    /// News that it has next: a jack has changed, something else has, or it is gone.
    var news: Bool? = true
    var begins: [String] = []
    /// Both ends of a pipe.
    private var ends: [Int32] = [0, 0]

    init() { unsafe pipe(&ends) }
    deinit { for end in ends { close(end) } }

    /// Makes the descriptor readable for good.
    func tell() { _ = unsafe write(ends[1], [UInt8(0)], 1) }

    func watch() -> PlugWatch {
      PlugWatch { [self] device in
        begins.append(device)
        return PlugWatch.Source(descriptor: ends[0], jacks: { self.jacks }, takeNews: { self.news })
      }
    }
  }

  static let pulled = [CardJack(name: "Headphone", isPlugged: false)]

  @Test("jacks are looked at when a device is opened, opened again, or another one is, and not in between")
  func opened() {
    let card = Card()
    var watch = card.watch()
    var found: [Bool] = []
    for (device, opens) in [("hw:0", 1), ("hw:0", 1), ("hw:0", 2), ("hw:1", 3), ("hw:1", 3)] {
      let jacks = watch.news(of: device, opens: opens, now: 0)
      found.append(jacks?.first?.isPlugged == true)
    }
    #expect(found == [true, false, true, true, false])
    #expect(card.begins == ["hw:0", "hw:0", "hw:1"] && watch.descriptor >= 0)
  }

  @Test("news of a jack are told; those of other controls are not")
  func told() {
    let card = Card()
    var watch = card.watch()
    _ = watch.news(of: "hw:0", opens: 1, now: 0)
    card.jacks = Self.pulled
    let early = watch.news(of: "hw:0", opens: 1, now: 0)
    card.tell()
    let pulled = watch.news(of: "hw:0", opens: 1, now: 0)
    card.news = false
    let other = watch.news(of: "hw:0", opens: 1, now: 0)
    #expect(early == nil && pulled == Self.pulled && other == nil)
  }

  @Test("a card that does not answer tells nothing, and is asked again after a second")
  func unknown() {
    let card = Card()
    card.jacks = nil
    var watch = card.watch()
    let first = watch.news(of: "hw:0", opens: 1, now: 10)
    card.jacks = Self.pulled
    let early = watch.news(of: "hw:0", opens: 1, now: 10.9)
    let again = watch.news(of: "hw:0", opens: 1, now: 11)
    let later = watch.news(of: "hw:0", opens: 1, now: 20)
    #expect(first == nil && early == nil && again == Self.pulled && later == nil)
  }

  @Test("a card that has gone is no longer watched; closed devices are not, and tell nothing")
  func gone() {
    let card = Card()
    var watch = card.watch()
    _ = watch.news(of: "hw:0", opens: 1, now: 0)
    card.news = nil
    card.tell()
    let gone = watch.news(of: "hw:0", opens: 1, now: 0)
    #expect(gone == nil && watch.descriptor < 0)
    _ = watch.news(of: "hw:0", opens: 2, now: 0)
    let closed = watch.news(of: nil, opens: 2, now: 0)
    #expect(closed == nil && watch.descriptor < 0)
  }

  @Test("a device on no card is not watched")
  func server() {
    let card = Card()
    var watch = card.watch()
    let news = watch.news(of: "pulse", opens: 1, now: 0)
    #expect(news == nil && card.begins.isEmpty)
  }
}
