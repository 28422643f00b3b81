import Acoustics
import Fitting
public import HearingDSP

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

extension ListeningProgram {
  /// What is done to the sound besides the prescribed gain.
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

  /// Times and link of this program; what it leaves open is as set.
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

  /// What is taken from the gain at a frequency, dB, not positive.
  func gainChange(at frequency: Double) -> Double { min(0, Self.changes[self]?.held(at: frequency) ?? 0) }

  /// Share of the gain above that for loud speech that remains, 0…1.
  var compressionShare: Double { self[.compression] ?? 1 }

  private subscript(quantity: ProgramQuantity) -> Double? { ProgramTable.value(quantity, in: self) }

  private static let changes: [ListeningProgram: LogFrequencyTable] = {
    var tables: [ListeningProgram: LogFrequencyTable] = [:]
    for program in allCases {
      let points = ProgramQuantity.allCases.compactMap { quantity in
        quantity.frequency.map { ($0, program[quantity] ?? 0) }
      }
      tables[program] = LogFrequencyTable(points.map(\.0), points.map(\.1))
    }
    return tables
  }()
}
