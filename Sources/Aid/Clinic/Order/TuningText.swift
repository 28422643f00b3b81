import Acoustics
import Base
import Control
import Fitting

/// Fine tuning as an audiologist types it: `right:2000:+3`, or `both:500:+2/0/-3` for speech at 50, 65 and
/// 80 dB SPL.
package enum TuningText {
  /// - Throws: ``Failure`` (``ExitStatus/badData``) naming the first bad text.
  package static func tuning(_ texts: [String]) throws(Failure) -> Binaural<FineTuning> {
    var points = Binaural<[FineTuning.Point]>(both: [])
    for text in texts {
      let (ears, point) = try Self.point(text)
      for ear in ears { points[ear].append(point) }
    }
    do throws(FineTuningError) {
      return Binaural(
        left: try FineTuning(points: points.left.sorted { $0.frequency < $1.frequency }),
        right: try FineTuning(points: points.right.sorted { $0.frequency < $1.frequency }))
    } catch {
      throw Failure("--tune", saying: "\(error)", exit: .badData)
    }
  }

  private static func point(_ text: String) throws(Failure) -> ([Ear], FineTuning.Point) {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    let refusal = Failure(
      "--tune", found: "\"\(text.prefix(40))\"",
      expected: "ear:frequency:change, as right:2000:+3 or both:500:+2/0/-3 (50/65/80 dB SPL)",
      exit: .badData)
    guard fields.count == 3, let frequency = NumberText.value(of: fields[1]) else { throw refusal }
    guard let ears = EarsText.ears(fields[0]) else { throw refusal }
    let changes = fields[2].split(separator: "/", omittingEmptySubsequences: false).map {
      NumberText.value(of: $0)
    }
    switch changes.count {
    case 1:
      guard let change = changes[0] else { throw refusal }
      return (ears, FineTuning.Point(frequency: frequency, changes: SpeechLevels(all: change)))
    case 3:
      guard let soft = changes[0], let ordinary = changes[1], let loud = changes[2] else { throw refusal }
      let levels = SpeechLevels(soft: soft, ordinary: ordinary, loud: loud)
      return (ears, FineTuning.Point(frequency: frequency, changes: levels))
    default: throw refusal
    }
  }
}
