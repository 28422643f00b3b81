import Acoustics
import Glibc
import Realtime

/// Which of the chain's bands make up each of the few wide channels in which surroundings are judged.
///
/// - Threads: built on `control`, read on `audio`.
struct SceneBands: ~Copyable {
  /// Channels.
  static let channelCount = 6
  /// Upper edges of all channels but the last, Hz. Own choice: about an octave each over the range that carries
  /// speech also through a telephone, one channel below it and one above.
  static let edges = [340.0, 700, 1400, 2250, 4200]
  /// Below this centre a band does not count for whether it is quiet, Hz: what rumbles there fills every
  /// room and is hardly heard (A-weighting at 125 Hz: −16 dB, IEC 61672-1).
  static let rumble = 177.0

  /// Whether each channel has a band. Without that nothing can be judged.
  let isComplete: Bool
  /// Channel of each band.
  private var channel: AlignedBuffer<Int32>
  /// First band that counts for quiet.
  private let firstHeard: Int

  init(_ layout: BandLayout) {
    channel = AlignedBuffer(count: layout.count)
    var found = Set<Int>()
    for (band, centre) in layout.centres.enumerated() {
      let index = Self.edges.firstIndex { centre < $0 } ?? Self.channelCount - 1
      channel[band] = Int32(index)
      found.insert(index)
    }
    isComplete = found.count == Self.channelCount
    firstHeard = layout.centres.firstIndex { $0 >= Self.rumble } ?? layout.count
  }

  /// Bands of the layout.
  var count: Int { channel.count }

  /// Adds up the channels' powers.
  ///
  /// - Parameters:
  ///   - power: Of each band.
  ///   - factor: Multiplies each.
  /// - Returns: Power of each channel in the first six lanes; of all bands; of those above ``rumble``.
  func gather(
    _ power: borrowing AlignedBuffer<Float>, factor: Float
  ) -> (channels: SIMD8<Float>, all: Float, heard: Float) {
    precondition(power.count >= channel.count)
    var channels = SIMD8<Float>()
    var (all, heard): (Float, Float) = (0, 0)
    for band in 0..<channel.count {
      let share = power[band] * factor
      channels[Int(channel[band])] += share
      all += share
      heard += band >= firstHeard ? share : 0
    }
    return (channels, all, heard)
  }
}
