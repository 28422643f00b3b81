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
    /// Count of the sound at the beginning of the watching.
    var begin: Int?
    /// Setting of the last frame that had one.
    var setting: ChainParameters?
  }

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
      analysis.begin = nil
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

  private static func frame(
    _ next: ChainFrame, _ analysis: inout Analysis, _ loop: LoopState
  ) -> SpectrumFrame? {
    var sound: [SIMD4<Float>] = []
    while loop.spectra.sound.popped != next.position, let sample = loop.spectra.sound.pop() {
      sound.append(sample)
    }
    guard let channel = loop.notice.withLock({ $0.channel }),
      let setting = channel.setting(next.setting) ?? analysis.setting ?? channel.newest
    else { return nil }
    analysis.setting = setting
    let begin = analysis.begin ?? next.position
    analysis.begin = begin
    if analysis.analyser?.geometry != channel.geometry {
      analysis.analyser = try? SpectrumAnalyser(channel.geometry, bands: channel.bands)
    }
    if next.isBroken { analysis.analyser?.reset() }
    analysis.analyser?.append(sound)
    guard analysis.analyser?.isReady == true else { return nil }
    let time = Double(next.position &- begin) / channel.geometry.sampleRate
    return analysis.analyser?.frame(next, setting: setting, time: time)
  }
}
