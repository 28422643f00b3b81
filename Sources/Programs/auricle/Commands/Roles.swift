import ArgumentParser
import Base
import Control
import Service

/// `auricle roles`: who may do what.
struct Roles: Verb {
  static let configuration = CommandConfiguration(
    commandName: "roles", abstract: "Show who may do what with the hearing aid.",
    discussion: """
      The wearer hears by it and turns it; the audiologist fits it; the developer looks into it; the operator \
      runs the machine. On a device of their own the wearer is its operator too; on one that a clinic has handed out \
      (control.owner = "clinic") the column of the wearer binds. To be audiologist or developer, be in the group \
      auricle-audiologist or auricle-developer and add --as audiologist or --as developer to a command, which asks for \
      your password; a developer may have a clinic's pass scanned instead.
      """)

  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    let table = RoleTable(MethodTable.daemon.descriptions)
    return try show(table, table.text)
  }
}

/// Methods with the roles that may call them, as `auricle roles --json` prints them.
struct RoleTable: Encodable {
  private(set) var schema = 100
  let methods: [Row]

  struct Row: Encodable {
    let method: String
    let effect: String
    /// Everybody who may connect.
    let any: Bool
    /// `yes`, `own`: of a device of their own alone, or `no`.
    let wearer: String
    let audiologist: Bool
    let developer: Bool
    let `operator`: Bool
  }

  init(_ methods: [MethodDescription]) { self.methods = methods.map(Row.init) }

  var text: String {
    var table = TextTable([.leading] + [TextTable.Alignment](repeating: .leading, count: 5))
    table.append(["method", "any"] + Role.columns.map(\.rawValue))
    func sign(_ isAllowed: Bool) -> String { isAllowed ? "yes" : "-" }
    for row in methods {
      let cells = [sign(row.any), row.wearer == "no" ? "-" : row.wearer]
      table.append([row.method] + cells + [row.audiologist, row.developer, row.operator].map(sign))
    }
    return table.text + "own: on a device of their own; there the wearer is the operator too.\n"
  }
}

extension RoleTable.Row {
  init(_ method: MethodDescription) {
    func allows(_ role: Role) -> Bool { method.access.allows([role]) }
    self.init(
      method: method.name, effect: method.effect, any: method.access == .any,
      wearer: allows(.wearer) ? "yes" : allows(.owner) ? "own" : "no",
      audiologist: allows(.audiologist), developer: allows(.developer), operator: allows(.operator))
  }
}
