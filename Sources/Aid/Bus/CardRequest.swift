/// One card for which others were asked.
package struct CardReservation: Sendable, Equatable {
  /// Its number.
  package let card: Int
  package let outcome: DeviceReservation.Outcome

  package init(card: Int, outcome: DeviceReservation.Outcome) {
    (self.card, self.outcome) = (card, outcome)
  }
}

/// The sound cards that a program uses, asked for together by the session's agreement, and held for as long as they are used.
///
/// - Threads: the bus's.
package final class CardRequest {
  private let told: ([CardReservation]) -> Void
  private var reservations: [Int: DeviceReservation] = [:]
  /// Outcomes of the last request so far.
  private var outcomes: [Int: DeviceReservation.Outcome] = [:]
  private var isAsking = false

  /// - Parameter told: Is run with the outcomes, by card, once those of a request are all there.
  package init(told: @escaping ([CardReservation]) -> Void) { self.told = told }

  /// Asks for cards; those that are held already are not asked for, and others are given back.
  ///
  /// - Parameter devices: ALSA's name of what is used, by the card's number.
  package func ask(for devices: [Int: String], on bus: MessageBus) {
    reservations = reservations.filter { devices[$0.key] != nil && outcomes[$0.key] == .held }
    outcomes = outcomes.filter { reservations[$0.key] != nil }
    isAsking = true
    for (card, device) in devices where reservations[card] == nil {
      reservations[card] = DeviceReservation(card, device: device, on: bus) { [weak self] outcome in
        self?.outcomes[card] = outcome
        self?.answer()
      }
    }
    answer()
  }

  /// Gives all cards back.
  package func release() {
    reservations = [:]
    outcomes = [:]
    isAsking = false
  }

  /// The bus has gone, and with it what was held there; a request that waits is answered.
  package func loseBus() {
    reservations = [:]
    answer()
  }

  /// Tells the outcomes once all are there.
  private func answer() {
    guard isAsking, reservations.keys.allSatisfy({ outcomes[$0] != nil }) else { return }
    isAsking = false
    told(
      outcomes.sorted { $0.key < $1.key }.map { CardReservation(card: $0.key, outcome: $0.value) })
  }
}
