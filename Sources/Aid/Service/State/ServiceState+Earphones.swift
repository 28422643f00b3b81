/// Earphones as a connection tells them.
struct ToldEarphones: Sendable, Equatable {
  let earphones: StatusReport.Earphones
  let teller: Peer
}

extension ServiceState {
  mutating func forgetEarphones(of peer: Peer) { if earphones?.teller == peer { earphones = nil } }
}
