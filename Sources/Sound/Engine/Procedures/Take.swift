import Acoustics
import HearingDSP
import Realtime
import Synchronization

/// One sound of a procedure: a period that one earphone repeats at a calibrated level, while what is played
/// and what both microphones hear is recorded. The microphones reach no ear.
///
/// The recordings belong to control before the take is published and after it has ended, to the audio thread
/// in between.
///
/// - Threads: as above.
@safe final class Take: PerformerSetting, @unchecked Sendable {
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    /// The audio thread has not begun it.
    case waiting
    case playing
    /// All is recorded, and nothing sounds any more.
    case done
    /// The sound had a gap; nothing sounds any more.
    case brokenOff
  }

  /// Sound and recording of a take.
  struct Score: Sendable {
    var ear = Ear.left
    /// Factor of the sound; 0: silence.
    var factor: Float = 0
    /// Frames before the recording begins.
    var settling = 0
    /// Frames recorded.
    var frames = 0
  }

  let score: Score
  let limits: OutputLimits
  private let sound: PeriodicSound
  private let wake: WakeSignal?
  // The same without counting of references, for the audio thread.
  private let uncountedSound: Unmanaged<PeriodicSound>
  private let uncountedWake: Unmanaged<WakeSignal>?
  private let progress = Atomic<Phase>(.waiting)
  private var sent: AlignedBuffer<Float>
  private var left: AlignedBuffer<Float>
  private var right: AlignedBuffer<Float>

  /// - Parameters:
  ///   - sound: Repeated from the start of the take on.
  ///   - limits: Greatest output meanwhile.
  ///   - wake: Told when the take has ended.
  init(_ score: Score, of sound: PeriodicSound, limits: OutputLimits, wake: WakeSignal?) {
    self.score = score
    self.limits = limits
    self.sound = sound
    self.wake = wake
    unsafe uncountedSound = Unmanaged.passUnretained(sound)
    unsafe uncountedWake = wake.map { unsafe Unmanaged.passUnretained($0) }
    sent = AlignedBuffer(count: score.frames)
    left = AlignedBuffer(count: score.frames)
    right = AlignedBuffer(count: score.frames)
  }

  /// A take before the first; never begun.
  static let none = Take(Score(), of: PeriodicSound([0]), limits: .lowest, wake: nil)

  /// Phase now.
  var phase: Phase { progress.load(ordering: .acquiring) }

  /// Takes it back where it has not begun.
  func withdraw() {
    _ = progress.compareExchange(expected: .waiting, desired: .brokenOff, ordering: .acquiringAndReleasing)
  }

  /// Recordings, once the take has ended.
  func recording() -> (sent: [Float], heard: Binaural<[Float]>) {
    func copy(_ buffer: borrowing AlignedBuffer<Float>) -> [Float] {
      var copy: [Float] = []
      copy.reserveCapacity(buffer.count)
      for index in 0..<buffer.count { copy.append(buffer[index]) }
      return copy
    }
    return (copy(sent), Binaural(left: copy(left), right: copy(right)))
  }

  // MARK: - On audio

  /// Begins, unless it has begun before.
  ///
  /// - Returns: True when it has begun now.
  func begin() -> Bool {
    progress.compareExchange(expected: .waiting, desired: .playing, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// Gives the turn back to control, which finds out when it is woken.
  func end(_ phase: Phase) { progress.store(phase, ordering: .releasing) }

  /// Wakes control: one write to an event counter.
  func wakeControl() { unsafe uncountedWake?._withUnsafeGuaranteedRef { $0.signal() } }

  /// Writes a hop of the sound.
  ///
  /// - Parameter position: Frames played before.
  func play(_ output: inout MutableSpan<Float>, from start: Int, frames: Int, position: Int) {
    let factor = score.factor
    unsafe uncountedSound._withUnsafeGuaranteedRef {
      $0.write(&output, from: start, frames: frames, position: position, factor: factor)
    }
  }

  /// Records what the microphones heard.
  ///
  /// - Parameter position: Frames recorded before.
  func record(
    left leftInput: borrowing Span<Float>, right rightInput: borrowing Span<Float>, from start: Int,
    count: Int, position: Int
  ) {
    for index in 0..<count {
      left[position + index] = leftInput[start + index]
      right[position + index] = rightInput[start + index]
    }
  }

  /// Records what was played.
  func record(sent output: borrowing MutableSpan<Float>, from start: Int, count: Int, position: Int) {
    for index in 0..<count { sent[position + index] = output[start + index] }
  }
}

/// One period of a sound that is repeated, full scale ± 1.
///
/// - Threads: any; immutable.
final class PeriodicSound: Sendable {
  private let samples: AlignedBuffer<Float>

  init(_ period: [Double]) {
    var samples = AlignedBuffer<Float>(count: period.count)
    for index in 0..<period.count { samples[index] = Float(period[index]) }
    self.samples = samples
  }

  /// Frames of the period.
  var count: Int { samples.count }

  /// Writes frames of the endless repetition.
  func write(
    _ output: inout MutableSpan<Float>, from start: Int, frames: Int, position: Int, factor: Float
  ) {
    for index in 0..<frames { output[start + index] = factor * samples[(position + index) % samples.count] }
  }
}
