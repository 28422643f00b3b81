import Acoustics
import Realtime

/// The hearing aid's sound path, one hop at a time, both ears: microphone samples in, prescribed samples
/// out, for the output safety stage.
///
/// History, without direct current → feedback canceller → frequency lowering → one transform of the pair → band levels →
/// level-dependent gain → minimum-phase gain window, crossfaded → inverse transform → tinnitus sound → frequency shift
/// and notches; then ``OutputSafety``. What is played comes back to the canceller by ``note(left:right:from:frames:played:)``.
/// Live sound and files go through the same calls.
///
/// The delay is the block plus the gain window's group delay; see `docs/performance.md` for the figures.
///
/// - Threads: built on `control`; the rest on one thread, `audio`. Nothing there allocates, locks or throws.
public struct HearingChain: Performer, ~Copyable {
  public let geometry: ChainGeometry
  /// Meters of the sound so far.
  public private(set) var meters = ChainMeters()

  private var left: EarGain
  private var right: EarGain
  private var leftMeter: EarMeterReader
  private var rightMeter: EarMeterReader
  private var history: PairHistory
  private var directCurrent: DirectCurrentBlock
  private var analyser: BandAnalyser
  var scenes: SceneClassifier
  private let transform: PairTransform
  private var basis: GainBasis
  private var leftLogarithm: LogWindow
  private var rightLogarithm: LogWindow
  private var spectrum: PairSpectrum
  private var filter: PairFilter
  private var filtered: AlignedBuffer<Float>
  private var lowering: LoweringPair
  private var tinnitus: TinnitusSource
  private var relief: PairRelief
  private var binauralLink: Float
  private var feedback: FeedbackStage
  private var formerLink: Float
  private var progress: Float = 1
  private var progressStep: Float
  private let exposureShare: Float

  /// Builds a chain.
  ///
  /// - Parameters:
  ///   - geometry: Sizes.
  ///   - bands: Bands.
  ///   - parameters: First setting, built for the same bands and geometry.
  /// - Throws: ``ChainError/noPlan(length:)``.
  public init(
    geometry: ChainGeometry, bands: BandLayout, parameters: ChainParameters
  ) throws(ChainError) {
    precondition(parameters.bands == bands, "a setting made for other bands")
    precondition(parameters.left.geometry == geometry, "a setting made for another rate or block")
    let basis = try GainBasis(bands, geometry: geometry)
    let transform = try PairTransform(length: geometry.filterLength)
    let analyser = try BandAnalyser(bands, geometry: geometry)
    let lowering = try LoweringPair(geometry: geometry)
    let tinnitus = try TinnitusSource(geometry: geometry)
    let feedback = try FeedbackStage(geometry, parameters: parameters)
    let scenes = try SceneClassifier(bands, geometry: geometry)
    self.geometry = geometry
    left = EarGain(parameters.left, basis: basis)
    right = EarGain(parameters.right, basis: basis)
    leftMeter = EarMeterReader(stride: left.table.stride, hopTime: geometry.hopTime)
    rightMeter = EarMeterReader(stride: left.table.stride, hopTime: geometry.hopTime)
    leftLogarithm = LogWindow(basis: basis)
    rightLogarithm = LogWindow(basis: basis)
    self.basis = basis
    self.transform = transform
    self.feedback = feedback
    self.analyser = analyser
    self.scenes = scenes
    history = PairHistory(length: geometry.filterLength)
    directCurrent = DirectCurrentBlock(sampleRate: geometry.sampleRate)
    spectrum = PairSpectrum(length: geometry.filterLength)
    filter = PairFilter(geometry: geometry)
    filtered = AlignedBuffer(count: 2 * geometry.filterLength)
    self.lowering = lowering
    self.lowering.retarget(
      parameters.leftLowering, parameters.rightLowering, time: parameters.treatment.transition)
    self.tinnitus = tinnitus
    self.tinnitus.retarget(
      parameters.leftNoise, parameters.rightNoise, time: parameters.treatment.transition)
    relief = PairRelief(parameters.treatment, layout: bands, geometry: geometry)
    binauralLink = parameters.binauralLink
    formerLink = parameters.binauralLink
    progressStep = Float(geometry.hopTime / parameters.treatment.transition)
    exposureShare = Float(geometry.hopTime / (geometry.hopTime + LevelMemory.exposureTime))
    meters.bandCount = Int32(bands.count)
  }

  /// True: ambient sound is always to be heard.
  public var isPlaying: Bool { true }

  /// Writes ``meters``.
  public func read(into meters: inout ChainMeters) { meters = self.meters }

  /// The left ear's feedback path as the canceller knows it: impulse response behind the bulk delay. Control and tests
  /// only; allocates.
  var feedbackPath: [Double] { feedback.canceller.response }

