import Acoustics
import AudioIO
import Base
import HearingDSP
import Realtime

/// One run of recordings through the chain, with a sound level meter and a spectrum on either side of it.
///
/// - Threads: `control`.
struct RenderingPass: ~Copyable {
  private let recordings: Recordings
  private let settings: HearingSettings
  private var chain: LimitedChain
  private var input: SoundObservation
  private var output: SoundObservation
  private var clipped = 0
  /// Blocks of the streamed recording that were silence for their samples.
  private var streamedNonFinite = 0
  /// Frames written.
  private var written = 0
  private var followed: FollowedScene
  private var spectra: RenderedSpectra?
  private var streamed: StreamedRecording?

  /// - Parameters:
  ///   - watches: True where spectra are made.
  ///   - streamed: Recording that is streamed meanwhile.
  init(
    _ recordings: Recordings, settings: HearingSettings, blockFrames: Int, followsScene: Bool,
    watches: Bool,
    streamed: String?
  ) throws(RenderingError) {
    let rate = Double(recordings.rate)
    let geometry = try rethrowing(
      RenderingError.chain, try ChainGeometry(sampleRate: rate, blockFrames: blockFrames))
    let parameters = try rethrowing(RenderingError.fitting, try settings.parameters(for: geometry))
    var stream: StreamedRecording?
    if let streamed { stream = try StreamedRecording(streamed, settings: settings, geometry: geometry) }
    // The shortest rise: a recording is not put on the ear while it is rendered.
    var chain = try rethrowing(
      RenderingError.chain,
      try LimitedChain(
        geometry: geometry, bands: settings.bands, parameters: parameters, rise: 0.05,
        streaming: stream?.feed))
    chain.open()
    let (microphones, earphones) = (settings.microphones, settings.earphones)
    let input = try SoundObservation(
      sampleRate: rate,
      fullScale: Calibrated(microphones.channels[0].nominalLevel, status: microphones.device.status))
    let output = try SoundObservation(
      sampleRate: rate,
      fullScale: Calibrated(earphones.sensitivity.left.nominalLevel, status: earphones.device.status))
    spectra = watches ? RenderedSpectra(parameters, geometry: geometry) : nil
    self.recordings = recordings
    self.settings = settings
    self.chain = chain
    followed = FollowedScene(settings, isFollowing: followsScene)
    self.input = input
    self.output = output
    self.streamed = stream
  }

  /// Renders everything into a file, which appears whole or not at all.
  ///
  /// - Parameters:
  ///   - isReplacing: False: a file of that name stays, and this fails at the end.
  ///   - counted: Frames that there are; nil: known is what the files state.
  ///   - spectrum: Given each spectrum, 25 for each second of sound.
  mutating func run(
    into path: String, replacing isReplacing: Bool, counted: Int?, progress: (Double) -> Void,
    spectrum: (SpectrumFrame) -> Void
  ) throws(RenderingError) {
    let recordings = recordings
    guard !recordings.contains(path) else { throw .wouldOverwrite(path: path) }
    var length = counted ?? recordings.frameCount
    var writer = try Self.begin(path, recordings, &length, isCounted: counted != nil)
    var block = SoundBlock(frames: chain.geometry.blockFrames)
    var done = 0
    var reported = 0
    let total = max(length, 1)
    try recordings.forEachBlock(in: &block) { block, frames throws(RenderingError) in
      try streamed?.advance()
      block.process(&chain)
      if let frame = spectra?.look(at: chain, block) { spectrum(frame) }
      if let setting = try followed.follow(&chain) { spectra?.note(setting) }
      do throws(SoundFileError) {
        try writer.write(
          left: block.leftOutput.span.extracting(0..<frames),
          right: block.rightOutput.span.extracting(0..<frames))
      } catch { throw .sound(error) }
      observe(&block, frames)
      done += frames
      if done - reported > total / 200 {
        reported = done
        progress(Double(done) / Double(total))
      }
    }
    // Frames were stated, and there was not one.
    guard done > 0 else { throw .sound(.lengthRefused(path: recordings.paths.first ?? path)) }
    (clipped, written) = (writer.clippedSamples, done)
    streamedNonFinite = streamed?.nonFiniteBlocks ?? 0
    do { try writer.finish(replacing: isReplacing) } catch { throw .sound(error) }
    progress(1)
  }

