import Acoustics
import Base
import Control
import Fitting

/// A tinnitus sound as an audiologist types it: ear, shape, where it has them pitch in Hz and width in octaves,
/// and level in dB SPL, as `left:notched:6000:0.5:45` or `both:broadband:40`.
package enum TinnitusSoundText {
  /// - Throws: ``Failure`` (``ExitStatus/badData``) naming the first bad text.
  package static func sounds(_ texts: [String]) throws(Failure) -> Binaural<TinnitusSound?> {
    var found = Binaural<TinnitusSound?>(both: nil)
    for text in texts {
      let fields = text.split(separator: ":", omittingEmptySubsequences: false)
      let numbers = fields.dropFirst(2).compactMap { NumberText.value(of: $0) }
      guard fields.count >= 3, numbers.count == fields.count - 2, let ears = EarsText.ears(fields[0]),
        let (shape, level) = Self.shape(fields[1], numbers)
      else {
        throw Failure(
          "--tinnitus-sound", found: "\"\(text.prefix(40))\"",
          expected: "ear:broadband:level or ear:band:pitch:width:level, as left:notched:6000:0.5:45",
          remedy: "Shapes are broadband, band (only around the pitch) and notched (all but it); "
            + "Hz, octaves, dB SPL.", exit: .badData)
      }
      let sound: TinnitusSound
      do throws(TinnitusSoundError) {
        sound = try TinnitusSound(shape: shape, level: SoundPressureLevel(level))
      } catch {
        throw Failure("--tinnitus-sound", saying: "\(error)", exit: .badData)
      }
      try EarsText.put(sound, for: ears, into: &found, option: "--tinnitus-sound")
    }
    return found
  }

  private static func shape(
    _ word: some StringProtocol, _ numbers: [Double]
  ) -> (TinnitusSound.Shape, level: Double)? {
    switch (String(word), numbers.count) {
    case ("broadband", 1): (.broadband, numbers[0])
    case ("band", 3): (.band(pitch: numbers[0], width: numbers[1]), numbers[2])
    case ("notched", 3): (.notched(pitch: numbers[0], width: numbers[1]), numbers[2])
    default: nil
    }
  }
}
