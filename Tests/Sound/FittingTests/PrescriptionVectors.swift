import Acoustics
import Base
import Glibc
import Testing

/// Gains computed by other programs and by the published formulas, `Vectors/prescriptions.json`.
struct PrescriptionVectors {
  struct Ear {
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

    fileprivate init(_ json: JSONValue) throws {
      hl = try json.member("hl").numbers()
      openMHA = try json["openmha_NAL_RP"]?.numbers()
      openMHACompressive = try json["openmha_NAL_RP_CR2"]?.columns()
      openMHACambridge = try json["openmha_camfit_linear"]?.numbers()
      openMHACameq = try json["openmha_camfit_compressive"]?.columns()
      pyclarityCameq = try json["pyclarity_camfit_compressive"]?.columns()
      pyclarity = try json.member("pyclarity_NAL_R_target").numbers()
      formulaNALR = try json.member("formula_NAL_R_unclipped").numbers()
      formulaNALRP = try json.member("formula_NAL_RP_no_2k_correction_unclipped").numbers()
      formulaHalfGain = try json.member("formula_half_gain").numbers()
      formulaPOGOII = try json.member("formula_POGO_II").numbers()
    }

    func audiogram() throws -> Audiogram { try Audiogram(air: PrescriptionVectors.byFrequency(hl)) }
  }

  let audiograms: [String: Ear]
  let bands: [Double]
  let edges: [Double]

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
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let bytes = try FileContent.bytes(of: "/\(folder)/Vectors/prescriptions.json", limit: 1 << 20)
    let json = try JSONValue(bytes, count: 1 << 20)
    return PrescriptionVectors(
      audiograms: try json.member("audiograms").members { try Ear($0) },
      bands: try json.member("openmha_bands_hz").list(), edges: try json.member("openmha_edges_hz").list())
  }
}

extension JSONValue {
  fileprivate func member(_ key: String) throws -> JSONValue {
    try #require(self[key], "there is no member \(key)")
  }

  fileprivate func members<Value>(_ value: (JSONValue) throws -> Value) throws -> [String: Value] {
    guard case .object(let members) = content else { throw Unexpected(kind: kind) }
    return Dictionary(uniqueKeysWithValues: try members.map { ($0.key, try value($0.value)) })
  }

  fileprivate func numbers() throws -> [String: Double] { try members { try $0.number() } }

  fileprivate func columns() throws -> [String: [Double]] { try members { try $0.list() } }

  fileprivate func list() throws -> [Double] {
    guard case .array(let elements) = content else { throw Unexpected(kind: kind) }
    return try elements.map { try $0.number() }
  }

  private func number() throws -> Double {
    guard case .number(let number) = content else { throw Unexpected(kind: kind) }
    return number
  }
}

private struct Unexpected: Error { let kind: String }
