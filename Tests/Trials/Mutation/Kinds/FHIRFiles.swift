import Engine
import Fitting
import PrescriptionsTesting
import Service

/// FHIR audiograms of others and bundles of this project, imported as a file.
struct FHIRFiles: MutationKind {
  static let good: Set<String> = ["thresholds read"]

  let shelf: MaterialShelf
  private let path: String

  init(_ fixtures: Fixtures, scratch: String) throws {
    path = scratch + "/audiogram.json"
    let payloads = try HostilePayloads(HostileTrial(), seed: 1, count: 3)
    let good = payloads.good.filter { $0.layer == .audiogram }
    shelf = MaterialShelf(
      good.enumerated().map {
        MaterialShelf.Item(name: "bundle-\($0.offset)", material: JSONMaterial($0.element.bytes))
      })
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    Fixtures.write(input.bytes, to: path)
    let ears = try AudiogramReading.ears(at: path)
    _ = AudiogramReview(ears).findings.map { "\($0)" }
    try Fitted.parameters(HearingSettings(audiograms: ears))
    return "thresholds read"
  }
}
