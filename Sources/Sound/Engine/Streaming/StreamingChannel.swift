import AudioIO
import Base
import HearingDSP
import Realtime
import Synchronization

/// State that control, the audio thread and the stream's thread share.
///
/// - Threads: any. While sound flows the audio thread touches ``feed`` alone; ``open(_:)`` and ``close()`` it calls before
///   and after.
final class StreamingChannel: Sendable {
  /// Request of control to the stream's thread.
  struct Request: Sendable {
    /// ALSA name of the device; nil: off.
    var device: String?
    /// Setting for the aid's chain that runs; nil: there is none.
    var setting: StreamingChain.Setting?
    /// ALSA name of the device that plays the aid's sound; nil: none does.
    var earphones: String?
  }

  /// Sources of a setting.
  private struct Sources {
    var device: String?
    var hearing: HearingSettings?
    var geometry: ChainGeometry?
    var earphones: String?
  }

  let feed = StreamingFeed()
  /// True while the stream's thread works.
  let isWorking = Atomic(false)
  private let sources = Mutex(Sources())
  private let request = Mutex(Request())
  private let report = Mutex(StreamingReading())
  private let underway = Mutex<StreamingReading.Call?>(nil)
  /// Ends a wait of the thread; nil where the process had no descriptor left.
  private let wake = try? WakeSignal()
  /// Longest wait without ``wake``, s.
  private static let blindWait = 0.1

  /// The request in force.
  var wanted: Request { request.withLock { $0 } }

  /// State of the source.
  var reading: StreamingReading {
    get { report.withLock { $0 } }
    set { report.withLock { $0 = newValue } }
  }

  /// Call on a device that the stream's thread is in; nil: in none.
  var call: StreamingReading.Call? { underway.withLock { $0 } }

  // MARK: - On control

  /// Takes over other settings.
  ///
  /// - Parameters:
  ///   - hearing: Sound at the ears; without ``HearingSettings/streaming`` the stream is off.
  ///   - device: ALSA name; nil: none is configured, and the stream is off.
  func apply(_ hearing: HearingSettings, device: String?) {
    update { ($0.hearing, $0.device) = (hearing, device) }
  }

  // MARK: - On audio, while no sound flows

  /// An aid's chain is about to run.
  ///
  /// - Parameter earphones: ALSA name of the device that plays it.
  func open(_ geometry: ChainGeometry, earphones: String) {
    update { ($0.geometry, $0.earphones) = (geometry, earphones) }
  }

  /// It has ended.
  func close() { update { ($0.geometry, $0.earphones) = (nil, nil) } }

  /// Changes the sources and makes the setting that follows, which takes longer than the stream's thread may wait: what it
  /// asks for has a lock of its own.
  private func update(_ change: (inout Sources) -> Void) {
    sources.withLock { sources in
      change(&sources)
      let isOn = sources.hearing?.streaming != nil && sources.device != nil
      var setting: StreamingChain.Setting?
      if isOn, let geometry = sources.geometry {
        // The aid's own curves were accepted for this geometry: these are the same.
        setting = try? sources.hearing?.streamingSetting(for: geometry)
      }
      let device = isOn ? sources.device : nil
      let earphones = sources.earphones
      request.withLock { $0 = Request(device: device, setting: setting, earphones: earphones) }
    }
    wake?.signal()
  }

  // MARK: - On the stream's thread

  /// Notes that a device is about to be called: one whose sound server hangs lets nobody come back.
  func beginCall(on device: String) {
    underway.withLock { $0 = StreamingReading.Call(device: device, since: SystemTime.monotonic) }
  }

  /// Notes that the call has come back.
  func endCall() { underway.withLock { $0 = nil } }

  /// Waits until something else is wanted.
  ///
  /// - Parameter time: Longest wait, s.
  func rest(_ time: Double) {
    if let wake { return wake.wait(atMost: time) }
    var clock = SystemClock()
    clock.pause(min(time, Self.blindWait))
  }

  /// Ends ``rest(_:)``.
  func wakeUp() { wake?.signal() }
}
