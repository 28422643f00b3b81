import Acoustics

/// Quantity that a program decides; the raw value is its key in reports.
///
/// - Threads: `any`.
public enum ProgramQuantity: String, Sendable, CaseIterable {
  case noiseReduction = "noise_reduction_db"
  case impulseSoftening = "impulse_softening_db"
  case windReduction = "wind_reduction_db"
  case expansion = "expansion_db"
  case feedbackCanceller = "feedback_canceller"
  case frequencyShift = "frequency_shift_hz"
  case howlNotch = "howl_notch"
  case attack = "attack_seconds"
  case release = "release_seconds"
  case averageAttack = "average_attack_seconds"
  case averageRelease = "average_release_seconds"
  case averageThreshold = "average_threshold_db"
  case binauralLink = "binaural_link"
  case compression = "compression_share"
  case gainAt250 = "gain_change_250_hz_db"
  case gainAt500 = "gain_change_500_hz_db"
  case gainAt1000 = "gain_change_1000_hz_db"
  case gainAt2000 = "gain_change_2000_hz_db"
  case gainAt4000 = "gain_change_4000_hz_db"

  /// Unit of its number.
  public enum Unit: String, Sendable, Codable {
    /// A greatest effect or a change of gain, dB.
    case decibels = "dB"
    case hertz = "Hz"
    case seconds = "s"
    /// 0…1.
    case share
    /// 1 is on, 0 is off.
    case isOn = "on"
  }
}

/// Changes that each program makes, with their reasons: the one place to look and to alter.
///
/// Decibels of the first four rows are greatest effects, 0 turns a thing off. Changes of gain are taken from the
/// prescription, never added; between their frequencies they are linear in dB over log frequency, beyond them held.
/// `asSet` leaves what the configuration says.
///
/// - Threads: `any`.
public enum ProgramTable {
  // swift-format-ignore
  /// One row for each quantity, in their order.
  public static let rows: [Row] = [
    //                                                          quiet  conversation  music  outdoors  television  loud
    Row(.noiseReduction,   "noise reduction", .decibels,        4,     16,           0,     8,        6,          16,
      "16 dB improve the ratio of speech to steady noise by 4 to 5 dB after prescription gain. Off for music, whose notes last like noise."),
    Row(.impulseSoftening, "clatter softening", .decibels,      6,     9,            0,     9,        6,          9,
      "Cutlery and slamming doors startle without informing; a drum is meant to be sudden."),
    Row(.windReduction,    "wind relief", .decibels,            10,    10,           0,     15,       0,          10,
      "Wind lies below 500 Hz; 10 dB as in openMHA, more outdoors. Off for music: a double bass resembles wind."),
    Row(.expansion,        "expansion", .decibels,              8,     6,            0,     6,        6,          0,
      "The microphone's own noise is audible in quiet; the end of a note is as soft and must remain. In a loud place nothing is that soft."),
    Row(.feedbackCanceller,"feedback canceller", .isOn,         on,    on,           on,    on,       on,         on,
      "15 dB more gain before feedback, where the delay of the loop is known."),
    Row(.frequencyShift,   "frequency shift", .hertz,           0,     0,            0,     0,        0,          0,
      "Speech and noise are stable without it; music would be more stable with it, and out of tune."),
    Row(.howlNotch,        "howl notch", .isOn,                 on,    on,           on,    on,       on,         on,
      "Tests the loop first: a howl follows a change of the output's phase, a note does not."),
    Row(.attack,           "attack", .seconds,                  asSet, asSet,        0.01,  asSet,    asSet,      asSet,
      "10 ms pass the onset of a note, which is much of its character."),
    Row(.release,          "release", .seconds,                 asSet, asSet,        0.15,  asSet,    asSet,      asSet,
      "After a beat the music stays as loud as it was."),
    Row(.averageAttack,    "average's attack", .seconds,        0.325, 0.5,          1,     0.5,      0.325,      0.325,
      "Gain follows the situation, not the syllable; only peaks are limited at once (dual front-end AGC)."),
    Row(.averageRelease,   "average's release", .seconds,       1,     2,            3,     2,        1,          2,
      "Short pauses of a talker must not fill with noise; 3 s follow the loudness of a piece, not of a bar. A lull in a loud place is turned up no sooner than outdoors."),
    Row(.averageThreshold, "peaks above average", .decibels,    8,     8,            12,    6,        8,          6,
      "Peaks of speech are 12 dB above its average, a beat more; outdoors and in loud places a horn must be limited sooner."),
    Row(.binauralLink,     "link of the ears", .share,          asSet, 1,            1,     1,        asSet,      1,
      "One gain for both ears keeps their level difference, by which a talker or a car is located; where one ear alone is fitted, each has its own."),
    Row(.compression,      "compression kept", .share,          1,     1,            0.6,   1,        1,          1,
      "Music lives on contrast: soft sounds are raised relative to loud ones by 60 % of the prescription."),
    Row(.gainAt250,        "gain at 250 Hz", .decibels,         0,     -3,           0,     -3,       -2,         -5,
      "Noise of rooms, cars and crowds is low in frequency and masks higher sounds, the more the louder it is; loudspeakers hum.", at: 250),
    Row(.gainAt500,        "gain at 500 Hz", .decibels,         0,     -2,           0,     -1.5,     -1,         -3,
      "Between 250 Hz and the full gain.", at: 500),
    Row(.gainAt1000,       "gain at 1 kHz", .decibels,          0,     0,            0,     0,        0,          0,
      "Speech is understood from 1 to 4 kHz: never less than prescribed, which for loud sound is little.", at: 1000),
    Row(.gainAt2000,       "gain at 2 kHz", .decibels,          0,     0,            0,     0,        0,          0,
      "As at 1 kHz.", at: 2000),
    Row(.gainAt4000,       "gain at 4 kHz", .decibels,          0,     0,            0,     0,        0,          0,
      "As at 1 kHz; a bicycle bell is audible here.", at: 4000),
  ]

