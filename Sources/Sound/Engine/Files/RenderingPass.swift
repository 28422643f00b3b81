import Acoustics
import AudioIO
import HearingDSP
import Realtime

/// One run of recordings through the chain, with a sound level meter and a spectrum on either side of it.
///
/// - Threads: `control`.
struct RenderingPass: ~Copyable {
  private let recordings: Recordings
  private let geometry: ChainGeometry
  private var chain: LimitedChain
  private var input: SoundObservation
  private var output: SoundObservation
  private var clipped = 0
  private var followed: FollowedScene

  init(
    _ recordings: consuming Recordings, settings: HearingSettings, blockFrames: Int,
    followsScene: Bool = false
  ) throws(RenderingError) {
    let rate = Double(recordings.rate)
    let geometry = try Self.geometry(rate, blockFrames)
    let chain = try Self.chain(geometry, settings)
    let input = try SoundObservation(sampleRate: rate, fullScale: Self.inputScale(settings))
    let output = try SoundObservation(sampleRate: rate, fullScale: Self.outputScale(settings))
    self.recordings = recordings
    self.geometry = geometry
    self.chain = chain
    followed = FollowedScene(settings, isFollowing: followsScene)
    self.input = input
    self.output = output
  }

  /// Renders everything into a file, which appears whole or not at all.
  mutating func run(into path: String, progress: (Double) -> Void) throws(RenderingError) {
    guard !recordings.contains(path) else { throw .wouldOverwrite(path: path) }
    var writer = try Self.writer(path, recordings)
    var block = SoundBlock(frames: geometry.blockFrames)
    var done = 0
    var reported = 0
    let total = max(recordings.frameCount, 1)
    try recordings.forEachBlock(of: geometry.blockFrames) { left, right, frames throws(RenderingError) in
      block.take(left, right)
      block.process(&chain)
      try followed.listen(to: &chain)
      try block.put(frames: frames, into: &writer)
      block.show(frames: frames, to: &input, &output)
      done += frames
      if done - reported > total / 200 {
        reported = done
        progress(Double(done) / Double(total))
      }
    }
    clipped = writer.clippedSamples
    do {
      try writer.finish()
    } catch {
      throw .sound(error)
    }
    progress(1)
  }

  /// What was seen on either side.
  func result(
    rendering: FileRendering, settings: HearingSettings, time: Double
  ) throws(RenderingError) -> RenderingResult {
    var ears: [EarResult] = []
    for ear in Ear.allCases {
      let meters = ear == .left ? chain.meters.left : chain.meters.right
      do {
        ears.append(
          EarResult(
            input: input.summary(ear), output: output.summary(ear), curves: try settings.curves(for: ear),
            fitting: try settings.fitting(for: ear),
            limitedShare: Double(meters.limitedFrames) / Double(max(chain.meters.frames, 1)),
            clippedInput: Int(meters.clippedInput), nonFinite: Int(meters.nonFinite)))
      } catch {
        throw .fitting(error)
      }
    }
    return RenderingResult(
      inputs: rendering.inputs, output: rendering.output, settings: settings,
      sampleRate: geometry.sampleRate, duration: Double(recordings.frameCount) / geometry.sampleRate,
      time: time, clippedOutput: clipped, programs: followed.programs,
      ears: Binaural(left: ears[0], right: ears[1]))
  }

  // MARK: - Beginning

  private static func geometry(_ rate: Double, _ frames: Int) throws(RenderingError) -> ChainGeometry {
    do {
      return try ChainGeometry(sampleRate: rate, blockFrames: frames)
    } catch {
      throw .chain(error)
    }
  }

  private static func chain(
    _ geometry: ChainGeometry, _ settings: HearingSettings
  ) throws(RenderingError) -> LimitedChain {
    let parameters: ChainParameters
    do {
      parameters = try settings.parameters(for: geometry)
    } catch {
      throw .fitting(error)
    }
    do {
      // The shortest rise: a recording is not put on the ear while it is rendered.
      var chain = try LimitedChain(
        geometry: geometry, bands: settings.bands, parameters: parameters, rise: 0.05)
      chain.open()
      return chain
    } catch {
      throw .chain(error)
    }
  }

  private static func inputScale(_ settings: HearingSettings) -> Calibrated<SoundPressureLevel> {
    Calibrated(settings.microphones.channels[0].nominalLevel, status: settings.microphones.device.status)
  }

  private static func outputScale(_ settings: HearingSettings) -> Calibrated<SoundPressureLevel> {
    Calibrated(settings.earphones.sensitivity.left.nominalLevel, status: settings.earphones.device.status)
  }

  private static func writer(
    _ path: String, _ recordings: borrowing Recordings
  ) throws(RenderingError) -> SoundFileWriter {
    do {
      return try SoundFileWriter(
        path: path, rate: recordings.rate, channels: 2, encoding: .pcm24,
        expectedFrames: recordings.frameCount)
    } catch {
      throw .sound(error)
    }
  }
}
