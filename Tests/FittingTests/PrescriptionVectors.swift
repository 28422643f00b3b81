import Acoustics
import Foundation
import Testing

/// Gains computed by other programs and by the published formulas, `Vectors/prescriptions.json`.
struct PrescriptionVectors: Decodable {
  struct Ear: Decodable {
    let hl: [String: Double]
    let openMHA: [String: Double]?
    let openMHACompressive: [String: [Double]]?
    let pyclarity: [String: Double]
    let formulaNALR: [String: Double]
    let formulaNALRP: [String: Double]
    let formulaHalfGain: [String: Double]

    enum CodingKeys: String, CodingKey {
      case hl
      case openMHA = "openmha_NAL_RP"
      case openMHACompressive = "openmha_NAL_RP_CR2"
      case pyclarity = "pyclarity_NAL_R_target"
      case formulaNALR = "formula_NAL_R_unclipped"
      case formulaNALRP = "formula_NAL_RP_no_2k_correction_unclipped"
      case formulaHalfGain = "formula_half_gain"
    }

    func audiogram() throws -> Audiogram { try Audiogram(air: PrescriptionVectors.byFrequency(hl)) }
  }

  let audiograms: [String: Ear]
  let bands: [Double]
  let edges: [Double]

  enum CodingKeys: String, CodingKey {
    case audiograms
    case bands = "openmha_bands_hz"
    case edges = "openmha_edges_hz"
  }

  /// Gain by frequency, Hz.
  static func byFrequency(_ column: [String: Double]) -> [Double: Double] {
    Dictionary(uniqueKeysWithValues: column.map { (Double($0.key) ?? .nan, $0.value) })
  }

  static func load() throws -> PrescriptionVectors {
    let file = try #require(Bundle.module.url(forResource: "Vectors/prescriptions", withExtension: "json"))
    return try JSONDecoder().decode(PrescriptionVectors.self, from: Data(contentsOf: file))
  }
}