  private static let on: Double? = 1
  private static let asSet: Double? = nil

  /// One quantity as all programs have it.
  public struct Row: Sendable {
    /// The quantity.
    public let quantity: ProgramQuantity
    /// Name for people.
    public let name: String
    /// Unit of the numbers.
    public let unit: ProgramQuantity.Unit
    /// Reason for the numbers, a sentence or two.
    public let reason: String
    /// Frequency whose gain is changed, Hz; nil: it is about something else.
    let frequency: Double?
    private let values: [ListeningProgram: Double]

    init(
      _ quantity: ProgramQuantity, _ name: String, _ unit: ProgramQuantity.Unit, _ quiet: Double?,
      _ conversation: Double?, _ music: Double?, _ outdoors: Double?, _ television: Double?,
      _ loud: Double?,
      _ reason: String, at frequency: Double? = nil
    ) {
      (self.quantity, self.name, self.unit, self.reason) = (quantity, name, unit, reason)
      self.frequency = frequency
      let columns = zip(
        ListeningProgram.allCases, [quiet, conversation, music, outdoors, television, loud])
      values = Dictionary(
        uniqueKeysWithValues: columns.compactMap { program, value in value.map { (program, $0) } })
    }

    /// Number of a program; nil: as the configuration says.
    public subscript(program: ListeningProgram) -> Double? { values[program] }
  }

  /// Number of a program for a quantity; nil: as the configuration says.
  static func value(_ quantity: ProgramQuantity, in program: ListeningProgram) -> Double? {
    rows.first { $0.quantity == quantity }?[program]
  }

  /// Changes of a program's gain over frequency, dB.
  static func gainChanges(in program: ListeningProgram) -> LogFrequencyTable {
    let points = rows.filter { $0.frequency != nil }
    return LogFrequencyTable(points.compactMap(\.frequency), points.map { $0[program] ?? 0 })
  }
}
