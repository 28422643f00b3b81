import AuricleClient
import Base
import Control
import Service

/// Requests of every method of the control protocol, given to a daemon without devices through its socket.
struct DaemonLines: MutationKind {
  static let good = ControlLines.good
  /// Writes a file wherever the request says, and derives a key for a second: not for a search.
  private static let leftOut = "book.backup"

  let shelf: MaterialShelf
  private var lines: ControlLines

  init(_ fixtures: Fixtures, scratch: String) throws {
    lines = try ControlLines(fixtures, scratch: scratch)
    var items = lines.shelf.unchanged.filter { $0.name != Self.leftOut }
    let known = Set(items.map(\.name))
    for method in MethodTable.daemon.descriptions
    where !known.contains(method.name) && method.name != Self.leftOut {
      items.append(MutatedInput(name: method.name, bytes: Self.line(method)))
    }
    shelf = MaterialShelf(items.map { MaterialShelf.Item(name: $0.name, material: JSONMaterial($0.bytes)) })
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    let requests = input.bytes.split(separator: UInt8(ascii: "\n")).map { Request(line: Array($0)) }
    for case .success(let call) in requests.map(\.call) where call.method == Self.leftOut {
      return "left out"
    }
    return try lines.outcome(of: input)
  }

  /// A request of a method from its description: each parameter has the least value that is accepted.
  private static func line(_ method: MethodDescription) -> [UInt8] {
    let parameters = method.parameters.map { parameter in
      JSONValue.Member(key: parameter.name, value: value(parameter.kind))
    }
    let request: JSONValue = [
      "jsonrpc": "2.0", "id": 1, "method": .text(method.name), "params": .object(parameters),
    ]
    return Array(request.minified.utf8)
  }

  private static func value(_ kind: MethodParameter.Kind) -> JSONValue {
    switch kind {
    case .text: "quiet"
    case .whole(let range): .number(Double(range.lowerBound))
    case .number(let range): .number(range.lowerBound)
    case .boolean: true
    case .words(let words): .array(words.map { .text($0) })
    case .object: [:]
    }
  }
}
