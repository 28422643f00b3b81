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
  /// No hop has been processed since the beginning or the last ``reset()``: no gain is in force.
  private var isFresh = true
  /// No hop has been processed since the last change: nothing was heard on its way.
  private var isChanged = false

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

  /// Moves to another setting from the gain in force; where none is, takes it at once, for the gain then begins with that of a loud
  /// sound, and not with that of a sound which is over.
  ///
  /// - Parameter relief: Attenuation that is part of the gain in force, dB.
  mutating func retarget(
    to tables: borrowing Binaural<EarTable>, link: Float, transition: Double,
    relief: borrowing Binaural<Buffer>
  ) {
    guard !isFresh else {
      ears.forEach(tables) { $0.retarget(to: $1) }
      (self.link, formerLink, progress) = (link, link, 1)
      return
    }
    isChanged = true
    let isEarly = progress < 0.5
    ears.forEach(tables, relief) { $0.retarget(to: $1, relief: $2, keepsFormer: isEarly) }
    if !isEarly { formerLink = self.link }
    self.link = link
    progressStep = Float(hopTime / transition)
    progress = 0
  }

  /// Sets all levels to those that a chain starts with. A change of which nothing was heard yet has taken place.
  mutating func reset() {
    ears.forEach { $0.reset() }
    if isChanged { progress = 1 }
    (isFresh, isChanged) = (true, false)
  }

  /// Turns this hop's band powers into levels. Apart from ``processGains(relief:)``, because attenuation by
  /// noise depends on them.
  mutating func processPowers(_ powers: borrowing Binaural<Buffer>) {
    ears.forEach(powers) { $0.processPower($1) }
  }

  /// Moves levels and band gains by one hop.
  ///
  /// - Parameter relief: Attenuation of each band by noise reduction, wind relief and expansion, dB ≥ 0.
  mutating func processGains(relief: borrowing Binaural<Buffer>) {
    (isFresh, isChanged) = (false, false)
    progress = min(1, progress + progressStep)
    // Eased, so that a change neither begins nor ends with a corner: 3p² − 2p³ is flat at both ends.
    let eased = progress * progress * (3 - 2 * progress)
    if progress < 1 {
      ears.forEach { ear in for band in 0..<ear.level.count { ear.formerLevel[band] = ear.level[band] } }
      let (left, right) = unsafe (
        ears.left.formerTable.row(.response), ears.right.formerTable.row(.response)
      )
      unsafe Self.link(&ears.left.formerLevel, left, &ears.right.formerLevel, right, share: formerLink)
    }
    let (left, right) = unsafe (ears.left.table.row(.response), ears.right.table.row(.response))
    unsafe Self.link(&ears.left.level, left, &ears.right.level, right, share: link)
    ears.forEach(relief) { $0.processGains(relief: $1, progress: eased) }
  }

  /// Moves both ears' levels towards those of the ear that more sound reaches. Each stays as its own microphone makes it.
  ///
  /// - Parameters:
  ///   - left: Levels of the left ear's bands as the chain reads them, dB SPL; likewise `right`.
  ///   - leftResponse: Response of its microphone, dB, which makes no ear the louder one; likewise `rightResponse`.
  ///   - share: 0 leaves them, 1 makes both ears follow the louder one.
  @unsafe private static func link(
    _ left: inout Buffer, _ leftResponse: UnsafeMutablePointer<Float>, _ right: inout Buffer,
    _ rightResponse: UnsafeMutablePointer<Float>, share: Float
  ) {
    guard share > 0 else { return }
    for band in 0..<left.count {
      let difference = unsafe rightResponse[band] - leftResponse[band]
      left[band] += share * max(right[band] - left[band] - difference, 0)
    }
    for band in 0..<left.count {
      let difference = unsafe leftResponse[band] - rightResponse[band]
      right[band] += share * max(left[band] - right[band] - difference, 0)
    }
  }
}
