import Acoustics
import Testing

@testable import Prescriptions

@Suite("Threshold code") struct ThresholdCodeTests {
  /// From the value set of the PACIO SPLASCH guide: frequency, left, right.
  static let table: [(Int, String, String)] = [
    (250, "91375-6", "91374-9"),
    (500, "89024-4", "89025-1"),
    (750, "91379-8", "91378-0"),
    (1000, "89016-0", "89017-8"),
    (1500, "91373-1", "91372-3"),
    (2000, "89018-6", "89019-4"),
    (3000, "89020-2", "89021-0"),
    (4000, "89022-8", "89023-6"),
    (5000, "91377-2", "91376-4"),
    (6000, "89026-9", "89027-7"),
    (8000, "89028-5", "89029-3"),
  ]

  @Test("each frequency and ear has the code of the published value set, and no other has one")
  func pinned() {
    #expect(ThresholdCode.loinc.count == Self.table.count)
    for (frequency, left, right) in Self.table {
      for (ear, code) in [(Ear.left, left), (.right, right)] {
        let threshold = ThresholdCode(ear: ear, conduction: .air, frequency: frequency)
        #expect(threshold.loincCode == code)
        #expect(ThresholdCode(loincCode: code) == threshold)
        #expect(ThresholdCode(ear: ear, conduction: .bone, frequency: frequency).loincCode == nil)
      }
    }
  }

  /// LOINC's own check digit: the Luhn digit of the number before the hyphen.
  @Test("every code has the check digit that LOINC computes, so none is mistyped")
  func checkDigits() {
    let codes = ThresholdCode.loinc.values.flatMap { [$0.left, $0.right] } + [ThresholdCode.panel]
    #expect(Set(codes).count == 23)
    for code in codes {
      let digits = code.compactMap { $0.wholeNumberValue }
      var sum = 0
      for (index, digit) in digits.dropLast().reversed().enumerated() {
        let doubled = index % 2 == 0 ? digit * 2 : digit
        sum += doubled > 9 ? doubled - 9 : doubled
      }
      #expect((10 - sum % 10) % 10 == digits.last, "\(code)")
    }
  }

  @Test("words are read for what LOINC has no code for, in their one form only")
  func words() throws {
    let known = try ThresholdCode(words: "left air 125")
    #expect(known == ThresholdCode(ear: .left, conduction: .air, frequency: 125))
    #expect(try ThresholdCode(words: "right bone 1000")?.words == "right bone 1000")
    for words in [
      "left air 500", "left air 0125", "left  air 125", "Left air 125", "left air +125", "left air", "",
    ] {
      #expect(try ThresholdCode(words: words) == nil, "\(words)")
    }
  }

  @Test(
    "words of a frequency that no audiogram has are refused as such, however great the number is",
    arguments: [
      "0", "124", "16001", "9223372036854775807", "9223372036854775806", "18446744073709551616",
      "99999999999999999999999999999999",
    ])
  func outOfRange(number: String) {
    for words in ["left air \(number)", "right bone \(number)"] {
      #expect(throws: ThresholdCode.FrequencyOutOfRange()) { try ThresholdCode(words: words) }
    }
  }

  @Test("the least and the greatest frequency of an audiogram have words")
  func bounds() throws {
    #expect(try ThresholdCode(words: "left bone 125")?.frequency == 125)
    #expect(try ThresholdCode(words: "left air 16000")?.frequency == 16_000)
  }

  @Test("codes that public guides give for audiometry and that are of something else are not known")
  func wrongCodes() { #expect(ThresholdCode(loincCode: "21104-5") == nil) }
}
