/// What the wearer chose: a program, or that the aid follows the surroundings.
///
/// - Threads: `any`.
public enum ProgramChoice: Sendable, Hashable {
  /// ``AutomaticProgram`` decides.
  case automatic
  case program(ListeningProgram)

  /// What is worn before anybody has chosen: the prescription with the least added. Own choice; an aid that changes
  /// by itself is for those who ask for it.
  public static let first = ProgramChoice.program(.quiet)

  public static let all: [ProgramChoice] =
    ListeningProgram.allCases.map(ProgramChoice.program) + [.automatic]

  /// The word, as commands take it and as it is remembered.
  public var word: String {
    switch self {
    case .automatic: "automatic"
    case .program(let program): program.word
    }
  }

  /// For people.
  public var name: String {
    switch self {
    case .automatic: "automatic"
    case .program(let program): program.name
    }
  }

  /// The choice that has exactly this word.
  public init?(word: String) {
    guard let choice = Self.all.first(where: { $0.word == word }) else { return nil }
    self = choice
  }

  /// The choice that a person means: a word, a name as people are shown it, or enough of the beginning of one, in
  /// large or small letters.
  ///
  /// - Returns: All that could be meant; one when it is clear, none when nothing begins like this.
  public static func meant(by text: String) -> [ProgramChoice] {
    let text = text.lowercased()
    guard !text.isEmpty else { return [] }
    if let exact = all.first(where: { $0.names.contains(text) }) { return [exact] }
    return all.filter { choice in choice.names.contains { $0.hasPrefix(text) } }
  }

  /// What it goes by, in small letters. One program serves everything that comes out of a loudspeaker.
  private var names: [String] {
    self == .program(.television) ? [word, name, "telephone", "phone", "tv"] : [word, name]
  }
}
