/// A questionnaire's items by their ids, with what each depends on. The same for every sheet of answers.
///
/// - Threads: any.
public struct Outline: Sendable {
  struct Node: Sendable {
    let item: Item
    let parent: String?
    /// Ids of the repeated groups around it, outermost first.
    let repeated: [String]
  }

  public let questionnaire: Questionnaire
  let nodes: [String: Node]

  /// Most items, and longest chain of items of which each decides whether the next is shown. Own choice: ten times what people answer.
  static let greatestCount = 5000
  static let longestChain = 64

  /// Reason why a questionnaire cannot be shown.
  public enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
    case repeatedID(String)
    /// A condition names no item.
    case unknownQuestion(String, in: String)
    /// Items whose being shown depends on themselves, in the order of dependence.
    case cycle([String])
    case tooMany(Int)
    /// The last item of a chain that is too long.
    case chainTooLong(String)

    public var description: String {
      switch self {
      case .repeatedID(let id): "two items have the id \"\(id)\"; expected each once"
      case .unknownQuestion(let question, let item):
        "a condition of \"\(item)\" names \"\(question)\", which is no item; correct the name or remove the condition"
      case .cycle(let items):
        "whether \"\(items.first ?? "")\" is shown depends on itself: \(items.joined(separator: " → ")); remove one of these conditions"
      case .tooMany(let count): "found \(count) items; expected at most \(Outline.greatestCount)"
      case .chainTooLong(let item):
        "\"\(item)\" is shown at the end of more than \(Outline.longestChain) items, each of which depends on the one before"
      }
    }
  }

  /// - Throws: ``Fault``, the first that is found.
  public init(_ questionnaire: Questionnaire) throws(Fault) {
    let count = questionnaire.allItems.count
    guard count <= Self.greatestCount else { throw .tooMany(count) }
    var nodes: [String: Node] = [:]
    func add(_ items: [Item], _ parent: String?, _ repeated: [String]) throws(Fault) {
      for item in items {
        guard nodes[item.id] == nil else { throw .repeatedID(item.id) }
        nodes[item.id] = Node(item: item, parent: parent, repeated: repeated)
        let isRepeated = if case .group(repeats: .some) = item.kind { true } else { false }
        try add(item.items, item.id, isRepeated ? repeated + [item.id] : repeated)
      }
    }
    try add(questionnaire.items, nil, [])
    for item in questionnaire.allItems {
      for condition in item.conditions where nodes[condition.question] == nil {
        throw .unknownQuestion(condition.question, in: item.id)
      }
    }
    (self.questionnaire, self.nodes) = (questionnaire, nodes)
    try checkChains()
  }

  /// Items on whose being shown or answered an item's being shown depends.
  private func dependencies(of id: String) -> [String] {
    guard let node = nodes[id] else { return [] }
    return (node.parent.map { [$0] } ?? []) + node.item.conditions.map(\.question)
  }

  /// Depth first, without recursion: a questionnaire from outside may be as deep as it likes.
  private func checkChains() throws(Fault) {
    var lengths: [String: Int] = [:]
    for start in questionnaire.allItems.map(\.id) where lengths[start] == nil {
      var path = [(id: start, rest: dependencies(of: start)[...])]
      var onPath: Set<String> = [start]
      while let last = path.indices.last {
        guard let next = path[last].rest.popFirst() else {
          let id = path[last].id
          let length = 1 + (dependencies(of: id).compactMap { lengths[$0] }.max() ?? 0)
          guard length <= Self.longestChain else { throw .chainTooLong(id) }
          lengths[id] = length
          onPath.remove(id)
          path.removeLast()
          continue
        }
        if onPath.contains(next) { throw .cycle(path.map(\.id).drop { $0 != next } + [next]) }
        guard lengths[next] == nil else { continue }
        path.append((next, dependencies(of: next)[...]))
        onPath.insert(next)
      }
    }
  }

  /// The item of an id.
  public func item(_ id: String) -> Item? { nodes[id]?.item }

  /// True for a place within a repeated group, at whatever depth, in one of its repetitions from a number on.
  ///
  /// - Parameter number: The first of these repetitions, from 0.
  public func isPlace(_ key: AnswerKey, in group: AnswerKey, from number: Int) -> Bool {
    let depth = group.repetition.count
    guard let around = nodes[key.item]?.repeated, around.count > depth, around[depth] == group.item,
      key.repetition.count > depth
    else { return false }
    return key.repetition.starts(with: group.repetition) && key.repetition[depth] >= number
  }
}
