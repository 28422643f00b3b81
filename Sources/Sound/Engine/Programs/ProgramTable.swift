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
      "12 dB improve the ratio of speech to noise by 5 dB after prescription gain, without loss of speech; 9.5 dB from 58 dB HL on (docs/noise.md). Off for music, whose notes last like noise."),
    Row(.impulseSoftening,  6,     9,            0,     9,        6,
      "Cutlery and slamming doors startle without informing; a drum is meant to be sudden."),
    Row(.windReduction,     10,    10,           0,     15,       0,
      "Wind lies below 500 Hz; 10 dB as in openMHA, more outdoors. Off for music: a double bass resembles wind."),
    Row(.expansion,         8,     6,            0,     6,        6,
      "The microphone's own noise is audible in quiet; the end of a note is as soft and must remain."),
    Row(.feedbackCanceller, on,    on,           on,    on,       on,
      "15 dB more gain before feedback, where the delay of the loop is known."),
    Row(.frequencyShift,    0,     0,            0,     0,        0,
      "Speech and noise are stable without it; music would be more stable with it, and out of tune."),
    Row(.howlNotch,         on,    on,           on,    on,       on,
      "Tests the loop first: a howl follows a change of the output's phase, a note does not (docs/architecture.md)."),
    Row(.attack,            asSet, asSet,        0.01,  asSet,    asSet,
      "10 ms pass the onset of a note, which is much of its character."),
    Row(.release,           asSet, asSet,        0.15,  asSet,    asSet,
      "After a beat the music stays as loud as it was."),
    Row(.averageAttack,     0.325, 0.5,          1,     0.5,      0.325,
      "Gain follows the situation, not the syllable; only peaks are limited at once (dual front-end AGC)."),
    Row(.averageRelease,    1,     2,            3,     2,        1,
      "Short pauses of a talker must not fill with noise; 3 s follow the loudness of a piece, not of a bar."),
    Row(.averageThreshold,  8,     8,            12,    6,        8,
      "Peaks of speech are 12 dB above its average, a beat more; outdoors a horn must be limited sooner."),
    Row(.binauralLink,      asSet, 1,            1,     1,        asSet,
      "One gain for both ears keeps their level difference, by which a talker or a car is located."),
    Row(.compression,       1,     1,            0.6,   1,        1,
      "Music lives on contrast: soft sounds are raised relative to loud ones by 60 % of the prescription."),
    Row(.gainAt250,         0,     -3,           0,     -3,       -2,
      "Noise of rooms, cars and crowds is low in frequency and masks higher sounds; loudspeakers hum."),
    Row(.gainAt500,         0,     -2,           0,     -1.5,     -1,
      "Between 250 Hz and the full gain."),
    Row(.gainAt1000,        0,     0,            0,     0,        0,
      "Speech is understood from 1 to 4 kHz: never less than prescribed."),
    Row(.gainAt2000,        0,     0,            0,     0,        0,
      "As at 1 kHz."),
    Row(.gainAt4000,        0,     0,            0,     0,        0,
      "As at 1 kHz; a bicycle bell is audible here."),
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
