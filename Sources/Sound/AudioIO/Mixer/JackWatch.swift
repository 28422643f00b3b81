/// News of the jacks through which a device plays or captures: that a plug was put in or pulled.
///
/// - Threads: control; opens the card and keeps it open.
public final class JackWatch {
  /// Readable when there are news; it is polled and never read by others.
  public let descriptor: Int32
  private let card: CardControls
  private let device: Int
  private let direction: StreamDirection

  /// Begins to watch; nil for a device that is on no card, and for a card that is away or that may not be opened.
  public init?(of device: String, _ direction: StreamDirection) {
    guard let number = DevicePlace.number(of: device), let card = CardControls(of: device),
      let descriptor = card.subscribe()
    else { return nil }
    self.card = card
    (self.descriptor, self.device, self.direction) = (descriptor, number, direction)
  }

  /// Jacks now, as ``CardJack/all(of:_:)`` has them; nil where the card does not answer.
  public var jacks: [CardJack]? { CardJack.all(on: card, device: device, direction) }

  /// Uses up the news that there are.
  ///
  /// - Returns: True when a jack may have changed; nil once the card has gone, of which nothing more will be told.
  public func takeNews() -> Bool? { card.takeChanges() }
}
