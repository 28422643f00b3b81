import HearingDSP

/// Spectra of a rendering, by the tap of the live loop.
///
/// - Threads: `control`.
struct RenderedSpectra: ~Copyable {
  private let channel = SpectrumChannel()
  private var tap: SpectrumTap
  private var analyser: SpectrumAnalyser
  /// Settings so far; few, because a program stays for seconds.
  private var settings: [ChainParameters]

  /// - Parameter setting: First setting of the chain.
  init(_ setting: ChainParameters, geometry: ChainGeometry) {
    channel.isWatched.store(true, ordering: .relaxed)
    tap = SpectrumTap(channel, blockTime: Double(geometry.blockFrames) / geometry.sampleRate)
    analyser = SpectrumAnalyser(geometry, bands: setting.bands)
    settings = [setting]
  }

  /// Notes the setting that the chain moves to.
  mutating func note(_ setting: ChainParameters) { settings.append(setting) }

  /// Reads a block that was processed.
  ///
  /// - Returns: A frame where one is due.
  mutating func look(at chain: borrowing LimitedChain, _ block: borrowing SoundBlock) -> SpectrumFrame? {
    tap.look(at: chain, block)
    guard let next = channel.frames.pop(), let setting = settings.last(where: { $0.number == next.setting })
    else { return nil }
    var sound: [SIMD4<Float>] = []
    while channel.sound.popped != next.position, let sample = channel.sound.pop() { sound.append(sample) }
    analyser.append(sound)
    guard analyser.isReady else { return nil }
    return analyser.frame(
      next, setting: setting, time: Double(next.position) / chain.geometry.sampleRate)
  }
}
