public import Acoustics
import Realtime

/// Sound path of the hearing aid, one hop at a time, both ears: samples of the microphones in, prescribed
/// samples out, for the output safety stage.
///
/// History, without direct current → feedback canceller → frequency lowering → one transform of the pair →
/// band levels → level-dependent gain → minimum-phase gain window, crossfaded → inverse transform →
/// frequency shift and notches → tinnitus sound → streamed sound; then ``OutputSafety``. The sound as it is played comes back to
/// the canceller by ``processPlayed(left:right:from:frames:played:)``. Live sound and files go through the same
/// calls.
///
/// The delay is the block plus the gain window's group delay; see `docs/performance.md` for the figures.
///
/// - Threads: built on `control`; the rest on one thread, `audio`. Nothing there allocates, locks or throws.
public struct HearingChain: Performer, ~Copyable {
  /// Sizes of a block and of its hops.
  public let geometry: ChainGeometry
  /// Meters of the sound so far.
  public private(set) var meters = ChainMeters()

  private var history: PairHistory
  private var directCurrent: DirectCurrentBlock
  private(set) var feedback: FeedbackStage
  private var lowering: LoweringStage
  private let transform: InverseTransform
  private var spectrum: PairSpectrum
  private var bands: BandAnalyser
  private var gain: GainStage
  private var relief: ReliefStage
  private var scenes: SceneClassifier
  private var filter: FilterStage
  private var tinnitus: TinnitusStage
  private var streaming: StreamingStage
  private var earMeters: Binaural<EarMeterStage>
  private var played = OutputReport()
  /// ``ChainParameters/number`` of the setting in force.
  private var setting: Int
  /// Edges of the bands in bins of an estimated path.
  private let edges: Buffer

  // So that the code that frees all these parts is here alone, instead of at each place where a chain ends.
  deinit {}

  /// True: ambient sound is always audible.
  public var isPlaying: Bool { true }

  /// Writes ``meters``.
  public func read(into meters: inout ChainMeters) { meters = self.meters }

  /// Writes what the gain of the last hop was made of.
  public func read(into frame: inout ChainFrame) {
    (frame.setting, frame.scene, frame.ramp) = (setting, meters.scene, played.ramp)
    gain.ears.left.read(into: &frame.ears.left)
    gain.ears.right.read(into: &frame.ears.right)
    relief.read(into: &frame.ears)
    let bandCount = Int(meters.bandCount)
    feedback.read(into: &frame.ears, edges: edges, bandCount: bandCount)
    // Whole parts are asked: each access to a part of a part of the chain would cost the compiler a second.
    bands.read(into: &frame.ears, bandCount: bandCount)
    played.read(into: &frame.ears)
    frame.microphones = streaming.meters.microphones
  }

  /// After a gap in the sound: clears everything remembered of it.
  public mutating func restart() {
    history.reset()
    directCurrent.reset()
    lowering.reset()
    gain.reset()
    feedback.reset()
    scenes.reset()
    relief.reset()
    streaming.reset()
    // While a procedure plays no block follows that would tell it.
    meters.streaming = streaming.meters
  }

  /// Moves to another setting over its ``Treatment/transition``, from the gain in force, also when that is
  /// itself in transition.
  ///
  /// Other time constants and another link take effect over the same transition.
  ///
  /// - Parameter parameters: Built for this chain's bands and geometry; its numbers are copied.
  public mutating func retarget(to parameters: ChainParameters) {
    let treatment = parameters.treatment
    setting = parameters.number
    gain.retarget(
      to: parameters.tables, link: parameters.binauralLink, transition: treatment.transition,
      relief: relief.attenuation)
    lowering.retarget(to: parameters.lowerings, time: treatment.transition)
    tinnitus.retarget(to: parameters.noises, time: treatment.transition)
    relief.retarget(to: treatment, listeners: parameters.listeners)
    streaming.retarget(toMicrophones: parameters.streamedMicrophones)
    feedback.retarget(to: treatment.feedback, paths: parameters.paths)
  }

  /// Makes one hop. What came in and is not a number is asked to be silence.
  public mutating func process(
    left leftInput: borrowing Span<Float>, right rightInput: borrowing Span<Float>,
    intoLeft leftOutput: inout MutableSpan<Float>, intoRight rightOutput: inout MutableSpan<Float>,
    from start: Int, frames: Int
  ) -> OutputRequest {
    let findings = history.process(left: leftInput, right: rightInput, from: start, count: frames)
    let powers = directCurrent.process(&history.frames, count: frames)
    earMeters.forEach(findings, powers) { $0.processInput($1, power: $2) }
    feedback.processInput(&history.frames, frames: frames)
    lowering.process(&history.frames, count: frames)
    spectrum.process(history.frames)
    feedback.processSpectrum(spectrum)
    bands.process(history.frames, spectrum: spectrum)
    gain.processPowers(bands.power)
    relief.process(
      history.frames, frames: frames, spectrum: spectrum, powers: bands.power, gains: gain.ears)
    gain.processGains(relief: relief.attenuation)
    scenes.process(bands.power, gains: gain.ears, history: history.frames, newest: frames)
    filter.process(
      gain.ears, spectrum: spectrum, transform: transform, left: &leftOutput, right: &rightOutput,
      from: start, frames: frames)
    streaming.processMicrophones(&leftOutput, &rightOutput, from: start, frames: frames)
    let isAdded = tinnitus.isPlaying || streaming.meters.isHeard
    feedback.processOutput(&leftOutput, &rightOutput, from: start, frames: frames, isAdded: isAdded)
    tinnitus.process(&leftOutput, &rightOutput, from: start, count: frames)
    streaming.processOutput(&leftOutput, &rightOutput, from: start, frames: frames)
    var request = OutputRequest()
    request.isSilent = findings.left.isNonFinite || findings.right.isNonFinite
    feedback.processRequest(&request, frames: frames)
    return request
  }

