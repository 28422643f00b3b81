import Acoustics
import HearingDSP
import Realtime
import Synchronization

/// One sound of a procedure: a period that one earphone repeats at a calibrated level, and another one in the other earphone where
/// there is one, while what is played and what both microphones hear is recorded. The microphones reach no ear.
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
    /// Frames from there to the end of the take, which are recorded.
    var frames = 0
    /// False: only counted, not recorded.
    var isRecorded = true
  }

  let score: Score
  let limits: OutputLimits
  /// Time in which the output safety stage lets it rise from silence, s.
  let rise: Double?
  private let sound: PeriodicSound
  /// In the other ear.
  private let opposite: PeriodicSound?
  private let wake: WakeSignal?
  // The same without counting of references, for the audio thread.
  private let uncountedSound: Unmanaged<PeriodicSound>
  private let uncountedOpposite: Unmanaged<PeriodicSound>?
  private let uncountedWake: Unmanaged<WakeSignal>?
  private let progress = Atomic<Phase>(.waiting)
  /// Frames played.
  private let position = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)
  private var sent: AlignedBuffer<Float>
  private var left: AlignedBuffer<Float>
  private var right: AlignedBuffer<Float>

  /// - Parameters:
  ///   - sound: Repeated from the start of the take on.
  ///   - opposite: The same for the other ear, at full level; nil: silence.
  ///   - limits: Greatest output meanwhile.
  ///   - rise: Time in which it rises from silence, s; nil: the aid's own.
  ///   - wake: Told when the take has ended.
  init(
    _ score: Score, of sound: PeriodicSound, opposite: PeriodicSound? = nil, limits: OutputLimits,
    rise: Double? = nil, wake: WakeSignal?
  ) {
    (self.score, self.limits, self.rise) = (score, limits, rise)
    (self.sound, self.opposite, self.wake) = (sound, opposite, wake)
    unsafe uncountedSound = Unmanaged.passUnretained(sound)
    unsafe uncountedOpposite = opposite.map { unsafe Unmanaged.passUnretained($0) }
    unsafe uncountedWake = wake.map { unsafe Unmanaged.passUnretained($0) }
    let room = score.isRecorded ? score.frames : 0
    sent = AlignedBuffer(count: room)
    left = AlignedBuffer(count: room)
    right = AlignedBuffer(count: room)
  }

  /// A take before the first; never begun.
  static let none = Take(Score(), of: PeriodicSound([0]), limits: .lowest, wake: nil)

  /// Phase now.
  var phase: Phase { progress.load(ordering: .acquiring) }

  /// Frames played so far.
  var played: Int { position.load(ordering: .acquiring) }

  /// Lets it fall silent before its end; it then counts as broken off.
  func stop() { isStopped.store(true, ordering: .releasing) }

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

  /// True once control wants it to end.
  var isToStop: Bool { isStopped.load(ordering: .acquiring) }

  /// Shows control how much was played, frames.
  func show(played frames: Int) { position.store(frames, ordering: .releasing) }

  /// Writes a hop of the sound to the earphone of its ear.
  ///
  /// - Parameter position: Frames played before.
  func play(_ output: inout MutableSpan<Float>, from start: Int, frames: Int, position: Int) {
    let factor = score.factor
    unsafe uncountedSound._withUnsafeGuaranteedRef {
      $0.write(&output, from: start, frames: frames, position: position, factor: factor)
    }
  }

  /// Writes a hop of the other ear's sound to that ear's earphone, where there is one.
  func playOpposite(_ output: inout MutableSpan<Float>, from start: Int, frames: Int, position: Int) {
    unsafe uncountedOpposite?._withUnsafeGuaranteedRef {
      $0.write(&output, from: start, frames: frames, position: position, factor: 1)
    }
  }

  /// Records what the microphones heard.
  ///
  /// - Parameter position: Frames recorded before.
  func record(
    left leftInput: borrowing Span<Float>, right rightInput: borrowing Span<Float>, from start: Int,
    count: Int, position: Int
  ) {
    guard score.isRecorded else { return }
    for index in 0..<count {
      left[position + index] = leftInput[start + index]
      right[position + index] = rightInput[start + index]
    }
  }

  /// Records what was played.
  func record(sent output: borrowing MutableSpan<Float>, from start: Int, count: Int, position: Int) {
    guard score.isRecorded else { return }
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

  /// - Parameter frames: Of the period; silence follows where the sound is shorter.
  init(_ sound: [Float], frames: Int) {
    var samples = AlignedBuffer<Float>(count: frames)
    for index in 0..<min(frames, sound.count) { samples[index] = sound[index] }
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
