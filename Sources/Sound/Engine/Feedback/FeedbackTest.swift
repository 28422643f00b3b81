public import Acoustics
import AudioIO
import Glibc
import HearingDSP
import Realtime
import Synchronization

/// Measures how much of what the earphones play comes back to the microphones.
///
/// Each ear in turn plays a rising tone again and again, soft first, louder only as far as the noise asks for; the microphones
/// are not amplified meanwhile. Everything passes the chain's limiter and its slow rise. Two runs in succession must agree.
///
/// - Threads: control; ``measure(_:progress:isCancelled:)`` takes some ten seconds for an ear.
public struct FeedbackTest: Sendable {
  /// Levels tried, dB SPL in the ear: from soft speech to loud speech (ANSI S3.5: 62 normal, 75 loud at one metre).
  static let levels = [55.0, 65.0, 75.0]
  /// Below this nothing is measured that a quiet room does not hide, dB SPL.
  static let leastLevel = 50.0
  /// Distance kept from the ear's limit, dB: the signal's peaks and what an uneven earphone adds stay below.
  static let distance = 10.0
  /// Least distance from the noise that counts as known, dB: the greatest of some bins of noise, 8 dB above its RMS, then
  /// adds 3 dB at most, which only lowers the gain.
  static let sufficient = 15.0
  /// Room left above the prescription, dB, for which feedback is looked for: fine tuning and volume. Own choice.
  static let headroom = 6.0
  /// Distance from the noise from which two runs are compared, dB: noise then makes a difference of 2.4 dB at most, 1.2 dB
  /// in each.
  static let clear = 25.0
  /// Greatest difference of two runs, dB, in a band that is clear of noise: a jaw that moves makes more (own choice).
  static let greatestDifference = 3.0
  /// Greatest difference of delays, s, between two runs and between the ears: a metre of air lies between no two
  /// earpieces of one head, and the least period that a device moves by is longer than a third of it.
  static let delayRoom = (runs: 0.0005, ears: 0.003)
  /// Periods recorded per run: an even number.
  static let periods = 4
  /// Attempts at a run that breaks off, and at two runs that agree: what disturbs once has passed by then.
  static let attempts = 3
  /// Time until silence again after the rise, before a recording begins, s: longer than any path rings.
  static let settling = 0.25
  /// Longest that opening a device may take, s.
  static let openingTime = 10.0
  /// Peak of a microphone that is taken for its end: full scale less one step of 10 bits.
  static let overload: Float = 0.999

  typealias Work = @Sendable (FeedbackBoard, StopSignal) -> Void

  let settings: AidSettings
  private let work: Work
  private let patience: Double

  /// A test on this machine's devices, which nobody else may be using.
  public init(settings: AidSettings) {
    self.init(settings: settings) { board, stop in
      let choice = DeviceChoice(settings)
      var stream = choice.stream(wakeDescriptor: stop.descriptor)
      if let absence = choice.settle(&stream) {
        board.end(.device(absence))
        return
      }
      var loop = FeedbackLoop(stream: stream, board: board, settings: settings)
      loop.run(until: stop)
    }
  }

  init(settings: AidSettings, patience: Double = FeedbackPlayer.patience, work: @escaping Work) {
    self.settings = settings
    self.patience = patience
    self.work = work
  }

  /// Runs the test.
  ///
  /// - Parameters:
  ///   - ears: In this order.
  ///   - moment: Now, s since 1970-01-01 UTC.
  ///   - progress: Told a share of the whole, 0…1.
  ///   - repeats: Told why a run is taken once more.
  ///   - isCancelled: Asked again and again; the sound then fades out.
  /// - Returns: What was measured, in the order of `ears`.
  /// - Throws: ``FeedbackFault``; the devices are given back.
  public func measure(
    _ ears: [Ear], at moment: Double, progress: (Double) -> Void = { _ in },
    repeats: (FeedbackFault) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }
  ) throws(FeedbackFault) -> [(ear: Ear, measurement: FeedbackMeasurement)] {
    // What the settings cannot play is said before any device is opened.
    let sides = Binaural(left: try side(.left, ears), right: try side(.right, ears))
    let board = FeedbackBoard(rate: Double(settings.stream.rate), periods: Self.periods)
    let thread: RealtimeThread
    do {
      thread = try RealtimeThread { [work] stop in work(board, stop) }
    } catch {
      throw .system("\(error)")
    }
    defer {
      thread.stop.request()
      thread.join()
    }
    let player = FeedbackPlayer(
      board: board, ramp: settings.ramp, isCancelled: isCancelled, patience: patience)
    try player.waitUntilReady(within: Self.openingTime)
    let run = FeedbackRun(ears: ears, sides: sides, bands: settings.hearing.bands, player: player)
    let results = try run.measurements(at: moment, progress: progress, repeats: repeats)
    progress(1)
    return results
  }

  /// What an ear plays and asks for, without what a former test limits.
  private func side(_ ear: Ear, _ tested: [Ear]) throws(FeedbackFault) -> FeedbackRun.Side {
    do {
      var hearing = settings.hearing
      hearing.feedback = .none
      let fitting = try hearing.fitting(for: ear)
      let needed = zip(fitting.curves, fitting.outputAtFullScale).map { curve, earphone in
        (curve.knots.map(\.gain).max() ?? 0) + Self.headroom + (fitting.inputAtFullScale - earphone)
      }
      let playing = try hearing.playing(for: ear)
      let greatest = Self.greatestLevel(playing)
      guard greatest >= Self.leastLevel || !tested.contains(ear) else {
        throw FeedbackFault.limitTooLow(ear, limit: greatest + Self.distance)
      }
      return FeedbackRun.Side(
        fitting: playing, microphone: fitting.inputAtFullScale, needed: needed, greatest: greatest)
    } catch let error as FittingFailure {
      throw .settings(error)
    } catch let error as FeedbackFault {
      throw error
    } catch {
      throw .system("\(error)")
    }
  }

  /// What full scale of the test's sound stands for: of the loudest band, so that it is played with no gain anywhere.
  static func fullScale(_ fitting: EarFitting) -> SoundPressureLevel {
    fitting.outputAtFullScale.max() ?? fitting.inputAtFullScale
  }

  /// The loudest that an ear is tested with, dB SPL.
  private static func greatestLevel(_ fitting: EarFitting) -> Double {
    // Its own limits, and what the earphone reaches in its quietest band.
    let limits = fitting.bandLimits + fitting.outputAtFullScale
    let reach = limits.reduce(fitting.outputLimit) { min($0, $1) }
    return min(levels.max() ?? 0, reach.decibels - distance)
  }
}