  /// Begins the file. A length that is stated alone and leaves no room for it is counted first, for nothing may stand behind it.
  ///
  /// - Parameter length: Frames to come; those that were counted in the end.
  private static func begin(
    _ path: String, _ recordings: Recordings, _ length: inout Int, isCounted: Bool
  ) throws(RenderingError) -> SoundFileWriter {
    do throws(SoundFileError) {
      return try SoundFileWriter(path: path, rate: recordings.rate, expectedFrames: length)
    } catch {
      switch error {
      case .tooLong, .diskFull:
        let found = try isCounted ? length : recordings.countFrames()
        guard found < length else { throw .sound(error) }
        length = found
      default: throw .sound(error)
      }
    }
    return try rethrowing(
      RenderingError.sound,
      try SoundFileWriter(path: path, rate: recordings.rate, expectedFrames: length))
  }

  /// Measures both sides of the chain. A sample of the input that is not a number counts as silence.
  private mutating func observe(_ block: inout SoundBlock, _ frames: Int) {
    for n in 0..<frames {
      if !block.leftInput[n].isFinite { block.leftInput[n] = 0 }
      if !block.rightInput[n].isFinite { block.rightInput[n] = 0 }
    }
    input.process(block.leftInput.span.extracting(0..<frames), block.rightInput.span.extracting(0..<frames))
    output.process(
      block.leftOutput.span.extracting(0..<frames), block.rightOutput.span.extracting(0..<frames))
  }

  /// Figures of both sides.
  func result(rendering: FileRendering, time: Double) throws(RenderingError) -> RenderingResult {
    let (left, right) = try rethrowing(RenderingError.fitting, (try result(.left), try result(.right)))
    return RenderingResult(
      inputs: rendering.inputs, output: rendering.output, settings: settings,
      sampleRate: chain.geometry.sampleRate,
      duration: Double(written) / Double(recordings.rate), time: time, clippedOutput: clipped,
      programs: followed.programs, ears: Binaural(left: left, right: right),
      streamedNonFinite: streamedNonFinite)
  }

  private func result(_ ear: Ear) throws(FittingFailure) -> EarResult {
    let meters = ear == .left ? chain.meters.left : chain.meters.right
    return EarResult(
      input: input.summary(ear), output: output.summary(ear), curves: try settings.curves(for: ear),
      fitting: try settings.fitting(for: ear),
      limitedShare: Double(meters.limitedFrames) / Double(max(chain.meters.frames, 1)),
      clippedInput: Int(meters.clippedInput), nonFinite: Int(meters.nonFinite))
  }
}

/// The programs of a rendering: one all along, or the automatic program's choices on the way.
///
/// - Threads: `control`.
struct FollowedScene {
  /// Time between two readings, s: as live.
  private static let interval = 0.05

  /// Programs heard, and from when on, s.
  private(set) var programs: [(program: ListeningProgram, time: Double)] = []
  private var settings: HearingSettings
  private var automatic: AutomaticProgram?
  private var pace = ProgramPace()
  private var due = 0.0

  init(_ settings: HearingSettings, isFollowing: Bool) {
    self.settings = settings
    if let program = settings.program { programs = [(program, 0)] }
    automatic = isFollowing ? AutomaticProgram(from: settings.program ?? .quiet) : nil
  }

  /// Reads the scene when it is time, and moves the chain to another program when one is due.
  ///
  /// - Returns: The chain's new setting; nil: the former one.
  mutating func follow(_ chain: inout LimitedChain) throws(RenderingError) -> ChainParameters? {
    guard automatic != nil else { return nil }
    let time = Double(chain.meters.frames) / chain.geometry.sampleRate
    guard time >= due else { return nil }
    due += Self.interval
    guard let program = automatic?.hear(chain.meters.scene, at: time) else { return nil }
    var next = settings
    next.program = program
    next = pace.settings(next, after: settings, shortest: ProgramPace.byItself, now: time)
    let geometry = chain.geometry
    let setting = try rethrowing(RenderingError.fitting, try next.parameters(for: geometry))
    chain.retarget(to: setting)
    settings = next
    programs.append((program, time))
    return setting
  }
}
