import Acoustics
import Base
import Control
import Engine
import Glibc
import Synchronization

/// What the daemon knows of feedback: paths from the file, and the devices of the moment.
///
/// - Threads: control.
final class FeedbackMemory: Sendable {
  private struct State: Sendable {
    var record = FeedbackRecord()
    var problem: String?
    /// Whether the file was put aside, so that it being gone is no wish.
    var isPutAside = false
    /// Devices in use, and what they say of their delay.
    var devices: AidDevices?
    var delay = DeviceDelay()
    /// Times devices were opened, and restarts since then, when that was seen.
    var opens = -1
    var restarts = 0
    var trust = Binaural(both: CancellerTrust())
  }

  private let file: FeedbackFile?
  private let state = Mutex(State())

  /// - Parameter folder: The state folder; nil: nothing outlasts the process.
  init(folder: String?) {
    file = folder.map(FeedbackFile.init)
    guard let file else { return }
    let (record, problem) = file.read()
    state.withLock { state in
      state.record = record
      state.problem = problem
      state.isPutAside = problem != nil && access(file.path, F_OK) != 0
    }
  }

  /// Reads the file again. What limits the gain is let go of only where that is wished: a file that is gone is a
  /// wish, one that cannot be read or understood is not, and is left as it is.
  ///
  /// - Returns: Whether something else is known now.
  func reread() -> Bool {
    guard let file else { return false }
    let content = Result { () throws(FeedbackFileFault) in try file.content() }
    return state.withLock { state in
      let former = state.record
      switch content {
      case .success(let record?):
        state.record = record
        state.problem = nil
        state.isPutAside = false
      case .success(nil):
        state.record = FeedbackRecord()
        if !state.isPutAside { state.problem = nil }
      case .failure(let fault):
        state.problem = former.isEmpty ? fault.unlimited : fault.stillLimited
        state.isPutAside = false
      }
      return state.record != former
    }
  }

  /// What is wrong with the file, a sentence; nil when all is well.
  var problem: String? { state.withLock { $0.problem } }

  /// Whether anything was measured.
  var isEmpty: Bool { state.withLock { $0.record.isEmpty } }

  /// Keeps what was measured, beside what another ear has.
  ///
  /// - Throws: ``Failure``; then nothing has changed.
  func keep(_ record: FeedbackRecord) throws(Failure) {
    let whole = state.withLock { record.over($0.record) }
    guard let file else { throw Self.noFolder }
    try file.write(whole)
    state.withLock {
      $0.record = whole; $0.problem = nil; $0.isPutAside = false
      if record.left != nil { $0.trust.left.renew() }
      if record.right != nil { $0.trust.right.renew() }
    }
  }

  /// - Throws: ``Failure``; then nothing has changed.
  func clear() throws(Failure) {
    try file?.clear()
    state.withLock {
      $0.record = FeedbackRecord(); $0.problem = nil; $0.isPutAside = false
    }
  }

  private static let noFolder = Failure(
    "state folder", found: "none that can be written", expected: "one to keep the measurement in",
    exit: .cannotCreate)

  /// Looks at the devices in use, and at how the canceller does.
  ///
  /// - Parameters:
  ///   - devices: Open now; nil: none.
  ///   - reading: Of the aid that runs on them.
  ///   - opens: Times devices were opened.
  ///   - now: Monotonic, s.
  /// - Returns: Whether what is known has changed.
  func look(_ devices: AidDevices?, reading: AidReading, opens: Int, now: Double) -> Bool {
    state.withLock { state in
      // Without a device nothing is heard; what was known stays until another one is open.
      guard let devices, let latency = reading.deviceLatency, latency >= 0 else { return false }
      let isOther = state.opens != opens || state.devices != devices
      if isOther || state.restarts != reading.counters.restarts { state.delay.begin() }
      state.devices = devices
      state.opens = opens
      state.restarts = reading.counters.restarts
      let (left, right) = (reading.meters.left, reading.meters.right)
      let hasMoved = state.delay.tell(Double(latency) / Double(devices.playback.rate), now: now)
      let isOtherLeft = state.trust.left.look(mishaps: left.feedbackResets + left.howls, now: now)
      let isOtherRight = state.trust.right.look(mishaps: right.feedbackResets + right.howls, now: now)
      return isOther || hasMoved || isOtherLeft || isOtherRight
    }
  }

  /// Ears whose canceller is not counted on at present, though a path was measured.
  var distrusted: [Ear] {
    state.withLock { state in
      let measured = state.record.measurements
      return Ear.allCases.filter { measured[$0] != nil && !state.trust[$0].isGiven }
    }
  }

  /// Settings with what is known.
  func informed(_ hearing: HearingSettings) -> HearingSettings {
    let state = state.withLock { $0 }
    var informed = hearing
    informed.feedback.measurements = state.record.measurements
    informed.feedback.deviceDelay = state.delay.value
    for ear in Ear.allCases {
      informed.feedback.isCancellerTrusted[ear] = state.trust[ear].isGiven
      informed.feedback.isOfTheseDevices[ear] =
        Self.isOfTheseDevices(
          informed.feedback.measurements[ear], state.devices)
    }
    return informed
  }

  private static func isOfTheseDevices(_ measured: FeedbackMeasurement?, _ devices: AidDevices?) -> Bool? {
    guard let measured, let devices else { return nil }
    return measured.isOf(
      capture: devices.captureName, playback: devices.playbackName, rate: devices.capture.rate)
  }
}
