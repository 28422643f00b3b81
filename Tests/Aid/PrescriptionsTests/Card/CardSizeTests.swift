import Acoustics
import Base
import Fitting
import Prescriptions
import Testing

/// A prescription as clinics write it, and the largest QR symbol that its card may need.
struct SizeSample: Sendable, CustomTestStringConvertible {
  let title: String
  let names: Names
  let plan: @Sendable () throws -> FittingPlan
  /// Largest version at error correction L.
  let version: Int

  struct Names: Sendable {
    let given: String
    let family: String
    let prescriber: String
    let reference: String?

    static let short = Names(given: "Ada", family: "Example", prescriber: "Dr. B. Ear", reference: "4711")
    /// 58 bytes of names.
    static let long = Names(
      given: "Maria Magdalena", family: "Oberhuber-Lindström", prescriber: "Dr. Elisabeth Andersson",
      reference: "P-2024-00417")
    /// 80 bytes of names.
    static let longest = Names(
      given: "Maximiliane Friederike", family: "Müller-Lüdenscheidt",
      prescriber: "Dr. med. Annegret Schönfeld-Öztürk", reference: "P-2024-00417")
  }

  var testDescription: String { title }
}

@Suite("Card size") struct CardSizeTests {
  static let issued = Instant(seconds: 1_800_000_000)
  static let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
  static let tableFrequencies = [125] + frequencies

  static let samples = [
    SizeSample(
      title: "NAL-RP, short names", names: .short, plan: { try FittingPlan(target: .rule(.nalRP)) },
      version: 22),
    SizeSample(
      title: "compressive NAL-RP with a ratio and adaptation, long names", names: .long,
      plan: {
        try FittingPlan(target: .rule(.nalRPCompressive(compressionRatio: 1.8)), adaptation: 0.8)
      }, version: 22),
    SizeSample(
      title: "CAMEQ, very long names", names: .longest,
      plan: { try FittingPlan(target: .rule(.cambridgeCompressive)) }, version: 22),
    SizeSample(
      title: "CAMEQ with fine tuning of three frequencies in both ears", names: .short,
      plan: {
        let tuning = try FineTuning(points: [
          .init(frequency: 500, changes: SpeechLevels(soft: -2, ordinary: -1, loud: 0)),
          .init(frequency: 2000, changes: SpeechLevels(soft: 3, ordinary: 2, loud: 1.5)),
          .init(frequency: 4000, changes: SpeechLevels(soft: 4, ordinary: 3, loud: 1)),
        ])
        return try FittingPlan(target: .rule(.cambridgeCompressive), fineTuning: Binaural(both: tuning))
      }, version: 22),
    SizeSample(
      title: "NAL-RP with frequency lowering and a tinnitus sound in both ears", names: .short,
      plan: {
        try FittingPlan(
          target: .rule(.nalRP),
          lowering: Binaural(
            left: FrequencyLowering(cutoff: 2200, ratio: 1.8),
            right: FrequencyLowering(cutoff: 2500, ratio: 2)),
          tinnitusSound: Binaural(
            left: TinnitusSound(
              shape: .notched(pitch: 6300, width: 0.5), level: SoundPressureLevel(45)),
            right: TinnitusSound(shape: .broadband, level: SoundPressureLevel(40))))
      }, version: 23),
    SizeSample(
      title: "tables of 11 frequencies in whole dB", names: .long,
      plan: { try tables(perUnit: 1) }, version: 25),
    SizeSample(
      title: "tables of 11 frequencies in tenths of a dB, very long names", names: .longest,
      plan: { try tables(perUnit: 10) }, version: 26),
  ]

  /// Gains of no pattern, as a licensed tool gives them, and maximum output, for both ears.
  static func tables(perUnit: Double) throws -> FittingPlan {
    func rounded(_ value: Double) -> Double { (value * perUnit).rounded() / perUnit }
    func table(_ shift: Double) throws -> TargetTable {
      try TargetTable(
        points: tableFrequencies.enumerated().map { index, frequency in
          let gain = Double((index * 37 + 11) % 29) * 1.3 + shift
          return TargetTable.Point(
            frequency: frequency,
            gains: SpeechLevels(
              soft: rounded(gain + 4.7), ordinary: rounded(gain), loud: rounded(gain * 0.6 - 2.3)),
            maximumOutput: SoundPressureLevel(rounded(100 + gain / 4)))
        })
    }
    return try FittingPlan(
      target: .tables(Binaural(left: table(0), right: table(1.4)), source: "NAL-NL2"))
  }

  func card(_ names: SizeSample.Names, _ plan: FittingPlan) throws -> CardText {
    let issued = Self.issued
    func ear(_ levels: [Double]) throws -> Audiogram {
      try Audiogram(air: Dictionary(uniqueKeysWithValues: zip(Self.frequencies, levels)))
    }
    let key = try ClinicKey(
      new: "Hörzentrum Friedrichshain-Kreuzberg", url: "https://hoerzentrum.example", created: issued)
    return try key.sign(
      Prescription(
        serial: 1234, supersedes: 1233,
        patient: Patient(
          givenName: names.given, familyName: names.family,
          birthDate: #require(CalendarDate("1948-03-17")), reference: names.reference),
        prescriber: Prescriber(name: names.prescriber, clinic: key.identity.name),
        environment: .conversationInNoise,
        audiograms: Binaural(
          left: ear([15, 20, 25, 35, 40, 55, 60, 70, 75, 80]),
          right: ear([10, 25, 20, 30, 45, 50, 65, 65, 85, 90])),
        plan: plan, adjustment: PatientAdjustment(volume: -10...5, tone: -3...3), issued: issued,
        expires: issued + 63_072_000))
  }

  @Test(
    "a card of what clinics usually write fits the symbol that printed pages are scanned from",
    arguments: samples)
  func fits(_ sample: SizeSample) throws {
    let card = try card(sample.names, sample.plan())
    let version = try #require(QRCapacity.smallestVersion(card))
    #expect(version <= sample.version, "\(card.jws.utf8.count) characters")
  }

  @Test("a clinic's own card is smaller than its prescriptions")
  func clinic() throws {
    let key = try ClinicKey(
      new: "Hörzentrum Friedrichshain-Kreuzberg", url: "https://hoerzentrum.example", created: Self.issued)
    #expect(try #require(QRCapacity.smallestVersion(key.identity.card)) <= 14)
  }
}

/// What QR symbols hold at error correction L.
enum QRCapacity {
  /// Data codewords of versions 1 to 40 (ISO/IEC 18004:2015, table 7).
  private static let codewords = [
    19, 34, 55, 80, 108, 136, 156, 194, 232, 274, 324, 370, 428, 461, 523, 589, 647, 721, 795, 861, 932,
    1006, 1094, 1174, 1276, 1370, 1468, 1531, 1631, 1735, 1843, 1955, 2071, 2191, 2306, 2434, 2566, 2702,
    2812, 2956,
  ]

  /// Nil when even version 40 is too small. Two segments: five bytes, then digits, three in ten bits; each
  /// begins with a mode of 4 bits and a count, whose size grows at versions 10 and 27 (table 3).
  static func smallestVersion(_ card: CardText) -> Int? {
    let digits = 2 * card.jws.utf8.count
    let numeric = digits / 3 * 10 + [0, 4, 7][digits % 3]
    for version in 1...codewords.count {
      let bytes = 4 + (version < 10 ? 8 : 16) + 8 * CardText.prefix.utf8.count
      let count = version < 10 ? 10 : version < 27 ? 12 : 14
      if bytes + 4 + count + numeric <= 8 * codewords[version - 1] { return version }
    }
    return nil
  }
}
