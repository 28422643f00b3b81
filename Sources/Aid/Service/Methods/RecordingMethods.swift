import Base
import Control

/// Methods by which the sound at the wearer's ears is recorded, with their leave at that moment.
package enum RecordingMethods {
  package struct Allow: DaemonMethod {
    /// Longest leave, s.
    package static let times = 1.0...300

    package static let description = MethodDescription(
      "recording.allow", for: [.wearer],
      "Lets one connection receive the sound at the microphones and in the ears, once, until the time is over, "
        + "recording.forbid, stop or mute.",
      [MethodParameter("seconds", .number(times), "for which it is allowed, s")], answer: "'recording'")

    package let seconds: Double

    package init(seconds: Double) { self.seconds = seconds }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<Leave> {
      try state.allowRecording(for: seconds, by: peer)
      return .now(Leave(recording: state.recording?.report))
    }
  }

  package struct Forbid: DaemonMethod {
    package static let description = MethodDescription(
      "recording.forbid", for: [.wearer],
      "Withdraws the permission and ends the recording under way. Does nothing while there is none.",
      answer: "'recording', which is absent")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<Leave> {
      state.endRecording("the wearer has withdrawn the permission", by: peer)
      return .now(Leave(recording: state.recording?.report))
    }
  }

  package struct Watch: DaemonMethod {
    package static let description = MethodDescription(
      "sound.watch", for: [.audiologist, .developer, .owner],
      "Sends this connection the sound before and behind the aid, where the wearer allows it at this moment.",
      answer: "'scale', the levels that full scale stands for, and 'expires_in_seconds'", conduct: .staying)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<SoundLeave> {
      .now(try state.beginRecording(by: peer))
    }
  }

  /// The leave in force; nil: none is.
  package struct Leave: Sendable, Codable, Hashable {
    package let recording: StatusReport.Recording?
  }
}

extension StatusReport {
  /// The wearer's leave to record the sound at their ears.
  package struct Recording: Sendable, Codable, Hashable {
    /// Its end, s since 1970-01-01 UTC.
    package let untilUnixSeconds: Double
    /// Process that records; nil: none has begun.
    package let pid: Int32?
  }
}
