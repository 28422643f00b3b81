import Acoustics
import AudioIO
import HearingDSP
import Realtime

/// The audio thread's work in a feedback test: sound goes from the test to the earphones, through a chain that amplifies
/// nothing and keeps the ears' limits, the rise and the fall; the microphones are recorded and reach no ear.
///
/// - Threads: created on control, ``run(until:)`` on `audio`.
struct FeedbackLoop<Stream: SoundStream & ~Copyable>: ~Copyable {
  var stream: Stream
  let board: FeedbackBoard
  let settings: AidSettings
  /// Blocks between two looks at the latency: none costs more than a period's hundredth.
  private var blocksPerReading: Int { 32 }

  init(stream: consuming Stream, board: FeedbackBoard, settings: AidSettings) {
    self.stream = stream
    self.board = board
    self.settings = settings
  }

  /// Opens the devices, carries out orders until `stop` is requested, fades out and gives the devices back.
  mutating func run(until stop: StopSignal) {
    do {
      try stream.open()
    } catch {
      board.end(.device("\(error)"))
      return
    }
    let fault = sound(until: stop)
    stream.close()
    board.end(fault)
  }

  private mutating func sound(until stop: StopSignal) -> FeedbackFault? {
    guard let capture = stream.captureFormat, let playback = stream.playbackFormat,
      Double(capture.rate) == board.rate
    else { return .device("another rate than was asked for") }
    do {
      let geometry = try ChainGeometry(sampleRate: board.rate, blockFrames: stream.period)
      let hearing = settings.hearing
      let parameters = try ChainParameters(
        Binaural(left: try hearing.playing(for: .left), right: try hearing.playing(for: .right)),
        dynamics: hearing.dynamics, bands: hearing.bands, geometry: geometry)
      var chain = try LimitedChain(
        geometry: geometry, bands: hearing.bands, parameters: parameters, rise: settings.ramp)
      board.notice.withLock {
        $0.devices = AidDevices(
          captureName: stream.captureName, playbackName: stream.playbackName, capture: capture,
          playback: playback, period: stream.period)
      }
      return flow(through: &chain, until: stop)
    } catch let error as FittingFailure {
      return .settings(error)
    } catch let error as ChainError {
      return .settings(.chain(error))
    } catch {
      return .system("\(error)")
    }
  }

  /// Sound, block by block. Allocates nothing and takes no lock: what it does itself is in ``FeedbackTake``, where the
  /// compiler proves that, which it cannot of a stream of any kind.
  private mutating func flow(through chain: inout LimitedChain, until stop: StopSignal) -> FeedbackFault? {
    let frames = chain.geometry.blockFrames
    var sound = LiveBlock(frames: frames)
    var microphones = LiveBlock(frames: frames)
    var take = FeedbackTake()
    var told = ToldLatency()
    var blocks = 0
    var silentBlocks = 0
    for _ in 0..<4 { sound.process(&chain) }
    chain.restart()
    board.phase.store(.ready, ordering: .releasing)
    while true {
      if stop.isRequested {
        chain.close()
        silentBlocks += chain.isSilent ? 1 : 0
        if silentBlocks > (stream.playbackFormat?.buffer ?? frames) / frames + 1 { return nil }
      }
      if take.begin(board) { chain.open() }
      switch exchange(&microphones, &sound, &chain, &take) {
      case .block: break
      case .interrupted: continue
      case .stalled:
        if stop.isRequested { return nil }
        continue
      case .lost(let fault):
        return stop.isRequested ? nil : .device("the sound device stopped working: \(fault)")
      case .restarted:
        chain.restart()
        take.breakOff(board)
        told = ToldLatency()
      }
      if take.isOver(board) {
        chain.close()
        if chain.isSilent { take.end(board) }
      }
      blocks += 1
      if blocks % blocksPerReading == 0, let latency = stream.measureLatency() {
        told.tell(latency)
        board.latency.store(told.believed ?? -1, ordering: .relaxed)
      }
    }
  }

  /// Reads the microphones, plays the next block, and records both.
  private mutating func exchange(
    _ microphones: inout LiveBlock, _ sound: inout LiveBlock, _ chain: inout LimitedChain,
    _ take: inout FeedbackTake
  ) -> StreamEvent {
    let waited = stream.wait()
    guard waited == .block else { return waited }
    let read = microphones.read(&stream)
    guard read == .block else { return read }
    RealtimeScope.enter()
    take.play(&sound, board)
    RealtimeScope.exit()
    sound.process(&chain)
    RealtimeScope.enter()
    take.record(sound, microphones, board)
    RealtimeScope.exit()
    return sound.write(&stream)
  }
}

extension HearingSettings {
  /// An ear's limits and earphone with no gain: what a test plays through. Nothing is added and nothing lowered.
  func playing(for ear: Ear) throws(FittingFailure) -> EarFitting {
    var fitting = try fitting(for: ear)
    fitting.curves = fitting.curves.map { _ in HearingSettings.unchanged }
    fitting.inputAtFullScale = FeedbackTest.fullScale(fitting)
    fitting.lowering = nil
    fitting.tinnitusSound = nil
    fitting.feedbackPath = nil
    return fitting
  }
}
