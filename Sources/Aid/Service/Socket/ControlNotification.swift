import Control

/// What a subscriber is told without asking.
///
/// `sequence` counts everything meant for this subscriber, from 1, so that a gap shows how much was left
/// out because it read too slowly.
package enum ControlNotification: Sendable, Equatable {
  case state(StatusReport.State, sequence: Int)
  case meters(MetersReport, sequence: Int)

  /// The method's name.
  package var method: String {
    switch self {
    case .state: "state"
    case .meters: "meters"
    }
  }

  package var sequence: Int {
    switch self {
    case .state(_, let sequence), .meters(_, let sequence): sequence
    }
  }
}

extension ControlNotification: Codable {
  enum CodingKeys: String, CodingKey {
    case jsonrpc, method, params
  }

  enum ParameterKeys: String, CodingKey {
    case sequence, state, meters
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let parameters = try values.nestedContainer(keyedBy: ParameterKeys.self, forKey: .params)
    let sequence = try parameters.decode(Int.self, forKey: .sequence)
    switch try values.decode(String.self, forKey: .method) {
    case "state":
      self = .state(try parameters.decode(StatusReport.State.self, forKey: .state), sequence: sequence)
    case "meters":
      self = .meters(try parameters.decode(MetersReport.self, forKey: .meters), sequence: sequence)
    case let other:
      throw DecodingError.dataCorruptedError(
        forKey: .method, in: values, debugDescription: "unknown notification \(other)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode("2.0", forKey: .jsonrpc)
    try values.encode(method, forKey: .method)
    var parameters = values.nestedContainer(keyedBy: ParameterKeys.self, forKey: .params)
    try parameters.encode(sequence, forKey: .sequence)
    switch self {
    case .state(let state, _): try parameters.encode(state, forKey: .state)
    case .meters(let meters, _): try parameters.encode(meters, forKey: .meters)
    }
  }
}
