import Base
import Control
import Engine

/// Calls and music from another program.
extension ServiceState {
  /// Streamed sound as it is to be heard; nil: off, or there is no device for it.
  var streaming: StreamingSettings? {
    let isOn = programs.isStreaming && configuration.configuration.device.stream != nil
    return isOn ? streamingSettings : nil
  }

  /// The same whether it is on or not.
  private var streamingSettings: StreamingSettings {
    let memory = programs.memory.stream
    return StreamingSettings(
      level: memory.level, balance: memory.balance,
      microphoneReduction: configuration.configuration.stream.microphones)
  }

  /// The report; nil: no device is configured.
  var streamReport: StatusReport.Stream? {
    guard let device = configuration.configuration.device.stream else { return nil }
    let isSounding = audio.devices != nil && (state.name == .running || state.name == .muted)
    return StatusReport.Stream(
      audio.streaming, device: device, settings: streamingSettings, isOn: programs.isStreaming,
      limits: heard.adjustmentLimits, volume: heard.adjustment.held(within: heard.adjustmentLimits).volume,
      isSounding: isSounding, test: test?.task.name, hanging: hangingStream, note: programs.streamNote)
  }

  /// ALSA name of a device from which the stream's thread does not come back, as one of the aid's own that does not open; nil: there
  /// is none.
  private var hangingStream: String? {
    guard let call = audio.streaming.call, now.monotonic - call.since >= SoundControl.longestOpening else {
      return nil
    }
    return call.device
  }

  /// Writes to the disk that the stream is off since a crash: the next start would turn it on.
  mutating func keepStreamOff() { if programs.isStreamHeld { keepProgram() } }

  /// Logs that the stream has come or gone, and why.
  mutating func followStream(since former: StreamingReading) {
    if hangingStream != loggedHanging, let device = hangingStream {
      log(.warning, "stream: \(StatusReport.Stream.trouble(ofHanging: device))")
    }
    loggedHanging = hangingStream
    guard audio.streaming.state != former.state else { return }
    switch audio.streaming.state {
    case .off: log(.info, "stream: off")
    case .waiting(let reason): log(.warning, "stream: waiting: \(reason)")
    case .flowing: log(.info, "stream: \(audio.streaming.device ?? "a device") delivers")
    }
  }
}
