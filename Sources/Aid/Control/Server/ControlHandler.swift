/// What stands behind the control socket.
///
/// - Threads: all are called on the server's thread, one call at a time. While a call lasts no other client
///   is served, so it should take no longer than a few tenths of a second.
package protocol ControlHandler: Sendable {
  /// Carries out a call. `subscribe` and `unsubscribe` never arrive here; calls that change something arrive
  /// only from peers that may.
  func handle(_ call: ControlCall, from peer: Peer) -> Result<ControlReply, ControlFailure>

  /// A connection has ended, however: closed, dropped, or its process killed.
  func hasGone(_ peer: Peer)

  /// Meters now, asked for as often as the quickest subscriber wants them, and not at all without one.
  func meters() -> MetersReport
}
