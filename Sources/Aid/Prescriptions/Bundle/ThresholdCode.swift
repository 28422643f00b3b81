import Acoustics

/// The code under which a hearing threshold of one ear, conduction and frequency is written in FHIR.
///
/// LOINC has codes for air conduction from 250 to 8000 Hz (panel 89015-2; the value set of the PACIO SPLASH
/// guide, with 89024-4 checked against an example of AU Core). For 125 and 375 Hz, above 8000 Hz, for
/// frequencies in between and for bone conduction none was found; they are written in words, as
/// `left air 125`.
struct ThresholdCode: Hashable {
  let ear: Ear
  let conduction: Conduction
  /// Hz.
  let frequency: Int

  /// Frequencies that have a code, Hz. Every number that a text gives is held against them before it
  /// becomes anything else.
  static let frequencies = Int(Audiogram.frequencies.lowerBound)...Int(Audiogram.frequencies.upperBound)

  static let loincSystem = "http://loinc.org"

  /// LOINC code of the pure-tone threshold audiometry panel.
  static let panel = "89015-2"

  /// LOINC codes by frequency, Hz.
  static let loinc: [Int: Binaural<String>] = [
    250: Binaural(left: "91375-6", right: "91374-9"),
    500: Binaural(left: "89024-4", right: "89025-1"),
    750: Binaural(left: "91379-8", right: "91378-0"),
    1000: Binaural(left: "89016-0", right: "89017-8"),
    1500: Binaural(left: "91373-1", right: "91372-3"),
    2000: Binaural(left: "89018-6", right: "89019-4"),
    3000: Binaural(left: "89020-2", right: "89021-0"),
    4000: Binaural(left: "89022-8", right: "89023-6"),
    5000: Binaural(left: "91377-2", right: "91376-4"),
    6000: Binaural(left: "89026-9", right: "89027-7"),
    8000: Binaural(left: "89028-5", right: "89029-3"),
  ]

  /// LOINC's code, nil where it has none.
  var loincCode: String? { conduction == .air ? Self.loinc[frequency]?[ear] : nil }

  /// In words, for what LOINC has no code for.
  var words: String { "\(ear.rawValue) \(conduction.rawValue) \(frequency)" }
}

extension ThresholdCode {
  /// Nil when the code is not of a threshold known here.
  init?(loincCode code: String) {
    let codes = Self.loinc.keys.flatMap { frequency in
      Ear.allCases.map { ThresholdCode(ear: $0, conduction: .air, frequency: frequency) }
    }
    guard let known = codes.first(where: { $0.loincCode == code }) else { return nil }
    self = known
  }

  /// Nil when the words are not of a threshold, or are of one that LOINC has a code for.
  ///
  /// - Throws: ``FrequencyOutOfRange`` when they are of a threshold outside ``frequencies``.
  init?(words: String) throws(FrequencyOutOfRange) {
    let parts = words.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let ear = Ear(rawValue: String(parts[0])),
      let conduction = Conduction(rawValue: String(parts[1])),
      !parts[2].isEmpty, parts[2].utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return nil }
    // Nil also for more digits than a number has.
    guard let frequency = Int(parts[2]), Self.frequencies.contains(frequency) else {
      throw FrequencyOutOfRange()
    }
    self.init(ear: ear, conduction: conduction, frequency: frequency)
    guard loincCode == nil, self.words == words else { return nil }
  }

  /// The words are of a frequency that no audiogram has.
  struct FrequencyOutOfRange: Error, Equatable, CustomStringConvertible {
    var description: String {
      "found a frequency outside \(ThresholdCode.frequencies.lowerBound) to"
        + " \(ThresholdCode.frequencies.upperBound) Hz"
    }
  }
}