  /// After a gap in the sound: forgets everything heard.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func restart() {
    history.reset()
    directCurrent.reset()
    lowering.reset()
    left.reset()
    right.reset()
    feedback.reset()
    scenes.reset()
    relief.reset()
  }

  /// Moves to another setting over its ``Treatment/transition``, from the gain in force, also when that is
  /// itself on its way.
  ///
  /// What other times and another link make of the sound comes with the same transition.
  ///
  /// - Parameter parameters: Built for this chain's bands and geometry; its numbers are copied.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func retarget(to parameters: ChainParameters) {
    left.retarget(parameters.left)
    right.retarget(parameters.right)
    lowering.retarget(
      parameters.leftLowering, parameters.rightLowering, time: parameters.treatment.transition)
    tinnitus.retarget(
      parameters.leftNoise, parameters.rightNoise, time: parameters.treatment.transition)
    formerLink = binauralLink
    relief.retarget(parameters.treatment)
    binauralLink = parameters.binauralLink
    feedback.retarget(parameters)
    progressStep = Float(geometry.hopTime / parameters.treatment.transition)
    progress = 0
  }

  /// Makes one hop. What came in and is not a number is asked to be silence.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func process(
    left leftInput: borrowing Span<Float>, right rightInput: borrowing Span<Float>,
    intoLeft leftOutput: inout MutableSpan<Float>, intoRight rightOutput: inout MutableSpan<Float>,
    from start: Int, frames: Int
  ) -> OutputRequest {
    let (leftFinding, rightFinding) = history.admit(
      left: leftInput, right: rightInput, from: start, count: frames)
    let powers = directCurrent.apply(to: &history.frames, count: frames)
    feedback.receive(&history, frames: frames)
    lowering.apply(to: &history.frames, count: frames)
    updateGains(frames: frames)
    scenes.hear(left, right, history: history.frames, newest: frames)
    render(&leftOutput, &rightOutput, from: start, frames: frames)
    tinnitus.add(to: &leftOutput, &rightOutput, from: start, count: frames)
    leftMeter.note(leftFinding, power: powers[0])
    rightMeter.note(rightFinding, power: powers[1])
    feedback.treat(&leftOutput, &rightOutput, from: start, frames: frames)
    var request = OutputRequest()
    request.isSilent = leftFinding.isNonFinite || rightFinding.isNonFinite
    feedback.lower(&request, frames: frames)
    return request
  }

  /// Gives the canceller and the meters the hop as it is played.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func note(
    left leftOutput: borrowing MutableSpan<Float>, right rightOutput: borrowing MutableSpan<Float>,
    from start: Int, frames: Int, played: OutputReport
  ) {
    if played.isBroken { restart() }
    feedback.remember(leftOutput, rightOutput, from: start, frames: frames, played: played)
    leftMeter.note(
      left, played.left, frames: frames, ramp: played.ramp * feedback.leftGuard.relief.factor)
    rightMeter.note(
      right, played.right, frames: frames, ramp: played.ramp * feedback.rightGuard.relief.factor)
    if start + frames == geometry.blockFrames { completeMeters() }
  }

  /// Completes the meters of a block.
  private mutating func completeMeters() {
    leftMeter.complete(left)
    rightMeter.complete(right)
    let isCancelling = feedback.canceller.isActive
    leftMeter.complete(feedback.leftGuard, feedback.canceller.left, isCancelling: isCancelling)
    rightMeter.complete(feedback.rightGuard, feedback.canceller.right, isCancelling: isCancelling)
    meters.left = leftMeter.reading
    meters.right = rightMeter.reading
    meters.scene = scenes.reading
    meters.scene.isWindy = relief.wind.isWindy
    meters.frames += Int64(geometry.blockFrames)
  }

  /// Reads the levels of the newest frames, `frames` of them new, and moves both ears' gains.
  private mutating func updateGains(frames: Int) {
    spectrum.read(history.frames, transform: transform)
    feedback.read(spectrum)
    analyser.read(history.frames, spectrum: spectrum, left: &left.bandPower, right: &right.bandPower)
    left.readLevels(exposureShare: exposureShare)
    right.readLevels(exposureShare: exposureShare)
    relief.update(history.frames, frames: frames, spectrum: spectrum, left: &left, right: &right)
    progress = min(1, progress + progressStep)
    // Eased, so that a change neither begins nor ends with a corner: 3p² − 2p³ is flat at both ends.
    let eased = progress * progress * (3 - 2 * progress)
    linkLevels()
    left.followLevels(progress: eased)
    right.followLevels(progress: eased)
    basis.expand(left: left.gains.nepers, right: right.gains.nepers, into: &leftLogarithm, &rightLogarithm)
    left.advanceWindow(leftLogarithm)
    right.advanceWindow(rightLogarithm)
  }

  /// Moves both ears' levels towards the louder one's, by the link in force, and by the former one for what the former
  /// setting makes of them.
  private mutating func linkLevels() {
    if progress < 1 {
      left.readFormerLevels()
      right.readFormerLevels()
      if formerLink > 0 {
        left.linkFormer(right.memory.level, share: formerLink)
        right.linkFormer(left.memory.level, share: formerLink)
      }
    }
    if binauralLink > 0 {
      left.link(right.memory.level, share: binauralLink)
      right.link(left.memory.level, share: binauralLink)
    }
  }

  /// Filters the newest frames: overlap-save, so only they are free of the circular wrap.
  private mutating func render(
    _ leftOutput: inout MutableSpan<Float>, _ rightOutput: inout MutableSpan<Float>, from start: Int,
    frames: Int
  ) {
    filter.apply(
      spectrum, left: left.window, right: right.window, frames: frames, transform: transform,
      into: &filtered)
    let newest = 2 * (geometry.filterLength - frames)
    for n in 0..<frames {
      leftOutput[start + n] = filtered[newest + 2 * n]
      rightOutput[start + n] = filtered[newest + 2 * n + 1]
    }
  }
}