  /// Gives the canceller and the meters the hop as it is played.
  public mutating func processPlayed(
    left leftOutput: borrowing MutableSpan<Float>, right rightOutput: borrowing MutableSpan<Float>,
    from start: Int, frames: Int, played: OutputReport
  ) {
    self.played = played
    if played.isBroken { restart() }
    feedback.processPlayed(leftOutput, rightOutput, from: start, frames: frames, played: played)
    earMeters.left.processOutput(played.ears.left, gain.ears.left, bands.power.left, frames: frames)
    earMeters.right.processOutput(played.ears.right, gain.ears.right, bands.power.right, frames: frames)
    // The meters are complete at the end of a block.
    guard start + frames == geometry.blockFrames else { return }
    earMeters.forEach(gain.ears, feedback.meters) { $0.processBlock($1, $2) }
    (meters.left, meters.right) = (earMeters.left.meters, earMeters.right.meters)
    meters.scene = scenes.meters
    meters.scene.isWindy = relief.meters.isWindy
    meters.streaming = streaming.meters
    meters.frames += Int64(geometry.blockFrames)
  }
}

extension HearingChain {
  /// Builds a chain.
  ///
  /// - Parameters:
  ///   - geometry: Sizes.
  ///   - bands: Bands.
  ///   - parameters: First setting, built for the same bands and geometry.
  ///   - streaming: Source of streamed sound; nil: none.
  ///   - former: Meters of the chain that this one follows, whose counts go on; nothing by default.
  /// - Throws: ``ChainError/noPlan(length:)``.
  public init(
    geometry: ChainGeometry, bands layout: BandLayout, parameters: ChainParameters,
    streaming: StreamingFeed? = nil, after former: ChainMeters = ChainMeters()
  ) throws(ChainError) {
    precondition(parameters.bands == layout, "a setting made for other bands")
    precondition(parameters.tables.left.geometry == geometry, "a setting made for another rate or block")
    let treatment = parameters.treatment
    let feedback = try FeedbackStage(
      geometry, control: treatment.feedback, paths: parameters.paths,
      after: Binaural(left: former.left.feedback, right: former.right.feedback))
    let edges = layout.edges.map { Float(min($0, geometry.sampleRate / 2) / feedback.binWidth) }
    self.init(
      geometry: geometry, history: PairHistory(length: geometry.filterLength),
      directCurrent: DirectCurrentBlock(sampleRate: geometry.sampleRate),
      feedback: feedback,
      lowering: try LoweringStage(geometry: geometry),
      transform: try InverseTransform(length: geometry.filterLength),
      spectrum: PairSpectrum(length: geometry.filterLength),
      bands: BandAnalyser(layout, geometry: geometry),
      gain: GainStage(
        parameters.tables, link: parameters.binauralLink, transition: treatment.transition,
        geometry: geometry),
      relief: ReliefStage(
        treatment, listeners: parameters.listeners, layout: layout, geometry: geometry),
      scenes: SceneClassifier(layout, geometry: geometry),
      filter: FilterStage(layout, geometry: geometry), tinnitus: try TinnitusStage(geometry: geometry),
      streaming: StreamingStage(streaming, geometry: geometry),
      earMeters: Binaural {
        EarMeterStage(
          stride: layout.stride, geometry: geometry, after: $0 == .left ? former.left : former.right)
      },
      setting: parameters.number, edges: AlignedBuffer(count: edges.count) { edges[$0] })
    lowering.retarget(to: parameters.lowerings, time: treatment.transition)
    tinnitus.retarget(to: parameters.noises, time: treatment.transition)
    self.streaming.retarget(toMicrophones: parameters.streamedMicrophones)
    meters.bandCount = Int32(layout.count)
    (meters.left, meters.right) = (former.left.counts, former.right.counts)
    meters.frames = former.frames
  }

  /// Number of features by which the scene is classified.
  public static var sceneFeatureCount: Int { SceneFeatures.count }

  /// Decisions on the scene so far, about two a second.
  public var sceneJudgements: Int { scenes.judgements }

  /// One feature of the last decision, for training the model.
  ///
  /// - Parameter index: In `0..<sceneFeatureCount`.
  public func sceneFeature(_ index: Int) -> Float { scenes.model.features[index] }

  /// Probability of speech, speech in noise, noise and music by the last stretch alone.
  public var sceneProbability: SIMD4<Float> { scenes.probability }
}
