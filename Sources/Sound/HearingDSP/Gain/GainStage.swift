import Acoustics
import Realtime

/// Gain of both ears from their band powers: levels, the link between the ears, gain curves, band limits.
///
/// - Threads: built on `control`, run on `audio`.
struct GainStage: ~Copyable {
  private(set) var ears: Binaural<EarGain>
  private var link: Float
  private var formerLink: Float
  /// Position between the setting before and the one in force, 0...1.
  private var progress: Float = 1
  private var progressStep: Float
  private let hopTime: Double

  /// - Parameters:
  ///   - link: Share of the level difference between the ears that is taken out, 0...1.
  ///   - transition: Time of the transition to the next setting, s.
  init(_ tables: borrowing Binaural<EarTable>, link: Float, transition: Double, geometry: ChainGeometry) {
    ears = Binaural(
      left: EarGain(tables.left, geometry: geometry), right: EarGain(tables.right, geometry: geometry))
    self.link = link
    formerLink = link
    hopTime = geometry.hopTime
    progressStep = Float(geometry.hopTime / transition)
  }

  /// Moves to another setting from the gain in force.
  ///
  /// - Parameter relief: Attenuation that is part of the gain in force, dB.
  mutating func retarget(
    to tables: borrowing Binaural<EarTable>, link: Float, transition: Double,
    relief: borrowing Binaural<Buffer>
  ) {
    let isEarly = progress < 0.5
    ears.forEach(tables, relief) { $0.retarget(to: $1, relief: $2, keepsFormer: isEarly) }
    if !isEarly { formerLink = self.link }
    self.link = link
    progressStep = Float(hopTime / transition)
    progress = 0
  }

  /// Sets all levels to those that a chain starts with.
  mutating func reset() { ears.forEach { $0.reset() } }

  /// Turns this hop's band powers into levels. Apart from ``processGains(relief:)``, because attenuation by
  /// noise depends on them.
  mutating func processPowers(_ powers: borrowing Binaural<Buffer>) {
    ears.forEach(powers) { $0.processPower($1) }
  }

  /// Moves levels and band gains by one hop.
  ///
  /// - Parameter relief: Attenuation of each band by noise reduction, wind relief and expansion, dB ≥ 0.
  mutating func processGains(relief: borrowing Binaural<Buffer>) {
    progress = min(1, progress + progressStep)
    // Eased, so that a change neither begins nor ends with a corner: 3p² − 2p³ is flat at both ends.
    let eased = progress * progress * (3 - 2 * progress)
    if progress < 1 {
      ears.forEach { ear in for band in 0..<ear.level.count { ear.formerLevel[band] = ear.level[band] } }
      Self.link(&ears.left.formerLevel, &ears.right.formerLevel, share: formerLink)
    }
    Self.link(&ears.left.level, &ears.right.level, share: link)
    ears.forEach(relief) { $0.processGains(relief: $1, progress: eased) }
  }

  /// Moves both ears' levels towards the louder one's.
  ///
  /// - Parameter share: 0 leaves them, 1 makes both ears follow the louder one.
  private static func link(_ left: inout Buffer, _ right: inout Buffer, share: Float) {
    guard share > 0 else { return }
    for band in 0..<left.count { left[band] += share * max(right[band] - left[band], 0) }
    for band in 0..<left.count { right[band] += share * max(left[band] - right[band], 0) }
  }
}
