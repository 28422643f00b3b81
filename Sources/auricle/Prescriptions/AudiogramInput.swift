import Acoustics
import ArgumentParser
import Clinic
import Control
import Daemon

/// Both ears' thresholds: from a file, or typed.
struct AudiogramInput: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Audiogram of both ears: JSON of this project, CSV, or FHIR; or a standard one, N1 to N7, S1 to S3.",
      valueName: "file"), completion: .file())
  var audiogram: String?

  @Option(help: ArgumentHelp("Left ear, typed: \"250:20 500:25 4000:>60 b1000:15\".", valueName: "points"))
  var left: String?

  @Option(help: ArgumentHelp("Right ear, typed.", valueName: "points"))
  var right: String?

  func validate() throws {
    let isTyped = left != nil && right != nil
    guard audiogram != nil && left == nil && right == nil || audiogram == nil && isTyped else {
      throw ValidationError("Expected either --audiogram, or both --left and --right.")
    }
  }

  func audiograms() throws(Failure) -> Binaural<Audiogram> {
    if let left, let right {
      return Binaural(
        left: try ThresholdText.audiogram(left, at: "--left"),
        right: try ThresholdText.audiogram(right, at: "--right"))
    }
    let name = audiogram ?? ""
    if let standard = StandardAudiogram(rawValue: name.uppercased()) {
      return Binaural(both: standard.audiogram)
    }
    return try AudiogramReading.ears(at: name)
  }
}
