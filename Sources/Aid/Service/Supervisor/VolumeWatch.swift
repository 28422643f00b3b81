import Engine

/// Looks at the volume controls of the earphones' card from time to time, where the calibration was measured with some.
///
/// - Threads: the main thread.
struct VolumeWatch {
  /// Time between two looks, s; own choice: who turns a control hears it at once, and status tells it soon.
  static let interval = 2.0

  /// The look; replaced in tests.
  var look: (_ device: String?) -> PlaybackVolumes = PlaybackVolumes.now
  private var due = 0.0
  /// Earphones at the last look.
  private var seen: String?

  init(look: @escaping (_ device: String?) -> PlaybackVolumes = PlaybackVolumes.now) { self.look = look }

  /// Lets the next look come at once where a procedure is asked for: a control that `auricle calibrate volume` has just put back must not
  /// refuse it, and one that has just been turned must not let it begin.
  mutating func note(_ occurrence: ControlServer.Occurrence) {
    if case .request(_, is ProcedureMethods.Start, _) = occurrence { due = 0 }
  }

  /// Controls as they stand, when it is time to look; nil: it is not, or nobody needs to know.
  ///
  /// - Parameters:
  ///   - settings: The configuration's, with the calibration.
  ///   - device: Earphones in use.
  mutating func news(for settings: HearingSettings, on device: String?, now: Double) -> PlaybackVolumes? {
    // Others at once: a test that begins with them is not to be ended by the first look.
    guard now >= due || device != seen, !settings.measuredVolumes.isEmpty else { return nil }
    (due, seen) = (now + Self.interval, device)
    return look(device)
  }
}
