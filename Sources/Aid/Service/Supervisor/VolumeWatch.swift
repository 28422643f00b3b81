import Engine

/// Looks at the volume controls of the earphones' card from time to time, where the calibration was measured with some, and during every
/// test: a level is told for them as they stand, whatever it rests on.
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
  /// True from the request for a test to the next look.
  private var isAskedFor = false

  init(look: @escaping (_ device: String?) -> PlaybackVolumes = PlaybackVolumes.now) { self.look = look }

  /// Lets the next look come at once where a test is asked for, whatever the calibration is: a control that `auricle calibrate volume` has
  /// just put back must not refuse it, one that has just been turned must not let it begin, and one that is turned later is compared with it.
  mutating func note(_ occurrence: ControlServer.Occurrence) {
    guard case .request(_, let method, _) = occurrence else { return }
    if method is ProcedureMethods.Start || method is FeedbackMethods.Measure { isAskedFor = true }
  }

  /// Controls as they stand, when it is time to look; nil: it is not, or nobody needs to know.
  ///
  /// - Parameters:
  ///   - settings: The configuration's, with the calibration.
  ///   - device: Earphones in use.
  ///   - isTesting: True while a test is under way.
  mutating func news(
    for settings: HearingSettings, on device: String?, isTesting: Bool = false, now: Double
  ) -> PlaybackVolumes? {
    guard isAskedFor || isTesting || !settings.measuredVolumes.isEmpty else { return nil }
    // Others at once: a test that begins with them is not to be ended by the first look.
    guard isAskedFor || now >= due || device != seen else { return nil }
    (due, seen, isAskedFor) = (now + Self.interval, device, false)
    return look(device)
  }
}
