import Base
import Control

/// The places for clients: who gets one, who gives one up, and who has to go.
///
/// A place is taken with the first request that does not silence. Connections that have asked nothing, or for silence
/// alone, have none: they wait beside the places, a bounded number of them, and the one that goes when another comes is
/// the oldest of the process that has the most. So neither a thousand silent connections nor clients that hold every place
/// keep out a request for silence, also not those of the wearer's own runaway program, which user and group cannot
/// tell from the wearer's command. That one is told from it by its process, and where it is many processes, by what is asked.
///
/// One place beside all these is reserved for the wearer's next command: for a peer who may silence, of a process that has no
/// place. It is for one request, and free again in the next round, answered or not; so no program can keep it, however many
/// of them hold the other places and go on asking. What goes on after its answer (`Conduct.staying`) needs another place:
/// in this one nothing would bound the number of such clients.
struct ClientPlaces {
  /// A connection as the bounds see it.
  struct Client: Equatable {
    let peer: Peer
    /// Of those for whom the last places are kept.
    let maySilence: Bool
    /// Since when nothing of it is under way, monotonic s; nil: something is.
    let idleSince: Double?
    /// Its request goes on after the answer.
    var asksToStay = false
  }

  enum Decision: Equatable {
    case free
    /// That of the client with this number, which has been idle the longest.
    case insteadOf(Int)
    /// The reserved one, for this request alone.
    case reserved
    case none(ControlFailure)
  }

  let limits: ControlServer.Limits
  /// Of the socket, for messages.
  let path: String

  /// Place of a client that asks something.
  ///
  /// - Parameter placed: Clients with places.
  func decision(for client: Client, among placed: [Client], now: Double) -> Decision {
    let process = client.peer.processID
    let count = placed.count { $0.peer.processID == process }
    let bounds: [(most: Int, found: String, remedy: String, includes: (Client) -> Bool)] = [
      (
        limits.clientsOfProcess, "\(count) connections of process \(process)",
        "Ask through one of them, or end one.", { $0.peer.processID == process }
      ),
      (
        client.maySilence ? .max : limits.strangers,
        "\(limits.strangers) clients that may not silence the aid",
        "Try again when one has gone.", { !$0.maySilence }
      ),
      (limits.clients, "\(limits.clients) clients connected", remedy(placed), { _ in true }),
    ]
    for bound in bounds {
      let rivals = placed.indices.filter { bound.includes(placed[$0]) }
      guard rivals.count >= bound.most else { continue }
      let idle = rivals.compactMap { number in placed[number].idleSince.map { (number, $0) } }
      guard let longest = idle.min(by: { $0.1 < $1.1 }), now - longest.1 >= limits.idle else {
        if client.maySilence, count == 0, !client.asksToStay { return .reserved }
        return .none(
          ControlFailure(
            Failure(
              "control socket \(path)", found: bound.found, expected: "fewer than \(bound.most)",
              remedy: bound.remedy, exit: .temporary), .tooManyClients))
      }
      return .insteadOf(longest.0)
    }
    return .free
  }

  /// Advice that names the process with the most places, where it has more than one.
  private func remedy(_ placed: [Client]) -> String {
    let counts = Dictionary(placed.map { ($0.peer.processID, 1) }, uniquingKeysWith: +)
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value > 1 else {
      return "Try again when one has gone."
    }
    return "Try again when one has gone: process \(most.key) has \(most.value)."
  }

  /// Numbers of those that go where more wait than are allowed.
  ///
  /// - Parameter waiting: Connections without a place, oldest first.
  func leaving(_ waiting: [Peer]) -> [Int] {
    var numbers = Dictionary(grouping: waiting.indices) { waiting[$0].processID }
    return (0..<max(0, waiting.count - limits.waiting)).compactMap { _ in
      let largest = numbers.max { ($0.value.count, -$0.value[0]) < ($1.value.count, -$1.value[0]) }
      guard let (process, its) = largest else { return nil }
      numbers[process] = its.count > 1 ? Array(its.dropFirst()) : nil
      return its[0]
    }
  }
}
