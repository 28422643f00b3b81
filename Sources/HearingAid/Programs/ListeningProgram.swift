/// A kind of listening, for which sound is treated in a way of its own. What each one changes stands in
/// ``ProgramTable``.
///
/// The word of a program that a prescription's environment has too is the same word.
///
/// - Threads: `any`.
public enum ListeningProgram: String, Sendable, CaseIterable {
  case quiet
  case conversationInNoise = "conversation-in-noise"
  case music
  case outdoors
  case television

  /// The word, as commands take it.
  public var word: String { rawValue }

  /// For people: `conversation in noise`.
  public var name: String {
    switch self {
    case .quiet: "quiet"
    case .conversationInNoise: "conversation in noise"
    case .music: "music"
    case .outdoors: "outdoors"
    case .television: "television and telephone"
    }
  }

  /// When to use it, one sentence.
  public var purpose: String {
    switch self {
    case .quiet: "At home and in quiet rooms: the prescription as it is, with as little else as possible."
    case .conversationInNoise: "Talking among other voices and noise: restaurant, family table, car."
    case .music: "Listening to music or playing it: levels and tones stay as they were made."
    case .outdoors: "Street and countryside: wind and traffic are held back, warnings still heard."
    case .television: "Voices from a loudspeaker or a telephone."
    }
  }
}
