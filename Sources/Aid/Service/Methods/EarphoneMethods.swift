import Base
import Control

/// Methods by which a program of the wearer's session tells which earphones they have on.
///
/// All that is told is kept in memory, shown in the status and believed by nothing that sounds but a procedure whose protocol allows some earphones
/// alone, and that only through a sound server, or where nothing else tells which are in use.
package enum EarphoneMethods {
  package struct Tell: DaemonMethod, Hashable {
    package static let description = MethodDescription(
      "earphones.tell", for: [.wearer],
      "Tells which earphones the wearer has on, in place of others told before; forgotten when this connection ends.",
      [
        MethodParameter(
          "connection", .text,
          English.list(StatusReport.Earphones.Connection.allCases.map(\.rawValue), "or")),
        MethodParameter("name", .text, isOptional: true, StatusReport.Earphones.nameWords),
        MethodParameter(
          "address", .text, isOptional: true, "of Bluetooth: \(StatusReport.Earphones.addressWords)"),
        MethodParameter(
          "modalias", .text, isOptional: true, "maker and product: \(StatusReport.Earphones.modaliasWords)"),
      ], answer: "'earphones' as in status", conduct: .staying)

    let connection: String
    var name: String?
    var address: String?
    var modalias: String?

    package init(_ earphones: StatusReport.Earphones) {
      connection = earphones.connection.rawValue
      (name, address, modalias) = (earphones.name, earphones.address, earphones.modalias)
    }

    /// Nil where a parameter is not as expected.
    private var earphones: StatusReport.Earphones? {
      StatusReport.Earphones.Connection(rawValue: connection).map {
        StatusReport.Earphones(connection: $0, name: name, address: address, modalias: modalias)
      }
    }

    package func check() throws(ControlFailure) {
      guard let earphones else {
        let words = StatusReport.Earphones.Connection.allCases.map { "\"\($0.rawValue)\"" }
        throw .parameter(
          "connection", found: "\"\(LogLine.printable(connection.prefix(16)))\"",
          expected: English.list(words, "or"))
      }
      // What was found may be anything: it is not repeated.
      if let (parameter, expected) = earphones.fault {
        throw .parameter(parameter, found: "another text", expected: expected)
      }
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<Told> {
      state.takeEarphones(earphones.map { ToldEarphones(earphones: $0, teller: peer) })
      return .now(Told(earphones: state.earphones?.earphones))
    }
  }

  package struct Forget: DaemonMethod {
    package static let description = MethodDescription(
      "earphones.forget", for: [.wearer], "Takes back what this connection has told of earphones.",
      answer: "'earphones', which is absent unless another connection told them")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<Told> {
      state.forgetEarphones(of: peer)
      return .now(Told(earphones: state.earphones?.earphones))
    }
  }

  /// Earphones that are known; nil: none.
  package struct Told: Sendable, Codable, Hashable {
    package let earphones: StatusReport.Earphones?
  }
}
