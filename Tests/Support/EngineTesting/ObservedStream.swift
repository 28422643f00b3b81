import AudioIO
import AudioIOTesting

@testable import Engine

/// A stream on a scripted card that tells a bench what happens, and lets it act before anything does.
struct ObservedStream: SoundStream, ~Copyable {
  var base: DuplexStream<FakePCM>
  unowned let bench: LiveBench

  var captureName: String { base.capture.name }
  var playbackName: String { base.playback.name }
  var period: Int { base.period }
  var captureFormat: StreamFormat? { base.captureFormat }
  var playbackFormat: StreamFormat? { base.playbackFormat }
  var counters: StreamCounters { base.counters }
  var drift: ClockDrift { base.drift }

  mutating func open() throws(PCMOpenError) {
    bench.willOpen()
    try base.open()
  }

  mutating func close() {
    bench.willClose()
    base.close()
  }

  mutating func wait() -> StreamEvent {
    bench.willWait()
    return bench.note(base.wait())
  }

  mutating func read(left: inout MutableSpan<Float>, right: inout MutableSpan<Float>) -> StreamEvent {
    bench.note(base.read(left: &left, right: &right))
  }

  mutating func write(left: Span<Float>, right: Span<Float>) -> StreamEvent {
    let event = bench.note(base.write(left: left, right: right))
    if event == .block { bench.blocks += 1 }
    return event
  }

  mutating func measureLatency() -> Int? {
    let latency = base.measureLatency()
    if let latency { bench.latencies.append(latency) }
    return latency
  }
}
