import Base
import Control
import Service

/// A record that was left.
enum LeftRecord {
  /// - Parameter name: `last`: the newest of its kind.
  /// - Throws: ``Failure`` where there is none.
  static func named(
    _ name: String, _ kind: ProcedureOrder.Name, _ client: ControlClient
  ) throws(Failure) -> String {
    let records = try KeptRecords(client).entries
    if let named = records.first(where: { $0.record == name }), named.name != kind {
      throw Failure(
        name, found: "the record of another procedure, \(named.name.rawValue)",
        expected: "one of \(kind.rawValue)",
        remedy: "See: auricle match history", exit: .usage)
    }
    guard name == "last" else { return name }
    let left = records.last { $0.name == kind && $0.endedUnixSeconds == nil }
    guard let left else {
      throw Failure(kind.rawValue, found: "none that was left", remedy: "Begin one.", exit: .usage)
    }
    return left.record
  }
}
