public import Acoustics
public import Control
public import Fitting

/// Frequency lowering as an audiologist types it: ear, cutoff in Hz, ratio, as `right:2000:2`.
public enum LoweringText {
  /// - Throws: ``Failure`` (``ExitStatus/badData``) naming the first bad text.
  public static func lowering(_ texts: [String]) throws(Failure) -> Binaural<FrequencyLowering?> {
    var found = Binaural<FrequencyLowering?>(both: nil)
    for text in texts {
      let fields = text.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count == 3, let ears = EarsText.ears(fields[0]),
        let cutoff = DecimalText.number(fields[1]), let ratio = DecimalText.number(fields[2])
      else {
        throw Failure(
          "--lowering", found: "\"\(text.prefix(40))\"",
          expected: "ear:cutoff:ratio, as right:2000:2 or both:3000:1.5", exit: .badData)
      }
      let lowering: FrequencyLowering
      do throws(FrequencyLoweringError) {
        lowering = try FrequencyLowering(cutoff: cutoff, ratio: ratio)
      } catch {
        throw Failure("--lowering", saying: "\(error)", exit: .badData)
      }
      try EarsText.put(lowering, for: ears, into: &found, option: "--lowering")
    }
    return found
  }
}
