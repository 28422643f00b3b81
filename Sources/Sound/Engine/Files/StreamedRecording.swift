import AudioIO
import Base
import HearingDSP
import Realtime

/// A recording as the stream of a rendering: by the same prescription and through the same feed as live, pushed block by
/// block ahead of the chain that takes it. Its clock is the rendering's.
///
/// - Threads: `control`.
struct StreamedRecording: ~Copyable {
  let feed: StreamingFeed
  private var reader: SoundFileReader
  private var chain: StreamingChain
  private var left: AlignedBuffer<Float>
  private var right: AlignedBuffer<Float>
  private var isEnded = false

  /// Blocks with a sample that was infinite, not a number, or too large to be squared.
  var nonFiniteBlocks: Int { chain.nonFiniteBlocks }

  /// Pushes what the next block of the rendering needs, and before the first as much as has to wait.
  mutating func advance() throws(RenderingError) {
    let wanted = feed.target + chain.geometry.blockFrames
    while !isEnded, feed.waiting < wanted {
      let got = try Self.read(&reader, &left, &right)
      chain.process(left: left, right: right, count: got)
      isEnded = got < left.count
      if isEnded { flush(to: wanted) }
    }
    // The end of the recording is no interruption.
    if isEnded { feed.isFlowing = false }
  }

  /// Puts silence behind the recording's last samples, which makes whole blocks of them, and as many as have to wait before the first
  /// is heard.
  private mutating func flush(to wanted: Int) {
    for n in 0..<left.count { (left[n], right[n]) = (0, 0) }
    repeat { chain.process(left: left, right: right, count: left.count) } while feed.waiting < wanted
  }

  private static func read(
    _ reader: inout SoundFileReader, _ left: inout AlignedBuffer<Float>, _ right: inout AlignedBuffer<Float>
  ) throws(RenderingError) -> Int {
    var leftSpan = left.mutableSpan
    var rightSpan = right.mutableSpan
    do { return try reader.read(left: &leftSpan, right: &rightSpan) } catch { throw .sound(error) }
  }
}

extension StreamedRecording {
  /// - Parameter settings: With ``HearingSettings/streaming``.
  /// - Throws: ``RenderingError`` of the file or of settings that cannot be played.
  init(_ path: String, settings: HearingSettings, geometry: ChainGeometry) throws(RenderingError) {
    let setting = try rethrowing(RenderingError.fitting, try settings.streamingSetting(for: geometry))
    guard let setting else { preconditionFailure("a streamed recording needs settings for it") }
    let feed = StreamingFeed()
    let chain = try rethrowing(RenderingError.chain, try StreamingChain(setting, feed: feed))
    // As a whole: where the properties were stored one after the other between calls that throw, Swift 6.3.1 closed the
    // reader twice.
    (feed.target, feed.isFlowing) = (chain.leastTarget + geometry.blockFrames, true)
    self.init(
      feed: feed, reader: try Recordings.reader(path).resampled(to: Int(geometry.sampleRate)), chain: chain,
      left: AlignedBuffer(count: geometry.blockFrames), right: AlignedBuffer(count: geometry.blockFrames))
  }
}
