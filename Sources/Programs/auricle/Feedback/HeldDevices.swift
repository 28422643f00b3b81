import Base
import Control
import Engine
import Service

/// The devices of a command that makes or records sound by itself: no daemon plays on them, and the sound servers of the session have given
/// their cards up. They have them back when this is released.
struct HeldDevices {
  private let claim: PlaybackClaim?
  private let cards: SessionCards

  /// - Throws: ``Failure`` on a clinic's device, and where a daemon plays on them.
  init(of settings: AidSettings) throws(Failure) {
    try DeviceGuard().refuse(.sound)
    claim = try PlaybackClaim.ofCommand(on: settings.playbackDevice)
    cards = SessionCards(capture: settings.captureDevice, playback: settings.playbackDevice)
  }

  /// The failure of a fault of the sound; a device that cannot be used may be one that another program keeps, which is named then.
  ///
  /// - Parameter subject: Of the message.
  func failure(_ fault: FeedbackFault, of subject: String) -> Failure {
    let failure = Failure(fault, of: subject)
    guard case .device = fault, let refusal = cards.refusal else { return failure }
    return failure.withRemedy(failure.remedy, "\(refusal). \(SessionCards.advice)")
  }
}

extension PlaybackClaim {
  /// The playback device as this command's alone.
  ///
  /// - Parameter device: Nil: the first card that is free.
  /// - Throws: ``Failure`` when a daemon plays on it.
  fileprivate static func ofCommand(on device: String?) throws(Failure) -> PlaybackClaim? {
    guard let device else { return nil }
    let folder = StandardPaths.current.runtimeDirectory
    do throws(Failure) { return try PlaybackClaim(device, in: folder) } catch {
      // A folder for locks that cannot be used keeps nobody from measuring; a daemon that plays does.
      if error.exitStatus == .temporary { throw error }
      return nil
    }
  }
}
