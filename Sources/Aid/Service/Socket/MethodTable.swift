import Base
import Control

/// The methods that a server offers: the one list from which parameters are read, access is checked, and
/// the manual page is made.
package struct MethodTable: Sendable {
  /// In the order of registration.
  private var methods: [any ControlMethod.Type] = []
  /// Those that silence.
  private(set) var silencing: [any ControlMethod.Type] = []

  package var descriptions: [MethodDescription] { methods.map { $0.description } }

  package init(_ methods: [any ControlMethod.Type] = []) { for method in methods { register(method) } }

  /// Adds a method.
  package mutating func register(_ method: any ControlMethod.Type) {
    precondition(!methods.contains { $0.name == method.name }, "\(method.name) is registered already")
    methods.append(method)
    if method.description.conduct == .silencing { silencing.append(method) }
  }

  /// Reads a call: its method is looked up, and its parameters are checked.
  ///
  /// - Throws: ``ControlFailure`` that names what is wrong.
  func read(_ call: Request.Call) throws(ControlFailure) -> any ControlMethod {
    guard let method = method(named: call.method) else { throw unknown(call.method) }
    return try method.init(parameters: call.parameters)
  }

  /// The method of that name; nil: there is none.
  func method(named name: String) -> (any ControlMethod.Type)? { methods.first { $0.name == name } }

  /// Methods of former versions of the protocol, and their successor; those who call them learn more than
  /// that they are unknown.
  private static let former = [
    "feedback.borrow": "feedback.measure", "feedback.renew": "feedback.measure",
    "feedback.return": "feedback.stop",
  ]

  private func unknown(_ name: String) -> ControlFailure {
    if let successor = Self.former[name] {
      return ControlFailure(
        .unknownMethod,
        "method: found \"\(name)\", which ended with protocol 1.2, expected \"\(successor)\": the daemon measures "
          + "feedback itself. Install auricle and auricled of the same version.")
    }
    let names = descriptions.map(\.name)
    let hint = Spelling.nearest(to: name, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
    return ControlFailure(
      .unknownMethod, "method: found \"\(name.prefix(64))\", expected \(English.list(names, "or")).\(hint)")
  }
}
