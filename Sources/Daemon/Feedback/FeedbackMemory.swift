import Acoustics
import Control
import HearingAid
import Synchronization

/// What the daemon knows of feedback: paths from the file, and the devices of the moment.
///
/// - Threads: control.
final class FeedbackMemory: Sendable {
  private struct State: Sendable {
    var record = FeedbackRecord()
    var problem: String?
    /// Devices in use, and what they say of their delay, s.
    var devices: AidDevices?
    var deviceDelay: Double?
    /// Times devices were opened when that was seen.
    var opens = -1
  }

  /// Change of the devices' delay that is followed, s: less moves nothing that a canceller's first tap would miss.
  private static let leastChange = 0.0005

  private let file: FeedbackFile?
  private let state = Mutex(State())

  /// - Parameter folder: The state folder; nil: nothing outlasts the process.
  init(folder: String?) {
    file = folder.map(FeedbackFile.init)
    read()
  }

  /// Reads the file again.
  func read() {
    guard let file else { return }
    let (record, problem) = file.read()
    state.withLock {
      $0.record = record; $0.problem = problem ?? $0.problem
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
      $0.record = whole; $0.problem = nil
    }
  }

  /// - Throws: ``Failure``; then nothing has changed.
  func clear() throws(Failure) {
    try file?.clear()
    state.withLock {
      $0.record = FeedbackRecord(); $0.problem = nil
    }
  }

  private static let noFolder = Failure(
    "state folder", found: "none that can be written", expected: "one to keep the measurement in",
    exit: .cannotCreate)

  /// Looks at the devices in use.
  ///
  /// - Parameters:
  ///   - devices: Open now; nil: none.
  ///   - latency: Frames between their converters; nil: not known yet.
  ///   - opens: Times devices were opened.
  /// - Returns: Whether what is known has changed.
  func look(_ devices: AidDevices?, latency: Int32?, opens: Int) -> Bool {
    state.withLock { state in
      // Without a device nothing is heard; what was known stays until another one is open.
      guard let devices, let latency, latency >= 0 else { return false }
      let delay = Double(latency) / Double(devices.playback.rate)
      let isSame = state.opens == opens && state.devices == devices
      if isSame, let known = state.deviceDelay, abs(known - delay) < Self.leastChange { return false }
      state.devices = devices
      state.deviceDelay = delay
      state.opens = opens
      return true
    }
  }

  /// Settings with what is known.
  func informed(_ hearing: HearingSettings) -> HearingSettings {
    let state = state.withLock { $0 }
    var informed = hearing
    informed.feedback.measurements = state.record.measurements
    informed.feedback.deviceDelay = state.deviceDelay
    for ear in Ear.allCases {
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
