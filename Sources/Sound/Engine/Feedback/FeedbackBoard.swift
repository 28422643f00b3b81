import Acoustics
import Glibc
import Realtime
import Synchronization

/// What the test and its audio thread tell each other: orders to play and to record, and what was recorded.
///
/// Whose turn it is decides who may touch orders and recordings: control until an order stands (``Phase/ordered``), the
/// audio thread until it is carried out.
///
/// - Threads: as above; the rest `any`.
final class FeedbackBoard: @unchecked Sendable {
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    /// Devices are being opened.
    case opening
    /// Silence flows; an order may be given.
    case ready
    /// An order is being carried out.
    case ordered
    /// The thread has given the devices back.
    case ended
  }

  /// What is to be played and recorded.
  struct Order: Sendable {
    var ear = Ear.left
    /// Factor of the signal; 0: silence.
    var factor: Float = 0
    /// Frames before the recording begins.
    var settling = 0
    /// Frames recorded, at most the board's.
    var frames = 0
  }

  /// What is known once the devices are open.
  struct Notice: Sendable {
    var fault: FeedbackFault?
    var devices: AidDevices?
  }

  let phase = Atomic<Phase>(.opening)
  let notice = Mutex(Notice())
  /// Frames between the converters as the devices say; negative: nothing.
  let latency = Atomic<Int>(-1)

  /// One period, RMS 1.
  let signal: AlignedBuffer<Float>
  let rate: Double
  var order = Order()
  /// Whether sound broke off while the last order was carried out.
  var isBroken = false
  var sent: AlignedBuffer<Float>
  var left: AlignedBuffer<Float>
  var right: AlignedBuffer<Float>

  /// - Parameter periods: Most that one order records.
  init(rate: Double, periods: Int) {
    self.rate = rate
    let period = FeedbackSignal(rate: rate).period
    var signal = AlignedBuffer<Float>(count: period.count)
    for index in 0..<period.count { signal[index] = Float(period[index]) }
    self.signal = signal
    sent = AlignedBuffer(count: period.count * periods)
    left = AlignedBuffer(count: period.count * periods)
    right = AlignedBuffer(count: period.count * periods)
  }

  /// Ends with a reason, or without one.
  func end(_ fault: FeedbackFault?) {
    notice.withLock { if $0.fault == nil { $0.fault = fault } }
    phase.store(.ended, ordering: .releasing)
  }

  /// What was recorded, while control has its turn.
  func recording() -> (sent: [Float], left: [Float], right: [Float]) {
    func copy(_ buffer: borrowing AlignedBuffer<Float>, _ count: Int) -> [Float] {
      var copy: [Float] = []
      copy.reserveCapacity(count)
      for index in 0..<count { copy.append(buffer[index]) }
      return copy
    }
    let count = order.frames
    return (copy(sent, count), copy(left, count), copy(right, count))
  }
}

/// A narrow range of frequencies and how much of the earphones' sound comes back there.
///
/// - Threads: `any`.
public struct FeedbackCell: Sendable, Equatable {
  /// Its middle, Hz.
  public var frequency: Double
  /// Greatest |F| in it, dB, full scale to full scale: what both earphones send to this ear's microphone, added as if
  /// in step.
  public var level: Double
  /// What noise alone would read there, RMS, dB.
  public var noise: Double

  public init(frequency: Double, level: Double, noise: Double) {
    self.frequency = frequency
    self.level = level
    self.noise = noise
  }

  /// Least distance from the noise at which what came back is taken for feedback, dB. The greatest of some bins of
  /// noise stands 5 to 8 dB above its RMS; own choice, a few dB more.
  static let leastDistance = 12.0
  /// Lowest level told, dB: the quiet end of 24 bits.
  static let floor = -144.0

  /// Whether it is feedback; else ``level`` is a bound that it lies below.
  public var isFound: Bool { level - noise >= Self.leastDistance }

  /// Cells to an octave: as fine as a peak of a path of some ms is wide.
  static let perOctave = 12.0
  /// The first cell's middle, Hz.
  static let lowest = 100.0

  /// Middles of all cells below a share of the rate, Hz.
  static func frequencies(rate: Double) -> [Double] {
    var frequencies: [Double] = []
    var frequency = lowest
    while frequency < FeedbackSignal.highest * rate {
      frequencies.append(frequency)
      frequency = lowest * exp2(Double(frequencies.count) / perOctave)
    }
    return frequencies
  }
}
