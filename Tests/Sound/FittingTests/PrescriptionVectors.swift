import Acoustics
import Foundation
import Testing

/// Gains computed by other programs and by the published formulas, `Vectors/prescriptions.json`.
struct PrescriptionVectors: Decodable {
  struct Ear: Decodable {
    let hl: [String: Double]
    let openMHA: [String: Double]?
    let openMHACompressive: [String: [Double]]?
    let openMHACambridge: [String: Double]?
    let openMHACameq: [String: [Double]]?
    let pyclarityCameq: [String: [Double]]?
    let pyclarity: [String: Double]
    let formulaNALR: [String: Double]
    let formulaNALRP: [String: Double]
    let formulaHalfGain: [String: Double]
    let formulaPOGOII: [String: Double]

    enum CodingKeys: String, CodingKey {
      case hl
      case openMHA = "openmha_NAL_RP"
      case openMHACompressive = "openmha_NAL_RP_CR2"
      case openMHACambridge = "openmha_camfit_linear"
      case openMHACameq = "openmha_camfit_compressive"
      case pyclarityCameq = "pyclarity_camfit_compressive"
      case pyclarity = "pyclarity_NAL_R_target"
      case formulaNALR = "formula_NAL_R_unclipped"
      case formulaNALRP = "formula_NAL_RP_no_2k_correction_unclipped"
      case formulaHalfGain = "formula_half_gain"
      case formulaPOGOII = "formula_POGO_II"
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

  /// Speech level in each band as openMHA cuts it: third octaves that meet at the geometric mean of their
  /// nominal centres, their power spread evenly over frequency, not over its logarithm.
  func speechLevels() -> [Double] {
    let centres = LongTermAverageSpeechSpectrum.thirdOctaveCentres
    let thirds =
      [0] + zip(centres, centres.dropFirst()).map { ($0 * $1).squareRoot() } + [16_000 * pow(2, 1.0 / 6)]
    return zip(edges, edges.dropFirst()).map { low, high in
      var power = 0.0
      for (k, level) in LongTermAverageSpeechSpectrum.thirdOctaveLevels.enumerated() {
        let overlap = min(high, thirds[k + 1]) - max(low, thirds[k])
        power += max(0, overlap) / (thirds[k + 1] - thirds[k]) * pow(10, (level - 5) / 10)
      }
      return 10 * log10(power)
    }
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
