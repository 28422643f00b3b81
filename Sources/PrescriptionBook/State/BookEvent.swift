public import Prescriptions

/// One row of the book.
public struct BookEvent: Sendable, Hashable {
  /// Counts from 1 without a gap.
  public let number: Int
  public let moment: Instant
  public let actor: Actor
  public let change: BookChange

  public init(number: Int, moment: Instant, actor: Actor, change: BookChange) {
    self.number = number
    self.moment = moment
    self.actor = actor
    self.change = change
  }
}
