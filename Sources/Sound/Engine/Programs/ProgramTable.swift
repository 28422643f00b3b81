/// What each program changes, and why: the one place to look and to alter.
///
/// Decibels of the first four rows are greatest effects, 0 turns a thing off. Changes of gain are taken from the
/// prescription, never added; between their frequencies they are linear in dB over log frequency, beyond them held.
/// `asSet` leaves what the configuration says.
///
/// - Threads: `any`.
public enum ProgramTable {
  // swift-format-ignore
  public static let rows: [Row] = [
    //                      quiet  conversation  music  outdoors  television
    Row(.noiseReduction,    4,     12,           0,     8,        6,
      "12 dB gain 5 dB of ratio behind a prescription, speech whole; 9.5 dB from 58 dB HL on (docs/noise.md). None where notes last."),
    Row(.impulseSoftening,  6,     9,            0,     9,        6,
      "Cutlery and doors startle more than they tell; a drum is meant to be sudden."),
    Row(.windReduction,     10,    10,           0,     15,       0,
      "Wind lies below 500 Hz; 10 dB as in openMHA, more where it blows. A double bass looks like it."),
    Row(.expansion,         8,     6,            0,     6,        6,
      "The microphone's own noise shows where it is quiet; the end of a note is as soft and must last."),
    Row(.feedbackCanceller, on,    on,           on,    on,       on,
      "15 dB more gain before it whistles, where the delay of the loop is known; works by itself."),
    Row(.frequencyShift,    0,     0,            0,     0,        0,
      "Speech and noise are stable without; music would gain by it and go out of tune."),
    Row(.howlNotch,         on,    on,           on,    on,       on,
      "Asks the loop first: what follows a turn of the output's phase is a howl, a note does not (docs/architecture.md)."),
    Row(.attack,            asSet, asSet,        0.01,  asSet,    asSet,
      "10 ms let the beginning of a note through, which is much of its sound."),
    Row(.release,           asSet, asSet,        0.15,  asSet,    asSet,
      "After a beat the piece goes on as loud as it was."),
    Row(.averageAttack,     0.325, 0.5,          1,     0.5,      0.325,
      "Gain follows the situation, not the syllable; only what stands out is held at once (dual front-end AGC)."),
    Row(.averageRelease,    1,     2,            3,     2,        1,
      "Short pauses of a talker must not fill with noise; 3 s follow a piece of music, not a bar."),
    Row(.averageThreshold,  8,     8,            12,    6,        8,
      "Peaks of speech stand 12 dB above its average, a beat more; outdoors a horn is to be caught sooner."),
    Row(.binauralLink,      asSet, 1,            1,     1,        asSet,
      "One gain for both ears keeps their difference, and with it where a talker or a car is."),
    Row(.compression,       1,     1,            0.6,   1,        1,
      "Music lives of its differences: soft is lifted above loud by 60 % of what is prescribed."),
    Row(.gainAt250,         0,     -3,           0,     -3,       -2,
      "Noise of rooms, cars and crowds lies low and covers what is above it; a loudspeaker's box hums."),
    Row(.gainAt500,         0,     -2,           0,     -1.5,     -1,
      "On the way from there to the full gain."),
    Row(.gainAt1000,        0,     0,            0,     0,        0,
      "Speech is understood from 1 to 4 kHz: never less than prescribed."),
    Row(.gainAt2000,        0,     0,            0,     0,        0,
      "As at 1 kHz."),
    Row(.gainAt4000,        0,     0,            0,     0,        0,
      "As at 1 kHz; and a bicycle's bell is here."),
  ]

  private static let on: Double? = 1
  private static let asSet: Double? = nil

  /// One thing decided for all programs.
  public struct Row: Sendable {
    public let quantity: ProgramQuantity
    public let reason: String
    private let values: [ListeningProgram: Double]

    init(
      _ quantity: ProgramQuantity, _ quiet: Double?, _ conversation: Double?, _ music: Double?,
      _ outdoors: Double?, _ television: Double?, _ reason: String
    ) {
      self.quantity = quantity
      self.reason = reason
      let columns: [(ListeningProgram, Double?)] = [
        (.quiet, quiet), (.conversationInNoise, conversation), (.music, music), (.outdoors, outdoors),
        (.television, television),
      ]
      values = Dictionary(
        columns.compactMap { program, value in value.map { (program, $0) } }, uniquingKeysWith: { $1 })
    }

    /// What a program has here; nil: as the configuration says.
    public subscript(program: ListeningProgram) -> Double? { values[program] }
  }

  /// What a program has for a quantity; nil: as the configuration says.
  static func value(_ quantity: ProgramQuantity, in program: ListeningProgram) -> Double? {
    rows.first { $0.quantity == quantity }?[program]
  }
}
