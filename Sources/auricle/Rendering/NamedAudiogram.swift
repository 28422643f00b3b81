import Acoustics
import Control
import Daemon

/// An audiogram as it is named on a command line: a standard one's name, or a file.
struct NamedAudiogram {
  let name: String
  let ears: Binaural<Audiogram>

  /// - Throws: ``Failure`` naming what is neither.
  init(_ text: String) throws(Failure) {
    if let standard = StandardAudiogram(rawValue: text.uppercased()) {
      name = "Bisgaard \(standard.rawValue)"
      ears = Binaural(both: standard.audiogram)
      return
    }
    do {
      let file = try AudiogramReading.file(at: text)
      (name, ears) = (file.name, file.ears)
    } catch {
      guard error.exitStatus == .noInput else { throw error }
      throw Failure(
        "--audiogram",
        found: "\(text.isEmpty ? "''" : text), which is neither a file nor one of N1…N7, S1…S3",
        exit: .noInput)
    }
  }
}
