import Acoustics
public import HearingDSP

/// A kind of listening, for which sound is treated in a way of its own; ``ProgramTable`` holds the changes.
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
  case loud

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
    case .loud: "loud places"
    }
  }

  /// When to use it, one sentence.
  public var purpose: String {
    switch self {
    case .quiet: "At home and in quiet rooms: the prescription as it is, with the least added."
    case .conversationInNoise: "Talking among other voices and noise: restaurant, family table, car."
    case .music: "Listening to music or playing it: levels and tones stay as they were made."
    case .outdoors: "Street and countryside: wind and traffic are held back, warnings still heard."
    case .television: "Voices from a loudspeaker or a telephone."
    case .loud:
      "Workshop, stadium, party: what lasts and what bangs is softened, speech left as prescribed."
    }
  }
}

extension ListeningProgram {
  /// Treatment of the sound besides the prescribed gain.
  public var treatment: Treatment {
    var treatment = Treatment()
    treatment.noiseReduction = self[.noiseReduction] ?? 0
    treatment.impulseSoftening = self[.impulseSoftening] ?? 0
    treatment.windReduction = self[.windReduction] ?? 0
    treatment.expansion = self[.expansion] ?? 0
    treatment.feedback.isCancelling = self[.feedbackCanceller] == 1
    treatment.feedback.frequencyShift = self[.frequencyShift] ?? 0
    treatment.feedback.isNotching = self[.howlNotch] == 1
    return treatment
  }

  /// Times and link of this program; those it leaves open are as set.
  public func dynamics(over set: Dynamics) -> Dynamics {
    var dynamics = set
    dynamics.attack = self[.attack] ?? set.attack
    dynamics.release = self[.release] ?? set.release
    dynamics.binauralLink = self[.binauralLink] ?? set.binauralLink
    dynamics.average = average(over: dynamics) ?? set.average
    return dynamics
  }

  /// The slow half of the compressor: never quicker than the fast one, however slow that was set.
  private func average(over fast: Dynamics) -> SlowAverage? {
    guard let attack = self[.averageAttack], let release = self[.averageRelease],
      let threshold = self[.averageThreshold]
    else { return nil }
    return SlowAverage(
      attack: max(attack, fast.attack), release: max(release, fast.release), threshold: threshold)
  }

  /// Change of the gain at a frequency, dB, not positive.
  func gainChange(at frequency: Double) -> Double {
    min(0, ProgramTable.gainChanges(in: self).held(at: frequency))
  }

  /// Share of the gain above that for loud speech that remains, 0…1.
  var compressionShare: Double { self[.compression] ?? 1 }

  private subscript(quantity: ProgramQuantity) -> Double? { ProgramTable.value(quantity, in: self) }
}

/// The wearer's choice: a program, or that the aid follows the surroundings.
///
/// - Threads: `any`.
public enum ProgramChoice: Sendable, Hashable {
  /// ``AutomaticProgram`` decides.
  case automatic
  case program(ListeningProgram)

  /// In force before anybody has chosen: the prescription with the least added. Own choice; an aid that changes
  /// by itself is for those who ask for it.
  public static let first = ProgramChoice.program(.quiet)

  /// Every choice: the programs, then ``automatic``.
  public static let all: [ProgramChoice] =
    ListeningProgram.allCases.map(ProgramChoice.program) + [.automatic]

  /// The word, as commands take it and as it is stored.
  public var word: String { program?.word ?? "automatic" }

  /// For people.
  public var name: String { program?.name ?? "automatic" }

  private var program: ListeningProgram? { if case .program(let program) = self { program } else { nil } }

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

  /// Its names, in small letters. One program serves everything that comes out of a loudspeaker.
  private var names: [String] {
    self == .program(.television) ? [word, name, "telephone", "phone", "tv"] : [word, name]
  }
}
