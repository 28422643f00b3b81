import Acoustics
import Realtime

/// The hearing aid's sound path, one block at a time, both ears: microphone samples in, prescribed samples
/// out.
///
/// History, without direct current → feedback canceller → frequency lowering → one transform of the pair → band levels →
/// level-dependent gain → minimum-phase gain window, crossfaded → inverse transform → tinnitus sound → frequency shift
/// and notches → limiter and clamp → ramp. The ramp comes last: before the limiter, a loud sound's beginning would be
/// lifted to the limit at once. Live sound and files go through the same calls.
///
/// The delay is the block plus the gain window's group delay; see `docs/performance.md` for the figures.
///
/// - Threads: built on `control`; ``process(left:right:intoLeft:intoRight:)`` and everything that changes
///   the chain on one thread, `audio`. Nothing there allocates, locks or throws.
public struct HearingChain: ~Copyable {
  /// Time from full sound to silence when muted, s.
  public static let muteTime = 0.02

  public let geometry: ChainGeometry
  /// Meters of the sound so far.
  public private(set) var meters = ChainMeters()

  private var left: EarGain
  private var right: EarGain
  private var leftMeter: EarMeterReader
  private var rightMeter: EarMeterReader
  private var ramp: OutputRamp
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

  /// Builds a chain that is silent until ``open()``.
  ///
  /// - Parameters:
  ///   - geometry: Sizes.
  ///   - bands: Bands.
  ///   - parameters: First setting, built for the same bands and geometry.
  ///   - rise: Time from silence to full sound, s, at least 0.05.
  /// - Throws: ``ChainError/noPlan(length:)``.
  public init(
    geometry: ChainGeometry, bands: BandLayout, parameters: ChainParameters, rise: Double = 0.3
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
    left = EarGain(parameters.left, basis: basis, geometry: geometry)
    right = EarGain(parameters.right, basis: basis, geometry: geometry)
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
    ramp = OutputRamp(rise: max(0.05, rise), fall: Self.muteTime, sampleRate: geometry.sampleRate)
    binauralLink = parameters.binauralLink
    formerLink = parameters.binauralLink
    progressStep = Float(geometry.hopTime / parameters.treatment.transition)
    exposureShare = Float(geometry.hopTime / (geometry.hopTime + LevelMemory.exposureTime))
    meters.bandCount = Int32(bands.count)
  }

  /// The left ear's feedback path as the canceller knows it: impulse response behind the bulk delay. Control and tests
  /// only; allocates.
  var feedbackPath: [Double] { feedback.canceller.response }

  /// Whether the output is silence and stays so.
  public var isSilent: Bool { ramp.isSilent }

  /// Lets sound rise from silence.
  public mutating func open() { ramp.open() }

  /// Lets sound fall to silence.
  public mutating func close() { ramp.close() }

  /// After a gap in the sound: forgets everything heard, falls silent at once and rises again if it was
  /// open.
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
    ramp.cut()
  }

  /// Moves to another setting over its ``Treatment/transition``, from the gain in force, also when that is
  /// itself on its way.
  ///
  /// A lower limit takes effect at once, a higher one rises to it (``EarGain/limitRise``); what other times and
  /// another link make of the sound comes with the same transition.
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

  /// Processes one block.
  ///
  /// - Parameters:
  ///   - leftInput: `blockFrames` samples of the left microphone, full scale ± 1.
  ///   - rightInput: Of the right one, or the same for a single microphone.
  ///   - leftOutput: `blockFrames` samples for the left ear.
  ///   - rightOutput: For the right ear.
  /// - Complexity: O(block). Allocates nothing and takes no lock.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func process(
    left leftInput: borrowing Span<Float>, right rightInput: borrowing Span<Float>,
    intoLeft leftOutput: inout MutableSpan<Float>, intoRight rightOutput: inout MutableSpan<Float>
  ) {
    for hop in 0..<geometry.hopsPerBlock {
      let start = geometry.hopStart(hop)
      let frames = geometry.hopStart(hop + 1) - start
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
      finish(
        &leftOutput, &rightOutput, from: start, frames: frames,
        isWhole: !leftFinding.isNonFinite && !rightFinding.isNonFinite)
    }
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

  /// Limits both ears and reads their output. An output that is not finite silences both ears, which then
  /// start again from silence.
  private mutating func finish(
    _ leftOutput: inout MutableSpan<Float>, _ rightOutput: inout MutableSpan<Float>, from start: Int,
    frames: Int, isWhole: Bool
  ) {
    feedback.treat(&leftOutput, &rightOutput, from: start, frames: frames)
    let leftIsFinite = left.limit(&leftOutput, from: start, frames: frames)
    let rightIsFinite = right.limit(&rightOutput, from: start, frames: frames)
    if !leftIsFinite { leftMeter.noteBrokenOutput() }
    if !rightIsFinite { rightMeter.noteBrokenOutput() }
    if !leftIsFinite || !rightIsFinite { restart() }
    // After the limiter, which would otherwise lift the beginning of a loud sound to the limit at once; a
    // factor of at most 1 cannot exceed what the limiter allowed.
    if isWhole && leftIsFinite && rightIsFinite {
      ramp.apply(&leftOutput, &rightOutput, from: start, frames: frames)
    } else {
      ramp.silence(&leftOutput, &rightOutput, from: start, frames: frames)
    }
    feedback.lower(&leftOutput, &rightOutput, from: start, frames: frames)
    feedback.remember(
      leftOutput, rightOutput, from: start, frames: frames,
      limited: (left.limiter.gain < 0.9, right.limiter.gain < 0.9),
      output: (left.outputShare, right.outputShare))
    leftMeter.note(left, frames: frames, ramp: ramp.factor * feedback.leftGuard.relief.factor)
    rightMeter.note(right, frames: frames, ramp: ramp.factor * feedback.rightGuard.relief.factor)
  }
}
