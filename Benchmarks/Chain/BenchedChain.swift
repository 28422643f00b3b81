import Acoustics
import Base
import Fitting
import HearingDSP
import Realtime

/// A fitted chain with a sound that it hears over and over.
struct BenchedChain: ~Copyable {
  /// dB SPL at full scale, microphones and earphones.
  static let fullScale = SoundPressureLevel(110)
  /// Greatest output, dB SPL.
  static let limit = SoundPressureLevel(105)

  let frames: Int
  /// Time that one block lasts, s.
  let period: Double
  private var chain: LimitedChain
  private let sound: StereoSound
  private var position = 0
  private let left: AlignedBuffer<Float>
  private let right: AlignedBuffer<Float>

  /// Both ears with moderate to severe loss, unlike each other, compression 2:1, standard bands; open and
  /// warm.
  ///
  /// - Parameter extras: What is turned on besides the prescribed gain.
  init(_ sound: StereoSound, sampleRate: Double, frames: Int, extras: Extras = .none) throws {
    let bands = BandLayout.standard
    let geometry = try ChainGeometry(sampleRate: sampleRate, blockFrames: frames)
    let rule = try NALRPCompressive(compressionRatio: 2)
    let curves = Binaural(
      left: try rule.curves(for: StandardAudiogram.n3.audiogram, bands: bands),
      right: try rule.curves(for: StandardAudiogram.n4.audiogram, bands: bands))
    let ears = curves.map { curves in
      EarFitting(
        curves: curves, bandLimits: curves.map { _ in Self.limit }, outputLimit: Self.limit,
        inputAtFullScale: Self.fullScale, outputAtFullScale: curves.map { _ in Self.fullScale },
        lowering: extras.lowering, tinnitusSound: extras.tinnitusSound)
    }
    let parameters = try ChainParameters(
      ears, dynamics: extras.dynamics, treatment: extras.treatment, bands: bands, geometry: geometry)
    chain = try LimitedChain(geometry: geometry, bands: bands, parameters: parameters)
    chain.open()
    self.frames = frames
    self.sound = sound
    period = Double(frames) / sampleRate
    left = AlignedBuffer(count: frames)
    right = AlignedBuffer(count: frames)
    // Half a second: past the ramp, the attack and every first call.
    run(blocks: Int(0.5 / period))
  }

  /// Share of all frames so far that a limiter worked on, mean of both ears, 0...1.
  var limitedShare: Double {
    let meters = chain.meters
    return Double(meters.left.limitedFrames + meters.right.limitedFrames) / Double(2 * meters.frames)
  }

  /// Processes the next blocks of the sound.
  mutating func run(blocks: Int) {
    // Copies of their own: a span of a property would lock the whole value.
    let (leftSound, rightSound) = (sound.left, sound.right)
    for _ in 0..<blocks {
      if position + frames > sound.count { position = 0 }
      let block = position..<position + frames
      var leftSpan = UnsafeMutableBufferPointer(start: left.pointer, count: frames).mutableSpan
      var rightSpan = UnsafeMutableBufferPointer(start: right.pointer, count: frames).mutableSpan
      chain.process(
        left: leftSound.span.extracting(block), right: rightSound.span.extracting(block),
        intoLeft: &leftSpan, intoRight: &rightSpan)
      position += frames
    }
  }

  /// Processor time of each of the next blocks, s. The clock's own reading, about 0.2 µs, is part of it.
  mutating func times(blocks: Int) -> [Double] {
    var times: [Double] = []
    times.reserveCapacity(blocks)
    var before = SystemTime.thread
    for _ in 0..<blocks {
      run(blocks: 1)
      let after = SystemTime.thread
      times.append(after - before)
      before = after
    }
    return times
  }
}
