import AudioIO

/// The live loop's stream between two drifting clocks in virtual time: every sample that leaves the converter is looked at.
///
/// Each ear has a tone of its own. Capture's frame n holds sample n of both, so that the sound itself tells which frame is heard, and the
/// delay is known apart from what the devices tell of it.
package struct ClockTrial: ~Copyable {
  /// Figures of a stretch of time.
  package struct Figures: Sendable, Equatable {
    /// Blocks written.
    package var blocks = 0
    /// Samples that were heard of both ears.
    package var heard = 0
    /// Samples at which a tone was broken: lost, doubled, swapped or disturbed ones.
    package var broken = 0
    /// Events other than a block: restarts, stalls, losses.
    package var mishaps = 0
    /// Delay by the devices' account, with the converter's, frames.
    package var told = Extent()
    /// Delay of the sound itself, frames.
    package var found = Extent()
    /// Difference of the clocks as it was, and as the stream told it once it was settled, parts per million.
    package var difference = Extent()
    package var drift = Extent()

    package init() {}
  }

  /// Least, greatest and mean of a quantity.
  package struct Extent: Sendable, Equatable {
    package var least = Double.infinity
    package var greatest = -Double.infinity
    private var sum = 0.0
    private var count = 0

    package init() {}
    package var mean: Double { count > 0 ? sum / Double(count) : .nan }
    package var width: Double { greatest - least }

    package mutating func take(_ value: Double) {
      least = min(least, value)
      greatest = max(greatest, value)
      sum += value
      count += 1
    }

    package mutating func add(_ other: Extent) {
      least = min(least, other.least)
      greatest = max(greatest, other.greatest)
      sum += other.sum
      count += other.count
    }
  }

  /// Frames of a block, and of the silence that playback begins with: the shipped defaults.
  package static let (period, prefill) = (64, 192)
  /// Half the converter's filter, frames, to the nearest: the stream's delay beyond ``prefill``.
  private static let filter = 20
  /// Virtual time between two changes of the oscillators, s.
  private static let step = 1.0
  /// Sound that is not looked at in the beginning, blocks: the prefill, and the filter's own beginning.
  private static let beginning = 16

  private let rig: FakeRig
  private var stream: DuplexStream<FakePCM>
  private let clocks: DriftingClocks
  private let start: Double
  private var leftEar = ToneCheck(period: 45, amplitude: 0.5)
  private var rightEar = ToneCheck(period: 36, amplitude: 0.5)
  private var blocks = 0
  private var nextStep = 0.0

  /// - Parameter start: Time of day at which it begins, s since midnight.
  package init(clocks: DriftingClocks = DriftingClocks(), start: Double = 0) throws {
    (self.clocks, self.start) = (clocks, start)
    rig = FakeRig(recordingCapacity: 1 << 10)
    rig.sharesClock = false
    rig.isLinkable = false
    let leftTone = leftEar.samples
    let rightTone = rightEar.samples
    rig.source = { frame, channel in
      channel == 0 ? leftTone[frame % leftTone.count] : rightTone[frame % rightTone.count]
    }
    stream = DuplexStream(capture: rig.device(.capture), playback: rig.device(.playback), clock: rig.clock)
    try stream.open()
    retune()
  }

  /// Lets so much virtual time pass.
  ///
  /// - Returns: Its figures.
  package mutating func run(seconds: Double) -> Figures {
    var figures = Figures()
    let end = rig.time + seconds
    var left = [Float](repeating: 0, count: Self.period)
    var right = left
    while rig.time < end, figures.mishaps < 1000 {
      guard block(&left, &right) else {
        figures.mishaps += 1
        continue
      }
      figures.blocks += 1
      blocks += 1
      if rig.time >= nextStep { retune() }
      listen(&figures)
    }
    figures.difference.take(clocks.difference(at: start + rig.time))
    if let drift = stream.drift.partsPerMillion { figures.drift.take(drift) }
    return figures
  }

  /// Lets capture's card lose frames unseen, as no card should: what follows comes too early.
  package func loseFrames(_ count: Int) { rig.withSide(.capture) { $0.unseen += count } }

  /// One block from capture to playback, unchanged.
  private mutating func block(_ left: inout [Float], _ right: inout [Float]) -> Bool {
    guard stream.wait() == .block else { return false }
    var leftSpan = left.mutableSpan
    var rightSpan = right.mutableSpan
    guard stream.read(left: &leftSpan, right: &rightSpan) == .block else { return false }
    return stream.write(left: left.span, right: right.span) == .block
  }

  /// Gives both oscillators the rate of this moment.
  private mutating func retune() {
    let time = start + rig.time
    rig.setDrift(.capture, clocks.capture(at: time))
    rig.setDrift(.playback, clocks.playback(at: time))
    nextStep = rig.time + Self.step
  }

  /// Looks at every sample that was heard since the last block, and at the delay.
  private mutating func listen(_ figures: inout Figures) {
    let isBeginning = blocks < Self.beginning
    for index in rig.heardLeft.indices {
      let isWhole = leftEar.take(rig.heardLeft[index])
      let isRightWhole = rightEar.take(rig.heardRight[index])
      if !isBeginning, !isWhole || !isRightWhole { figures.broken += 1 }
    }
    figures.heard += rig.heardLeft.count
    rig.forgetRecording()
    guard !isBeginning else { return }
    if let frames = stream.measureLatency() { figures.told.take(Double(frames)) }
    figures.found.take(delay(of: leftEar))
    figures.found.take(delay(of: rightEar))
  }

  /// Frames between capture and the sample of a tone that was heard last: whole periods are known from the delay that is to be.
  private func delay(of ear: ToneCheck) -> Double {
    let played = rig.playback.position(at: rig.time)
    let since = played - Double(rig.playback.hardware - 1)
    let captured = rig.capture.position(at: rig.time) - since
    let target = Double(Self.prefill + Self.filter)
    let beyond = captured - ear.place - target
    let period = Double(ear.period)
    return target + beyond - (beyond / period).rounded() * period
  }
}

extension ClockTrial.Figures {
  /// Adds those of the time that followed.
  package mutating func add(_ other: Self) {
    blocks += other.blocks
    heard += other.heard
    broken += other.broken
    mishaps += other.mishaps
    told.add(other.told)
    found.add(other.found)
    difference.add(other.difference)
    drift.add(other.drift)
  }
}
