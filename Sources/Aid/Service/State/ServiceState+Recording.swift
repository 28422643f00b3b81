import Base
import Control
import Prescriptions

/// Leave of the wearer to record the sound at their ears, and the recording that takes it up.
struct RecordingLeave: Sendable, Equatable {
  /// Its end, monotonic s, and as a person reads it.
  let due: Double
  let untilUnixSeconds: Double
  /// The connection that records; nil: none has begun.
  var recorder: Peer?
  /// The person whose leave it is, as the book knows them.
  var wearer: PatientIdentity?
  /// Devices and levels that it began with.
  var opens = 0
  var scale: SoundScale?
  var source: SoundScaleSource?

  var report: StatusReport.Recording {
    StatusReport.Recording(untilUnixSeconds: untilUnixSeconds, pid: recorder?.processID)
  }
}

extension ServiceState {
  /// Gives the leave for one recording, in place of one that nobody has taken up.
  ///
  /// - Throws: ``Failure`` while a recording is under way, or there is no sound.
  mutating func allowRecording(for seconds: Double, by peer: Peer) throws(Failure) {
    if let other = recording?.recorder {
      throw Failure(
        "recording", found: "another one, process \(other.processID)", expected: "one at a time",
        remedy: "Wait for its end, or end it: auricle recording forbid", exit: .temporary)
    }
    try checkSound()
    recording = RecordingLeave(
      due: now.monotonic + seconds, untilUnixSeconds: now.wall + seconds, wearer: wearer)
    let words = "for \(NumberText.exact(seconds)) s"
    note(.recordingAllowed, words, by: peer)
    log(.notice, "the sound at the ears may be recorded once \(words), by permission of \(peer.words)")
  }

  /// Begins to send the sound to a connection.
  ///
  /// - Throws: ``Failure`` without the wearer's leave; then no sound was sent.
  mutating func beginRecording(by peer: Peer) throws(Failure) -> SoundLeave {
    guard var leave = recording else {
      throw Failure(
        "recording", found: "no permission of the wearer", expected: "one of this moment",
        remedy: "Let the wearer say: auricle recording allow", exit: .noPermission)
    }
    if let other = leave.recorder {
      throw Failure(
        "recording", found: "another one, process \(other.processID)", expected: "one for each permission",
        remedy: "Wait for its end, and ask the wearer again.", exit: .temporary)
    }
    try checkSound()
    guard let scale = SoundScale(heard) else {
      throw Failure("recording", inWords: "The settings in force cannot be played", exit: .configuration)
    }
    (leave.recorder, leave.opens) = (peer, audio.opens)
    (leave.scale, leave.source) = (scale, SoundScaleSource(heard))
    recording = leave
    emit(.sendSound(peer))
    note(.recordingBegan, "", by: peer)
    log(.notice, "\(peer.words) records the sound at the ears")
    return SoundLeave(scale: scale, expiresInSeconds: leave.due - now.monotonic)
  }

  private var wearer: PatientIdentity? { known.book?.state.boundPatient?.identity }

  private func checkSound() throws(Failure) {
    guard state.name != .running else { return }
    throw Failure(
      "recording", inWords: "There is no sound to record: the aid is \(state.name.rawValue)",
      remedy: state.isMuted ? "Take the mute back: auricle unmute" : "Start it: auricle start",
      exit: .temporary)
  }

  /// Ends the leave, and the recording that takes it up. Does nothing while there is none.
  ///
  /// - Parameters:
  ///   - reason: A clause.
  ///   - peer: Whoever ends it; nil: the daemon, in the name of its recorder.
  mutating func endRecording(_ reason: String, by peer: Peer? = nil) {
    guard let leave = recording else { return }
    recording = nil
    if let recorder = leave.recorder {
      emit(.endSound(recorder, SoundNotice(ended: reason)))
      note(.recordingEnded, reason, by: peer ?? recorder)
    }
    log(.notice, "the permission to record the sound has ended: \(reason)")
  }

  /// Ends a recording whose time is over, or whose levels or devices are others by now.
  mutating func followRecording() {
    guard let leave = recording else { return }
    if now.monotonic >= leave.due { return endRecording("its time is over") }
    if known.book != nil, let former = leave.wearer, former != wearer {
      return endRecording("the aid was given to another person")
    }
    guard let recorder = leave.recorder else { return }
    if let grant = recorder.grant, now.monotonic >= grant.due {
      endRecording(RoleGrant.ended)
    } else if leave.opens != audio.opens {
      endRecording("the sound devices were opened anew")
    } else {
      followScale(of: leave)
    }
  }

  /// Ends a recording whose full scale stands for other levels by now.
  private mutating func followScale(of leave: RecordingLeave) {
    let source = SoundScaleSource(heard)
    // The scale itself takes long to compute, and is seldom another one.
    guard leave.source != source else { return }
    guard leave.scale == SoundScale(heard) else { return endRecording("the calibration was changed") }
    recording?.source = source
  }
}
