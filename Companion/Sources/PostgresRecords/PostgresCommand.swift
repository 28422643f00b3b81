import Records

/// A statement with its values, by number.
struct PostgresCommand {
  let text: String
  let parameters: PostgresParameters
  /// True where the values say who asks and when, which settings of the transaction say otherwise.
  let namesSession: Bool
  /// Name of the plan that the server keeps; nil: it is planned anew.
  var plan: String?

  init(text: String, values: [Value], namesSession: Bool = false) {
    (self.text, parameters, self.namesSession) = (text, PostgresParameters(values), namesSession)
  }
}

/// Statements with their parameters by number, each taken apart once.
struct PostgresCommands {
  /// By the statement's text.
  private var known: [String: (text: String, names: [String])] = [:]

  /// - Parameter session: Gives `:session_subject` and `:session_now` to statements that name them, whatever the parameters say.
  mutating func command(
    _ statement: Statement, _ parameters: [String: Value], _ session: Session
  ) throws(StorageError) -> PostgresCommand {
    let (text, names) = numbered(statement)
    var values: [Value] = []
    values.reserveCapacity(names.count)
    var namesSession = false
    for name in names {
      if let value = Self.value(of: session, name) {
        values.append(value)
        namesSession = true
      } else if let value = parameters[name] {
        values.append(value)
      } else {
        throw .wrongStatement("the parameter \(name) is missing")
      }
    }
    return PostgresCommand(text: text, values: values, namesSession: namesSession)
  }

  private mutating func numbered(_ statement: Statement) -> (text: String, names: [String]) {
    if let known = known[statement.postgres] { return known }
    let numbered = statement.numbered
    known[statement.postgres] = numbered
    return numbered
  }

  private static func value(of session: Session, _ name: String) -> Value? {
    switch name {
    case "session_subject": .text(session.subject ?? "")
    case "session_now": .integer(session.now.milliseconds)
    default: nil
    }
  }
}
