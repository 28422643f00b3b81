import Base
import Control

/// Notifications to connections, and the roles that they have.
extension ControlServer {
  /// Tells subscribers of a new state.
  package func publish(_ state: StatusReport.State, now: Double) { notify(now: now) { $0.notify(state) } }

  /// Tells subscribers of another prescription, or of another standing of the same.
  func publish(_ prescription: StatusReport.Prescription, now: Double) {
    notify(now: now) { $0.notify(prescription) }
  }

  /// Tells the caller of a feedback test, where it is still connected.
  package func tell(_ caller: Peer, _ notice: FeedbackNotice, now: Double) {
    notify(now: now) { if $0.peer == caller { $0.notify(notice) } }
  }

  /// Tells the caller of a procedure, where it is still connected.
  func tell(_ caller: Peer, _ notice: ProcedureNotice, now: Double) {
    notify(now: now) { if $0.peer == caller { $0.notify(notice) } }
  }

  /// Gives a connection a role, or takes it back.
  func grant(_ grant: RoleGrant?, to peer: Peer) {
    connections.first { $0.session.peer == peer }?.session.grant = grant
  }

  /// Judges every request by another rule from now on. What a connection receives by a role that it has no longer ends.
  ///
  /// - Parameter rule: Of the same users and groups: the socket's own permissions stay.
  func admit(_ rule: AccessRule) {
    self.rule = rule
    for connection in connections { connection.session.rule = rule }
  }

  /// Takes back every role that was proved in one way; nil: in any.
  func endGrants(by means: String?) {
    for connection in connections where means == nil || connection.session.grant?.means == means {
      connection.session.grant = nil
    }
  }

  /// Sends sound to the connection that records it, where it is still connected.
  func tell(_ recorder: Peer, _ notice: SoundNotice, now: Double) {
    notify(now: now) { if $0.peer == recorder { $0.notify(notice) } }
  }

  /// True when a subscriber's meters are due.
  package func wantsMeters(at now: Double) -> Bool {
    connections.contains { $0.session.wantsMeters(at: now) }
  }

  /// Tells those subscribers whose meters are due.
  package func publish(_ meters: MetersReport, now: Double) {
    notify(now: now) { if $0.wantsMeters(at: now) { $0.notify(meters, now: now) } }
  }

  /// True while somebody watches spectra.
  package var watchesSpectra: Bool { connections.contains { $0.session.spectra != nil } }

  /// Sends a spectrum to those whose next one is due. It is written once for all.
  package func publish(_ spectrum: () -> SpectrumReport, now: Double) {
    guard connections.contains(where: { $0.session.wantsSpectrum(at: now) }),
      let json = try? JSON.text(spectrum())
    else { return }
    notify(now: now) { if $0.wantsSpectrum(at: now) { $0.notify(spectrum: json, now: now) } }
  }

  private func notify(now: Double, _ note: (inout ControlSession) -> Void) {
    for connection in connections {
      note(&connection.session)
      connection.flush(now: now)
    }
  }
}
