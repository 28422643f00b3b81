import AudioIO
import AudioIOTesting

/// The simplest program there is: what comes in goes out, and every event is written down.
struct LoopProgram: ~Copyable {
  let rig: FakeRig
  var stream: DuplexStream<FakePCM>
  var events: [StreamEvent] = []
  /// Latencies measured after each block, frames.
  var latencies: [Int] = []

  init(
    _ rig: FakeRig, request: StreamRequest = StreamRequest(), pairing: ClockPairing = .automatic
  ) {
    self.rig = rig
    stream = DuplexStream(
      capture: rig.device(.capture), playback: rig.device(.playback), clock: rig.clock,
      request: request, pairing: pairing)
  }

  /// Runs until so many blocks were written, the stream is lost, or too much has happened.
  ///
  /// - Returns: Blocks written.
  @discardableResult
  mutating func run(blocks: Int) -> Int {
    var left = [Float](repeating: 0, count: stream.period)
    var right = left
    var written = 0
    for _ in 0..<(10 * blocks + 100) where written < blocks {
      let waited = stream.wait()
      guard waited == .block else {
        events.append(waited)
        if case .lost = waited { break }
        continue
      }
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      let read = stream.read(left: &leftSpan, right: &rightSpan)
      guard read == .block else {
        events.append(read)
        continue
      }
      let wrote = stream.write(left: left.span, right: right.span)
      guard wrote == .block else {
        events.append(wrote)
        continue
      }
      written += 1
      if let latency = stream.measureLatency() { latencies.append(latency) }
    }
    return written
  }

  /// The faults after which the stream ran again.
  var restarts: [StreamFault] {
    events.compactMap { if case .restarted(let fault, _) = $0 { fault } else { nil } }
  }

  /// The fault that ended the stream.
  var loss: StreamFault? {
    for case .lost(let fault) in events { return fault }
    return nil
  }
}

extension FakeRig {
  /// Time from the last sound before the converter last started to the first after it, s.
  func heardSilence() -> Double {
    guard runs.count > 1, let run = runs.last,
      let first = (run.index..<heardLeft.count).first(where: { heardLeft[$0] != 0 })
    else { return 0 }
    let former = runs[runs.count - 2]
    let last = (former.index..<run.index).last { heardLeft[$0] != 0 } ?? former.index
    let ended = former.time + Double(last + 1 - former.index) / former.speed
    return run.time + Double(first - run.index) / run.speed - ended
  }

  /// Whether every run of the converter began with so many frames of silence.
  func beginsSilently(frames: Int) -> Bool {
    runs.indices.allSatisfy { n in
      let end = n + 1 < runs.count ? runs[n + 1].index : heardLeft.count
      let first = runs[n].index
      return (first..<min(first + frames, end)).allSatisfy { heardLeft[$0] == 0 && heardRight[$0] == 0 }
    }
  }
}
