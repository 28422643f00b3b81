/// Where a prescription is meant to be worn; a device keeps one in force for each.
package enum ListeningEnvironment: Sendable, Hashable {
  case quiet
  case conversationInNoise
  case music
  case outdoors
  /// The clinic's own word.
  case other(String)

  /// Those that have a name of their own.
  package static let known: [ListeningEnvironment] = [.quiet, .conversationInNoise, .music, .outdoors]

  /// Word on a card and on the command line: `quiet`, `conversation-in-noise`, `music`, `outdoors`, or the
  /// clinic's own.
  package var word: String {
    switch self {
    case .quiet: "quiet"
    case .conversationInNoise: "conversation-in-noise"
    case .music: "music"
    case .outdoors: "outdoors"
    case .other(let word): word
    }
  }

  /// - Throws: ``PrescriptionError/unusableText(field:reason:)``.
  package init(word: String) throws(PrescriptionError) {
    let text = try PlainText.checked(word, field: "environment")
    self = Self.known.first { $0.word == text } ?? .other(text)
  }
}
