/// JSON text as a tree that remembers the line of each value and keeps members in order, repeated ones too.
///
/// The usual decoders silently take one of two members with the same key; in a medical file that is an
/// error to be reported, with its line.
struct JSONText: Equatable {
  enum Value: Equatable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONText])
    case object([Member])
  }

  struct Member: Equatable {
    let key: String
    let line: Int
    let value: JSONText
  }

  let value: Value
  /// Line on which the value begins, from 1.
  let line: Int

  /// What it is, for messages: "a number".
  var kind: String {
    switch value {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// Where and why text is not JSON.
struct JSONTextError: Error, Equatable {
  let line: Int
  let reason: String
}
