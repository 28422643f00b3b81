import PrescriptionsTesting

/// Texts of cards, and headers, contents and bundles that are packed and signed after they were changed, so that what
/// lies behind the signature is reached.
struct HostileCards: MutationKind {
  static let good: Set<String> = ["accepted"]
  /// Names of the layers, in the order in which the first byte of an input counts them.
  static let names = HostileLayer.allCases.map { "\($0)" }

  let shelf: MaterialShelf
  private let trial: HostileTrial

  init() throws {
    trial = try HostileTrial()
    // Every eighth prescription brings the other kinds of card.
    let good = try HostilePayloads(trial, seed: 1, count: 9).good
    shelf = MaterialShelf(
      good.map { payload in
        let material: any MutationMaterial =
          switch payload.layer {
          case .text, .packed: ByteMaterial(payload.bytes)
          case .header, .content, .bundle, .audiogram, .keyFile: JSONMaterial(payload.bytes)
          }
        return MaterialShelf.Item(name: "\(payload.layer)", material: material)
      })
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    guard let layer = HostileLayer.allCases.first(where: { "\($0)" == input.name }) else {
      throw MutationFault(text: "no layer \(input.name)")
    }
    switch trial.outcome(layer, input.bytes) {
    case .accepted: return "accepted"
    case .refused: return "refused"
    case .fault(let text): throw MutationFault(text: text)
    }
  }
}
