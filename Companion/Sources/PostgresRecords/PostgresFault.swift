import CPQ
import Records

/// SQLSTATE as what became of the request (PostgreSQL 15, appendix A).
enum PostgresFault {
  /// SQLSTATE; empty where there is none.
  static func state(of result: OpaquePointer?) -> String {
    PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
  }

  static func of(_ result: OpaquePointer, isConnected: Bool, _ words: String) -> StorageError {
    let state = state(of: result)
    let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? words
    return isConnected ? of(state, message) : .lost(message)
  }

  static func of(_ state: String, _ message: String) -> StorageError {
    // A standby, or a server that was set so: it takes nothing, as one that is gone.
    if state == "25006" { return .lost(message) }
    // Data and indexes that are not whole; other faults of this class are the server's own.
    if state == "XX001" || state == "XX002" { return .damaged(message) }
    switch state.prefix(2) {
    case "23": return .constraint(message)
    case "53": return .full(message)
    case "08", "57", "58": return .lost(message)
    case "40", "55": return .busy(message)
    case "42" where state == "42501": return .forbidden(message)
    case "22": return .constraint(message)
    default: return .wrongStatement("\(message) (\(state))")
    }
  }
}
