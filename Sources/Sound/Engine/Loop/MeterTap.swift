import AudioIO
import HearingDSP
import Realtime

/// The loop's meters: a tap that reads performer and stream after each block and shows control a reading
/// now and then.
///
/// ``spectra`` and ``microphones`` are called beside it, with the block as it was read and played.
///
/// - Threads: `audio`.
struct MeterTap {
  /// Time between two readings for control, s.
  private static let interval = 0.05

  private(set) var reading = AidReading()
  var spectra: SpectrumTap
  var microphones: MicrophoneTap
  private var told = ToldLatency()
  private var dropouts = DropoutWatch()
  private let state: LoopState
  private let blockTime: Double
  private let blocksPerReading: Int
  private var blocks = 0

  /// - Parameter blockTime: s.
  init(_ state: LoopState, blockTime: Double) {
    (self.state, self.blockTime) = (state, blockTime)
    blocksPerReading = max(1, Int(Self.interval / blockTime))
    spectra = SpectrumTap(state.spectra, blockTime: blockTime)
    microphones = MicrophoneTap(state.microphones)
  }

  /// Time that sound has flowed, s.
  var time: Double { Double(blocks) * blockTime }

  /// Notes what broke the stream last.
  mutating func note(_ fault: StreamFault?) { reading.lastFault = fault }

  /// Notes what the chain has counted before it plays, for the readings of a procedure that plays first.
  mutating func note(_ meters: ChainMeters) { reading.meters = meters }

  /// Notes a gap in the sound: the devices' delay may be another one now.
  mutating func noteRestart(_ fault: StreamFault) {
    (reading.lastFault, reading.deviceLatency, reading.believedLatency) = (fault, nil, nil)
    microphones.noteGap()
    dropouts.note()
    told = ToldLatency()
  }

  /// Counts the work that a block took.
  ///
  /// - Parameter time: s.
  mutating func count(work time: Double) {
    reading.load.count(time / blockTime)
    spectra.note(load: time / blockTime)
  }

  /// Shows a reading, where one is due.
  ///
  /// - Returns: True when one was shown.
  mutating func look<P: Performer & ~Copyable, Stream: SoundStream & ~Copyable>(
    at performer: borrowing LimitedPerformer<P>, _ stream: inout Stream
  ) -> Bool {
    blocks += 1
    if performer.isOpen {
      dropouts.count(blockTime, isRising: performer.isRising)
    } else {
      dropouts.forget()
    }
    guard blocks % blocksPerReading == 0 else { return false }
    show(performer, &stream)
    return true
  }

  /// Shows a reading.
  mutating func show<P: Performer & ~Copyable, Stream: SoundStream & ~Copyable>(
    _ performer: borrowing LimitedPerformer<P>, _ stream: inout Stream
  ) {
    performer.performer.read(into: &reading.meters)
    reading.counters = stream.counters
    reading.drift = stream.drift
    reading.isSilent = performer.isSilent
    reading.isKeptDown = dropouts.isKeptDown
    if let latency = stream.measureLatency() {
      reading.deviceLatency = Int32(clamping: latency)
      told.tell(latency)
      reading.believedLatency = told.believed.map { Int32(truncatingIfNeeded: $0) }
    }
    state.reading.store(reading)
  }

  /// Shows that nothing sounds any more.
  mutating func showSilence() {
    (reading.isSilent, reading.isKeptDown) = (true, false)
    state.reading.store(reading)
  }
}

/// Delay of the devices by many of their own readings.
///
/// Some drivers tell whole periods, most of the time one too many, and very rarely, where they read it
/// while it changed, too few. The shortest is believed but for the shortest of all, a small share.
///
/// - Threads: `any`; allocates nothing.
struct ToldLatency: BitwiseCopyable {
  /// Share of all readings that is left out. Own choice: below one in twenty, which some drivers tell
  /// right; behind a sound server whose cycles were late, one too short a reading spoilt three tests of
  /// twelve while the shortest of all was taken.
  static let leftOut: Float = 0.03

  /// Readings after which counting begins anew, so that there is room for the share left out, and readings
  /// until what was believed before gives way.
  private static let most: Float = 1000
  private static let enough: Float = 100

  /// Delay that was believed before counting began anew; negative: none.
  private var former: Int32 = -1
  /// The shortest so far, ascending, frames.
  private var shortest = SIMD32<Int32>(repeating: .max)
  private var count: Float = 0

  /// Takes a reading, frames.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func tell(_ latency: Int) {
    if count >= Self.most {
      let last = value
      self = ToldLatency()
      former = last
    }
    count += 1
    var longer = Int32(clamping: latency)
    for place in 0..<32 where longer < shortest[place] {
      (shortest[place], longer) = (longer, shortest[place])
    }
  }

  /// Frames; nil: nothing told.
  var believed: Int? { count > 0 ? Int(value) : nil }

  /// Frames, once something was told.
  private var value: Int32 {
    if former >= 0, count < Self.enough { return former }
    // One at least, as soon as there is another: what comes once comes once in the beginning too.
    let wanted = 1 + Int(Self.leftOut * count)
    let last = count < 32 ? Int(count) - 1 : 31
    return shortest[wanted < last ? wanted : last]
  }
}
