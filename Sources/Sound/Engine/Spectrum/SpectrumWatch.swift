import Base
import HearingDSP
import Realtime
import Synchronization

/// A window into a running aid: frames of its sound, 25 a second while somebody watches.
///
/// - Threads: control; calls may come from several threads.
public final class SpectrumWatch: Sendable {
  /// Time between two frames, s: 25 a second.
  public static let interval = 0.04

  private let loop: LoopState
  private let analysis = Mutex(Analysis())

  private struct Analysis: ~Copyable {
    var analyser: SpectrumAnalyser?
    /// Chain whose sound the analyser has; nil: none yet.
    var channel: ParameterChannel?
    /// Count of the sound at the last frame, its time, s, and when it was read, monotonic s; nil: none has come.
    var last: (position: Int, time: Double, moment: Double)?
    /// Setting of the last frame that had one.
    var setting: ChainParameters?
    /// Sound for ``takeSound()``; nil: nobody wants it.
    var sound: [WatchedSound]?

    /// Time of a frame since the first one, s: by the sound between both, that which was lost too, at the rate of its own chain. Where
    /// another chain begins, the time without any is the clock's.
    mutating func time(of next: ChainFrame, rate: Double, isOther: Bool) -> Double {
      let now = SystemTime.monotonic
      var time = 0.0
      if let last {
        let sound = Double(next.position &- last.position &+ next.lost) / rate
        time = last.time + max(sound, isOther ? now - last.moment : 0)
      }
      last = (next.position, time, now)
      return time
    }
  }

  /// Stretches of sound that wait at most, of 0.04 s each.
  private static let mostStretches = 64

  init(_ loop: LoopState) { self.loop = loop }

  /// True while frames are made.
  public var isOn: Bool { loop.spectra.isWatched.load(ordering: .relaxed) }

  /// Begins to watch. Does nothing while it is on.
  public func start() {
    analysis.withLock { analysis in
      guard !isOn else { return }
      while loop.spectra.frames.pop() != nil {}
      while loop.spectra.sound.pop() != nil {}
      analysis.analyser = nil
      (analysis.channel, analysis.setting) = (nil, nil)
      analysis.last = nil
      loop.spectra.isWatched.store(true, ordering: .relaxed)
    }
  }

  /// Ends to watch.
  public func stop() { loop.spectra.isWatched.store(false, ordering: .relaxed) }

  /// Frames since the last call, oldest first; none until the windows are full, after 0.1 s of sound.
  ///
  /// To be called every ``interval`` or so; sound that nobody fetches for 0.17 s is lost,
  /// and the windows fill anew.
  public func frames() -> [SpectrumFrame] {
    analysis.withLock { analysis in
      var frames: [SpectrumFrame] = []
      while let next = loop.spectra.frames.pop() {
        if let frame = Self.frame(next, &analysis, loop) { frames.append(frame) }
      }
      return frames
    }
  }

  /// Sound too from now on, or no longer.
  public func keepSound(_ isKept: Bool) {
    analysis.withLock { analysis in analysis.sound = isKept ? analysis.sound ?? [] : nil }
  }

  /// Sound that ``frames()`` has read since the last call, oldest first; none unless ``keepSound(_:)`` asks for it.
  public func takeSound() -> [WatchedSound] {
    analysis.withLock { analysis in
      let sound = analysis.sound ?? []
      if analysis.sound != nil { analysis.sound = [] }
      return sound
    }
  }

  private static func frame(
    _ next: ChainFrame, _ analysis: inout Analysis, _ loop: LoopState
  ) -> SpectrumFrame? {
    var sound: [SIMD4<Float>] = []
    while loop.spectra.sound.popped != next.position, let sample = loop.spectra.sound.pop() {
      sound.append(sample)
    }
    guard let channel = loop.notice.withLock({ $0.channel }) else { return nil }
    let isOther = analysis.channel !== channel
    if isOther {
      // Another chain, perhaps of another rate or of other bands: nothing of the former one fits.
      (analysis.channel, analysis.setting) = (channel, nil)
      analysis.analyser = SpectrumAnalyser(channel.geometry, bands: channel.bands)
    }
    guard let setting = channel.setting(next.setting) ?? analysis.setting ?? channel.newest else {
      return nil
    }
    analysis.setting = setting
    let time = analysis.time(of: next, rate: channel.geometry.sampleRate, isOther: isOther)
    if let count = analysis.sound?.count, count < mostStretches {
      analysis.sound?.append(
        WatchedSound(
          end: time, sampleRate: channel.geometry.sampleRate, samples: sound, lost: next.lost,
          lostAt: min(max(sound.count - (next.position &- next.lostAt), 0), sound.count)))
    }
    if next.isBroken { analysis.analyser?.reset() }
    analysis.analyser?.append(sound)
    guard analysis.analyser?.isReady == true else { return nil }
    return analysis.analyser?.frame(next, setting: setting, time: time)
  }
}

/// Sound before and behind the aid up to the end of one hop, as it was read and played.
///
/// - Threads: `any`.
public struct WatchedSound: Sendable, Equatable {
  /// Time of its end, as ``SpectrumFrame/time`` of the same hop, s.
  public let end: Double
  /// Hz.
  public let sampleRate: Double
  /// Left input, right input, left output, right output; full scale ± 1.
  public let samples: [SIMD4<Float>]
  /// Frames that nobody fetched in time and that are missing, in one place; ``end`` counts them.
  public let lost: Int
  /// Index in ``samples`` before which they are missing.
  public let lostAt: Int
}
