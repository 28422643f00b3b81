import Acoustics
import Engine

/// Measured feedback paths, the delay of the devices in use, and the trust in each ear's canceller.
///
/// A value; ``FeedbackFile`` keeps its ``record``.
struct MeasuredFeedback: Sendable {
  /// Measured paths.
  private(set) var record: FeedbackRecord
  /// Fault of the file, a sentence; nil when all is well.
  private(set) var problem: String?
  /// True when the file was put aside: its absence then does not mean deletion.
  private var isPutAside: Bool
  /// Devices in use, and the delay that they report.
  private var devices: AidDevices?
  private var delay = DeviceDelay()
  /// Times devices were opened, and restarts since then, at the last reading.
  private var opens = -1
  private var restarts = 0
  private var trust = Binaural(both: CancellerTrust())

  /// - Parameters:
  ///   - record: As the file has it; nothing by default.
  ///   - problem: Fault of the file, a sentence.
  ///   - isPutAside: True when the file was put aside because of that.
  init(_ record: FeedbackRecord = FeedbackRecord(), problem: String? = nil, isPutAside: Bool = false) {
    self.record = record
    self.problem = problem
    self.isPutAside = isPutAside
  }

  /// Takes the file's content after it was read again. A measurement that limits the gain is dropped only
  /// when the file was removed; one that cannot be read or understood leaves it in force.
  ///
  /// - Parameter content: Nil: there is no file.
  /// - Returns: True when the measurement is another one now.
  mutating func reread(_ content: Result<FeedbackRecord?, FeedbackFileFault>) -> Bool {
    let former = record
    switch content {
    case .success(let record?): take(record)
    case .success(nil):
      record = FeedbackRecord()
      if !isPutAside { problem = nil }
    case .failure(let fault):
      problem = former.isEmpty ? fault.unlimited : fault.stillLimited
      isPutAside = false
    }
    return record != former
  }

  /// Takes a new measurement, after it was written to the file; an ear without one keeps what it has.
  mutating func keep(_ measured: FeedbackRecord) {
    take(measured.over(record))
    // Earlier harm says nothing about a new path.
    if measured.left != nil { trust.left.renew() }
    if measured.right != nil { trust.right.renew() }
  }

  /// Drops the measurement, after its file was removed.
  mutating func clear() { take(FeedbackRecord()) }

  private mutating func take(_ whole: FeedbackRecord) {
    record = whole
    problem = nil
    isPutAside = false
  }

  /// Takes in a reading of the devices in use and of the cancellers.
  ///
  /// - Parameters:
  ///   - devices: Open now; nil: none.
  ///   - reading: Of the aid that runs on them.
  ///   - opens: Times devices were opened.
  ///   - now: Monotonic, s.
  /// - Returns: True when ``knowledge`` has changed.
  mutating func look(_ devices: AidDevices?, reading: AidReading, opens: Int, now: Double) -> Bool {
    // Without a device nothing is heard; the former one counts until another one is open.
    guard let devices, let latency = reading.deviceLatency, latency >= 0 else { return false }
    let isOther = self.opens != opens || self.devices != devices
    if isOther || restarts != reading.counters.restarts { delay.begin() }
    self.devices = devices
    self.opens = opens
    restarts = reading.counters.restarts
    let (left, right) = (reading.meters.left, reading.meters.right)
    let hasMoved = delay.tell(Double(latency) / Double(devices.playback.rate), now: now)
    let isOtherLeft = trust.left.look(mishaps: left.feedbackResets + left.howls, now: now)
    let isOtherRight = trust.right.look(mishaps: right.feedbackResets + right.howls, now: now)
    return isOther || hasMoved || isOtherLeft || isOtherRight
  }

  /// Ears whose canceller is not relied on at present, though a path was measured.
  var distrusted: [Ear] {
    let measured = record.measurements
    return Ear.allCases.filter { measured[$0] != nil && !trust[$0].isGiven }
  }

  /// As the settings take it.
  var knowledge: FeedbackKnowledge {
    var knowledge = FeedbackKnowledge()
    knowledge.measurements = record.measurements
    knowledge.deviceDelay = delay.value
    knowledge.delays = record.delays
    for ear in Ear.allCases {
      knowledge.isCancellerTrusted[ear] = trust[ear].isGiven
      knowledge.isDelayOfTheseDevices[ear] = Self.isOfTheseDevices(knowledge.delays[ear], devices)
      knowledge.isOfTheseDevices[ear] = Self.isOfTheseDevices(knowledge.measurements[ear], devices)
    }
    return knowledge
  }

  private static func isOfTheseDevices(_ measured: LoopDelayMeasurement?, _ devices: AidDevices?) -> Bool? {
    guard let measured, let devices else { return nil }
    return measured.isOf(
      capture: devices.captureName, playback: devices.playbackName, rate: devices.capture.rate,
      period: devices.period)
  }

  private static func isOfTheseDevices(_ measured: FeedbackMeasurement?, _ devices: AidDevices?) -> Bool? {
    guard let measured, let devices else { return nil }
    return measured.isOf(
      capture: devices.captureName, playback: devices.playbackName, rate: devices.capture.rate)
  }
}
