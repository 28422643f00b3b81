/// The order in which requests are begun that do not silence: one a round.
///
/// The first request of a process goes ahead of those of processes that have been served, where its peer may silence the aid. So a
/// wearer's command waits for one other at most, however many of the wearer's own programs go on asking. Of several such
/// processes the one with the fewest connections is next, because a command has one and a flood has many; of several that have been
/// served, the connection that has waited the longest. After a new process's request it is the others' turn: a program that
/// starts process after process, each of them new, gets half of the rounds.
struct ClientTurns {
  /// A connection that asks.
  struct Asking {
    /// Its last turn, or when it came, counted among all.
    let turn: UInt64
    /// Of its process, itself included.
    let connections: Int
    /// Nothing of its process has been served, and its peer may silence.
    let isNew: Bool
  }

  /// The last round was a new process's.
  private var wasNew = false

  /// Number of the connection whose request is begun; nil: none asks.
  mutating func next(among asking: [Asking]) -> Int? {
    func order(_ number: Int) -> (Int, UInt64) {
      (asking[number].isNew ? asking[number].connections : 0, asking[number].turn)
    }
    let ahead = asking.indices.filter { asking[$0].isNew != wasNew }
    let next = (ahead.isEmpty ? Array(asking.indices) : ahead).min { order($0) < order($1) }
    wasNew = next.map { asking[$0].isNew } ?? false
    return next
  }
}
