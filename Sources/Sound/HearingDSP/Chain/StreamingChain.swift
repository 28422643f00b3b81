import Acoustics
import Glibc
import Realtime

/// Streamed sound by the prescription of each ear, into the feed from which the audio thread adds it.
///
/// A chain of its own, so that neither sound sets the other's gain: with one compressor for the sum, music would turn a
/// voice in the room down and clattering dishes the music, by as much as the ratio asks for. It runs on the stream's thread,
/// for a second chain is 6.5 units of work and the audio thread has 16 (docs/performance.md); the few milliseconds that
/// wait in the feed matter to streamed sound alone.
///
/// Its sound reaches an ear only through the feed, and so behind the ``OutputSafety`` of the aid's chain.
///
/// - Threads: built and run on the thread that pushes into the feed, which may wait and allocate.
public struct StreamingChain: ~Copyable {
  /// Setting of a stream.
  public struct Setting: Sendable {
    /// Prescription, whose microphone is the stream: built for the geometry and the bands of the aid's chain.
    public let parameters: ChainParameters
    /// Factor of the stream before the prescription, linear, above 0.
    public let factor: Float

    /// - Parameters:
    ///   - parameters: See the property.
    ///   - level: Of the stream relative to its calibration, dB.
    public init(_ parameters: ChainParameters, level: Double) {
      self.parameters = parameters
      factor = Float(pow(10, level / 20))
    }

    /// Sizes of the aid's chain.
    public var geometry: ChainGeometry { parameters.tables.left.geometry }
  }

  /// Mean square above which a stream is sounding, not silent: that of a sine at −60 dB FS, half of 10⁻⁶.
  /// Own choice: above the noise of a telephone line and of 16 bits, below any music.
  private static let soundingPower: Float = 5e-7
  /// Time for which a pause in the sound does not count as silence, s. Own choice: longer than a talker's pause for breath.
  private static let pause = 2.0

  /// Sizes that the first setting was built for; every later one has the same.
  public let geometry: ChainGeometry
  private let feed: StreamingFeed
  private var chain: HearingChain
  private var level: GlidingFactor
  private var wantedLevel: Float
  /// No block has been processed since the beginning or the last ``reset()``: no level is in force.
  private var isFresh = true
  private var leftInput: Buffer
  private var rightInput: Buffer
  private var leftOutput: Buffer
  private var rightOutput: Buffer
  /// Frames of the block that is not whole yet.
  public private(set) var pending = 0
  /// Frames for which there was no room in the feed.
  public private(set) var lostFrames = 0
  /// Blocks with a sample that was infinite, not a number, or too large to be squared: silence to the chain.
  public private(set) var nonFiniteBlocks = 0
  /// Level of each channel as it comes, Fast-weighted, as a mean square.
  private var power = Binaural<Float>(both: 0)
  private var silentBlocks = Int.max
  private let share: Float

  /// - Throws: ``ChainError/noPlan(length:)``.
  public init(_ setting: Setting, feed: StreamingFeed) throws(ChainError) {
    geometry = setting.geometry
    self.feed = feed
    chain = try HearingChain(
      geometry: geometry, bands: setting.parameters.bands, parameters: setting.parameters)
    level = GlidingFactor(setting.factor, hopTime: Double(geometry.blockFrames) / geometry.sampleRate)
    wantedLevel = setting.factor
    leftInput = AlignedBuffer(count: geometry.blockFrames)
    rightInput = AlignedBuffer(count: geometry.blockFrames)
    leftOutput = AlignedBuffer(count: geometry.blockFrames)
    rightOutput = AlignedBuffer(count: geometry.blockFrames)
    share = Float(1 - exp(-Double(geometry.blockFrames) / geometry.sampleRate / EarMeterStage.fast))
  }

  /// Level of the stream as it comes, of the louder channel, Fast-weighted, dB FS: 0 is a full-scale sine.
  public var inputLevel: Double {
    Double(Decibel.fromPower(2 * max(power.left, power.right) + 1e-20))
  }

  /// Least number of frames that must wait in the feed for sound to go on.
  public var leastTarget: Int { StreamingStage.leastTarget(geometry) }

  /// Moves to another setting, built for the same bands and geometry.
  public mutating func retarget(to setting: Setting) {
    chain.retarget(to: setting.parameters)
    wantedLevel = setting.factor
    if isFresh { restartLevel() }
  }

  /// Takes the wanted level at once: with the one before nothing is heard.
  private mutating func restartLevel() {
    level = GlidingFactor(wantedLevel, hopTime: Double(geometry.blockFrames) / geometry.sampleRate)
  }

  /// After a gap in the stream: clears everything remembered of it.
  public mutating func reset() {
    chain.restart()
    (pending, power, silentBlocks, isFresh) = (0, Binaural(both: 0), .max, true)
    restartLevel()
    feed.isSounding = false
  }

  /// Takes frames of the stream and pushes what is whole blocks of them.
  ///
  /// - Parameters: Full scale ± 1.
  public mutating func process(
    left: borrowing AlignedBuffer<Float>, right: borrowing AlignedBuffer<Float>, count: Int
  ) {
    for n in 0..<count {
      leftInput[pending] = left[n]
      rightInput[pending] = right[n]
      pending += 1
      guard pending == geometry.blockFrames else { continue }
      pending = 0
      processBlock()
    }
  }

  private mutating func processBlock() {
    isFresh = false
    var squares = Binaural<Float>(both: 0)
    let (from, to) = level.process(towards: wantedLevel)
    let step = (to - from) / Float(geometry.blockFrames)
    for n in 0..<geometry.blockFrames {
      let (left, right) = (leftInput[n], rightInput[n])
      squares.left += left * left
      squares.right += right * right
      let factor = from + step * Float(n + 1)
      leftInput[n] = left * factor
      rightInput[n] = right * factor
    }
    let count = Float(geometry.blockFrames)
    note(Binaural(left: squares.left / count, right: squares.right / count))
    Self.process(&chain, leftInput, rightInput, &leftOutput, &rightOutput)
    if !feed.push(left: leftOutput, right: rightOutput, count: geometry.blockFrames) {
      lostFrames += geometry.blockFrames
    }
  }

  /// Notes the mean square of a block's channels.
  private mutating func note(_ squares: Binaural<Float>) {
    // What is not a number is silence to the chain.
    if !(squares.left < .infinity && squares.right < .infinity) { nonFiniteBlocks += 1 }
    let own = squares.map { $0 < .infinity ? $0 : 0 }
    power.left += share * (own.left - power.left)
    power.right += share * (own.right - power.right)
    let isSounding = max(own.left, own.right) > Self.soundingPower
    silentBlocks = isSounding ? 0 : silentBlocks == .max ? .max : silentBlocks + 1
    feed.isSounding = Double(silentBlocks) * Double(geometry.blockFrames) < Self.pause * geometry.sampleRate
  }

  // The spans of two properties cannot be had at once, those of two parameters can.
  private static func process(
    _ chain: inout HearingChain, _ leftInput: borrowing Buffer, _ rightInput: borrowing Buffer,
    _ leftOutput: inout Buffer, _ rightOutput: inout Buffer
  ) {
    var left = leftOutput.mutableSpan
    var right = rightOutput.mutableSpan
    let geometry = chain.geometry
    for hop in 0..<geometry.hopsPerBlock {
      let start = geometry.hopStart(hop)
      // Its requests are of the guard against howls, which has no microphone here.
      _ = chain.process(
        left: leftInput.span, right: rightInput.span, intoLeft: &left, intoRight: &right, from: start,
        frames: geometry.hopStart(hop + 1) - start)
    }
  }
}
