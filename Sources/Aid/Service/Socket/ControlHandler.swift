/// The daemon behind the control socket, beside its methods.
///
/// - Threads: all are called on the server's thread, one call at a time.
package protocol ControlHandler: Sendable {
  /// A connection has ended, however: closed, dropped, or its process killed.
  func hasGone(_ peer: Peer)

  /// Meters now, asked for as often as the quickest subscriber wants them, and not at all without one.
  func meters() -> MetersReport
}
