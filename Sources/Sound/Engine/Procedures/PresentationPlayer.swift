public import Acoustics
import Base
import HearingDSP
import Realtime

/// A sound of a listening procedure, as it is to leave the earphones: rendered in full before it sounds.
///
/// It begins and ends with silence, and rises and falls by itself.
///
/// - Threads: any.
public struct Presentation: Sendable {
  /// Samples of each earphone, full scale ± 1; empty: silence. One that is shorter than the other is silent after its end.
  public var samples: Binaural<[Float]>
  /// Greatest level that the output safety stage lets through, a sine's in dB FS; the aid's own limit counts beside it.
  public var ceiling: FullScaleLevel
  /// Frames until its end, at least those of both ears.
  public var frames: Int

  /// - Parameter frames: Raised to the length of the longer ear, and to 1; nil: that length.
  public init(_ samples: Binaural<[Float]>, ceiling: FullScaleLevel, frames: Int? = nil) {
    (self.samples, self.ceiling) = (samples, ceiling)
    self.frames = max(frames ?? 0, samples.left.count, samples.right.count, 1)
  }

  /// Nothing for a time.
  public static func silence(frames: Int) -> Presentation {
    Presentation(Binaural(both: []), ceiling: FullScaleLevel(-60), frames: frames)
  }
}

/// Plays the presentations of a procedure on the devices of a running aid, and hears by its microphones.
///
/// - Threads: the procedure's.
public struct PresentationPlayer {
  /// End of a presentation.
  public enum Ending: Sendable, Equatable {
    case whole
    /// It was asked to end.
    case stopped
    /// The sound had a gap.
    case gap
  }

  /// A look at a presentation, every 20 ms or sooner.
  public struct Look {
    /// Frames that were handed to the device.
    public let played: Int
    /// Both microphones since the last look, full scale ± 1.
    public let heard: [SIMD2<Float>]
    /// True when some of that is missing.
    public let hasGap: Bool
  }

  /// Shortest silence at the beginning of a presentation, s: by its end the output safety stage is open, so that it bears on no
  /// level.
  public static let leadIn = OutputSafety.shortestRise + 0.02

  private let takes: TakePlayer
  private var gaps: Int

  init(_ takes: TakePlayer) {
    self.takes = takes
    gaps = takes.state.microphones.gaps.load(ordering: .acquiring)
  }

  /// Devices as granted.
  public var devices: AidDevices { takes.devices }

  /// Hz.
  public var rate: Double { takes.rate }

  /// Level of the loudest sine that the aid's limits let through unchanged, each ear.
  public var greatest: Binaural<FullScaleLevel> { takes.limits.levels }

  /// Delay that the devices tell, s; nil: none.
  public var latency: Double? { takes.state.reading.load().believedLatency.map { Double($0) / rate } }

  /// Plays one presentation.
  ///
  /// - Parameter goesOn: Given each look; false ends the sound, faded within ``OutputSafety/fallTime``.
  /// - Throws: ``FeedbackFault`` of devices that are lost, and of a procedure that is ended.
  public mutating func play(
    _ presentation: Presentation, while goesOn: (Look) -> Bool
  ) throws(FeedbackFault) -> Ending {
    let ear: Ear = presentation.samples.left.isEmpty ? .right : .left
    let other = presentation.samples[ear.opposite]
    let score = Take.Score(
      ear: ear, factor: 1, settling: 0, frames: presentation.frames, isRecorded: false)
    let take = Take(
      score, of: PeriodicSound(presentation.samples[ear], frames: presentation.frames),
      opposite: other.isEmpty ? nil : PeriodicSound(other, frames: presentation.frames),
      limits: takes.limits.held(to: min(0, presentation.ceiling.decibels)), rise: OutputSafety.shortestRise,
      wake: takes.wake)
    var isStopped = false
    try takes.run(take) {
      let look = look(at: take)
      guard !isStopped, !goesOn(look) else { return }
      isStopped = true
      take.stop()
    }
    return take.phase == .done ? .whole : isStopped ? .stopped : .gap
  }

  private mutating func look(at take: Take) -> Look {
    let channel = takes.state.microphones
    let now = channel.gaps.load(ordering: .acquiring)
    defer { gaps = now }
    return Look(played: take.played, heard: channel.take(), hasGap: now != gaps)
  }
}

extension HearingAid {
  /// Lets a listening procedure have the loop: the aid falls silent, and sounds again when it has ended, however it does.
  ///
  /// Every presentation passes the output safety stage, with the aid's limits or its own lower ones.
  ///
  /// - Parameters:
  ///   - isCancelled: Asked again and again; the sound then fades out.
  ///   - body: Plays; its result is the result.
  /// - Throws: ``FeedbackFault``, where devices cannot be had, and whatever the body throws.
  /// - Threads: control; waits for the end.
  public func present<Result>(
    isCancelled: @escaping () -> Bool,
    _ body: (inout PresentationPlayer) throws(FeedbackFault) -> Result
  ) throws(FeedbackFault) -> Result {
    let settings = currentSettings
    let limits = try FeedbackTest(settings: settings).limits()
    return try perform { loop throws(FeedbackFault) in
      let takes = try TakePlayer(
        loop, limits: limits, ramp: settings.ramp, patience: patience, isCancelled: isCancelled)
      loop.microphones.begin()
      defer { loop.microphones.end() }
      var player = PresentationPlayer(takes)
      return try body(&player)
    }
  }
}
