import AudioIO
import Testing

@testable import Service

@Suite("Watch of the earphones' plug") struct PlugWatchTests {
  /// A card with one jack.
  final class Card {
    var isPlugged = true
    /// What the card tells next: a jack has changed, something else has, or it is gone.
    var news: Bool? = true
    var looks = 0
    var begins: [String] = []

    func watch() -> PlugWatch {
      PlugWatch { device in
        self.begins.append(device)
        return PlugWatch.Source(
          descriptor: 7,
          jacks: {
            self.looks += 1
            return [CardJack(name: "Headphone", isPlugged: self.isPlugged)]
          }, takeNews: { self.news })
      }
    }
  }

  @Test("jacks are looked at when a device is opened, opened again, or another one is, and not in between")
  func opened() {
    let card = Card()
    var watch = card.watch()
    var found: [Bool] = []
    for (device, opens) in [("a", 1), ("a", 1), ("a", 2), ("b", 3), ("b", 3)] {
      let jacks = watch.news(of: device, opens: opens, hasNews: false)
      found.append(jacks?.first?.isPlugged == true)
    }
    #expect(found == [true, false, true, true, false])
    #expect(card.begins == ["a", "a", "b"] && watch.descriptor == 7)
  }

  @Test("news of a jack are told; those of other controls are not")
  func pulled() {
    let card = Card()
    var watch = card.watch()
    _ = watch.news(of: "a", opens: 1, hasNews: false)
    card.isPlugged = false
    let pulled = watch.news(of: "a", opens: 1, hasNews: true)
    #expect(pulled == [CardJack(name: "Headphone", isPlugged: false)])
    card.news = false
    let other = watch.news(of: "a", opens: 1, hasNews: true)
    #expect(other == nil && card.looks == 2)
  }

  @Test("a card that has gone is no longer watched; closed devices are not, and tell nothing")
  func gone() {
    let card = Card()
    var watch = card.watch()
    _ = watch.news(of: "a", opens: 1, hasNews: false)
    card.news = nil
    let gone = watch.news(of: "a", opens: 1, hasNews: true)
    #expect(gone == nil && watch.descriptor < 0)
    _ = watch.news(of: "a", opens: 2, hasNews: false)
    let closed = watch.news(of: nil, opens: 2, hasNews: false)
    #expect(closed == nil && watch.descriptor < 0)
  }

  @Test("a device without a card that tells has no jacks, which is told once")
  func none() {
    var watch = PlugWatch { _ in nil }
    let first = watch.news(of: "pulse", opens: 1, hasNews: false)
    let second = watch.news(of: "pulse", opens: 1, hasNews: false)
    #expect(first == [] && second == nil)
  }
}
