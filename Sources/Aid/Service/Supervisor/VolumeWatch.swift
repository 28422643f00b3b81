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
  /// Controls as they were told last.
  private var told = PlaybackVolumes.unread
  /// True where the last look missed one of these and was not told.
  private var hasMissed = false

  init(look: @escaping (_ device: String?) -> PlaybackVolumes = PlaybackVolumes.now) { self.look = look }

  /// Lets the next look come at once where a test is asked for, whatever the calibration is: a control that `auricle calibrate volume` has
  /// just put back must not refuse it, one that has just been turned must not let it begin, and one that is turned later is compared with it.
  mutating func note(_ occurrence: ControlServer.Occurrence) {
    guard case .request(_, let method, _) = occurrence else { return }
    if method is ProcedureMethods.Start || method is FeedbackMethods.Measure { isAskedFor = true }
  }

  /// Controls as they stand, when it is time to look; nil: it is not, or nobody needs to know.
  ///
  /// A test by levels that were measured with no control is not ended by one look that misses a control: a USB card may refuse to tell it
  /// once. Of two such looks in a row the second one is told. While its devices are opened anew nothing is looked at, and another request
  /// brings no look forward.
  ///
  /// - Parameters:
  ///   - settings: The configuration's, with the calibration.
  ///   - device: Earphones in use.
  ///   - isTesting: True while a test is under way.
  mutating func news(
    for settings: HearingSettings, on device: String?, isTesting: Bool = false, now: Double
  ) -> PlaybackVolumes? {
    // A request that comes during a test is refused.
    if isTesting { isAskedFor = false }
    guard isAskedFor || isTesting || !settings.measuredVolumes.isEmpty else { return nil }
    // Others at once: a test that begins with them is not to be ended by the first look.
    guard isAskedFor || now >= due || device != seen else { return nil }
    let isOther = device != nil && seen != nil && device != seen
    let isPatient = isTesting && !isOther && settings.measuredVolumes.isEmpty
    if isPatient, device == nil { return nil }
    let isSecond = hasMissed
    (due, seen, isAskedFor) = (now + Self.interval, device, false)
    let news = look(device)
    hasMissed = isPatient && !isSecond && news.misses(told)
    guard !hasMissed else { return nil }
    told = news
    return news
  }
}
