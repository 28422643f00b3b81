public import AudioIO
import Glibc
public import HearingDSP

/// The devices of a running aid, as granted.
public struct AidDevices: Sendable, Equatable {
  /// ALSA name of the device that captures, as opened.
  public let captureName: String
  /// ALSA name of the device that plays, as opened.
  public let playbackName: String
  /// Format that capture granted.
  public let capture: StreamFormat
  /// Format that playback granted.
  public let playback: StreamFormat
  /// Frames per block.
  public let period: Int
}

/// One reading of a running aid: plain numbers that cross from the audio thread to control.
public struct AidReading: BitwiseCopyable, Sendable {
  /// Levels, gains, limits; during a procedure those from before it.
  public var meters = ChainMeters()
  /// Restarts, xruns, lost time.
  public var counters = StreamCounters()
  /// Work ÷ period.
  public var load = LoadHistogram()
  /// Frames between the devices' converters, as they say; nil until measured.
  public var deviceLatency: Int32?
  /// The same as believed after many measurements, see ``ToldLatency``.
  public var believedLatency: Int32?
  /// Last fault of the stream; nil when there was none.
  public var lastFault: StreamFault?
  /// Drift of playback's clock against capture's.
  public var drift = ClockDrift.shared
  /// True while drop-outs keep the sound below its full level (``DropoutWatch``).
  public var isKeptDown = false
  /// True while the output is silence: muted, or not yet risen.
  public var isSilent = true

  /// Nothing measured yet.
  public init() {}
}

/// Share of each period that the work took, as counts in 64 classes that each are a quarter octave wide.
///
/// - Threads: counted on `audio`, read on `control` as a copy.
public struct LoadHistogram: BitwiseCopyable, Sendable {
  /// Lowest share that is told apart from nothing: 2⁻¹², 0.02 % of the period.
  private static var lowest: Double { 0x1p-12 }
  private static var classesPerOctave: Double { 4 }

  private var counts = InlineArray<64, UInt64>(repeating: 0)
  /// Greatest share so far.
  public private(set) var greatest = 0.0
  /// Blocks counted.
  public private(set) var blocks: UInt64 = 0

  /// Nothing counted yet.
  public init() {}

  /// Counts one block.
  ///
  /// - Parameter share: Work ÷ period.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func count(_ share: Double) {
    blocks &+= 1
    if share > greatest { greatest = share }
    let class64 = Self.octaves(share / Self.lowest) * Self.classesPerOctave
    let index = class64 > 0 ? (class64 < 63 ? Int(class64) : 63) : 0
    counts[index] &+= 1
  }

  /// Share that `part` of all blocks did not exceed, to a quarter octave; 0 before the first block.
  ///
  /// - Parameter part: 0...1.
  public func percentile(_ part: Double) -> Double {
    guard blocks > 0 else { return 0 }
    let wanted = Double(blocks) * part
    var passed = 0.0
    for index in 0..<64 {
      passed += Double(counts[index])
      if passed >= wanted {
        return min(greatest, Self.lowest * exp2((Double(index) + 1) / Self.classesPerOctave))
      }
    }
    return greatest
  }

  /// log2 without libm, to 0.01: exponent and a line through the mantissa.
  @inline(__always) private static func octaves(_ value: Double) -> Double {
    guard value >= 1 else { return 0 }
    let bits = value.bitPattern
    let exponent = Double(Int64(bitPattern: bits >> 52) - 1023)
    let mantissa = Double(bitPattern: (bits & 0x000F_FFFF_FFFF_FFFF) | 0x3FF0_0000_0000_0000) - 1
    // log2(1 + m) ≈ m + 0.344 m (1 − m), greatest error 0.01.
    return exponent + mantissa + 0.344 * mantissa * (1 - mantissa)
  }
}
