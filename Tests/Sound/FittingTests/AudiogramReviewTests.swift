import Acoustics
import Testing

@testable import Fitting

@Suite("Audiogram review") struct AudiogramReviewTests {
  typealias Finding = AudiogramReview.Finding

  /// An ear that gives no reason for a finding.
  static let plain: [Double: Double] = [
    250: 30, 500: 30, 1000: 35, 2000: 40, 3000: 45, 4000: 50, 6000: 50, 8000: 55,
  ]

  private func ear(_ changes: [Double: Double] = [:]) throws -> Audiogram {
    try Audiogram(air: Self.plain.merging(changes) { $1 })
  }

  private func ear(_ changes: [Double: Double] = [:], bone: [Double: Double]) throws -> Audiogram {
    try Audiogram(
      points: try ear(changes).points
        + bone.map {
          .init(frequency: $0.key, threshold: HearingLevel($0.value), conduction: .bone)
        })
  }

  private func findings(left: Audiogram, right: Audiogram? = nil) -> [Finding] {
    AudiogramReview(Binaural(left: left, right: right ?? left)).findings
  }

  /// The findings of the left ear alone, the right one being plain.
  private func kinds(_ left: Audiogram) throws -> [Finding.Kind] {
    try findings(left: left, right: ear()).filter { $0.ears == [.left] }.map(\.kind)
  }

  @Test("a symmetric sloping loss gives no finding")
  func nothing() throws { #expect(try findings(left: ear()).isEmpty) }

  @Test("averages 15 dB apart are not asymmetric, 16.7 dB apart are")
  func averages() throws {
    let fifteen = try ear([500: 45, 1000: 50, 2000: 55, 4000: 50])
    let asymmetries = try findings(left: fifteen, right: ear()).filter {
      $0.kind == .asymmetry && $0.sentence.contains("average")
    }
    #expect(asymmetries.isEmpty)
    let more = try findings(left: ear([500: 50, 1000: 50, 2000: 55]), right: ear())
    let found = try #require(more.first { $0.sentence.contains("average") })
    #expect(found.kind == .asymmetry && found.severity == .caution && found.ears == [.left, .right])
    #expect(found.sentence == "The left ear's average at 500, 1000 and 2000 Hz is worse by 16.67 dB.")
  }

  @Test("15 dB at two adjacent octaves is asymmetric, at one it is not, nor to opposite sides")
  func adjacent() throws {
    let two = try findings(left: ear([2000: 55, 4000: 65]), right: ear())
    #expect(two.map(\.kind) == [.asymmetry])
    #expect(two[0].frequencies == [2000, 4000])
    #expect(two[0].sentence == "The ears differ by 15 dB or more at 2000 and 4000 Hz.")
    #expect(try !findings(left: ear([4000: 65]), right: ear()).contains { $0.kind == .asymmetry })
    let opposite = try findings(left: ear([1000: 50, 2000: 25]), right: ear())
    #expect(!opposite.contains { $0.kind == .asymmetry })
  }

  /// An ear that did not respond to tones of one level.
  private func unheard(at level: Double) throws -> Audiogram {
    try Audiogram(
      points: [250.0, 500, 1000, 2000, 4000].map {
        .init(frequency: $0, threshold: HearingLevel(level), hasResponse: false)
      })
  }

  /// The sentences on differences between the ears, of the unheard one on either side.
  private func asymmetries(unheard: Audiogram, other: Audiogram) -> [[String]] {
    [Binaural(left: unheard, right: other), Binaural(left: other, right: unheard)].map { ears in
      AudiogramReview(ears).findings.filter { $0.kind == .asymmetry }.map(\.sentence)
    }
  }

  @Test("of an ear that did not respond nobody knows that the other one is worse")
  func unheardEar() throws {
    let measured = try Audiogram(air: [250: 80, 500: 80, 1000: 80, 2000: 80, 4000: 80])
    #expect(
      asymmetries(unheard: try unheard(at: 60), other: measured)
        == ["left", "right"].map {
          [
            "The ears cannot be compared at 500, 1000, 2000 and 4000 Hz, where the \($0) one did not respond."
          ]
        })
    // 100 dB HL and more against 80: it is the worse one.
    #expect(
      asymmetries(unheard: try unheard(at: 100), other: measured)
        == ["left", "right"].map {
          [
            "The \($0) ear's average at 500, 1000 and 2000 Hz is worse by 20 dB or more.",
            "The ears differ by 15 dB or more at 500, 1000, 2000 and 4000 Hz.",
          ]
        })
    // Where neither responds nothing says that they differ.
    #expect(asymmetries(unheard: try unheard(at: 60), other: try unheard(at: 100)) == [[], []])
  }

  @Test("one tone that an ear did not hear hinders the comparison only where the next one differs")
  func unheardTone() throws {
    func unheard(_ changes: [Double: Double]) throws -> Audiogram {
      try Audiogram(
        points: try ear(changes).points.filter { $0.frequency != 8000 } + [
          .init(frequency: 8000, threshold: HearingLevel(60), hasResponse: false)
        ])
    }
    #expect(asymmetries(unheard: try unheard([:]), other: try ear()) == [[], []])
    #expect(
      asymmetries(unheard: try unheard([4000: 65]), other: try ear())
        == ["left", "right"].map {
          ["The ears cannot be compared at 8000 Hz, where the \($0) one did not respond."]
        })
  }

  /// An ear of some thresholds, and of tones that it did not hear.
  private func ear(heard: [Double: Double], unheard: [Double: Double]) throws -> Audiogram {
    try Audiogram(
      points: heard.map { Audiogram.Point(frequency: $0.key, threshold: HearingLevel($0.value)) }
        + unheard.map {
          Audiogram.Point(frequency: $0.key, threshold: HearingLevel($0.value), hasResponse: false)
        })
  }

  @Test("where both ears did not hear a tone, one that a single ear heard keeps them from being compared")
  func bothUnheard() throws {
    // At 1000 Hz the deaf ear is worse by 40 dB or more, and at 500 and 2000 Hz nobody knows.
    let poor = try ear(heard: [1000: 60], unheard: [500: 60, 2000: 60])
    #expect(
      asymmetries(unheard: try unheard(at: 100), other: poor)
        == Array(
          repeating: [
            "The ears cannot be compared at 500, 1000 and 2000 Hz, where one or both did not respond."
          ], count: 2))
    // At different frequencies: the right one is worse by 70 dB or more at 500 Hz, and the left one by 10 dB or more at 2000 Hz.
    #expect(
      asymmetries(
        unheard: try ear(heard: [500: 20, 1000: 20], unheard: [2000: 60]),
        other: try ear(heard: [1000: 32, 2000: 50], unheard: [500: 90]))
        == Array(
          repeating: ["The ears cannot be compared at 500 and 2000 Hz, where one of them did not respond."],
          count: 2))
  }

  @Test("a tone that neither ear heard hinders the comparison only where the next one differs")
  func neitherHeard() throws {
    func ear(_ threshold: Double) throws -> Audiogram {
      try self.ear(heard: [500: 30, 1000: 35, 2000: 40, 4000: threshold], unheard: [8000: 90])
    }
    #expect(asymmetries(unheard: try ear(65), other: try ear(55)) == [[], []])
    #expect(
      asymmetries(unheard: try ear(70), other: try ear(55))
        == Array(
          repeating: ["The ears cannot be compared at 8000 Hz, where neither responded."], count: 2))
  }

  @Test("40 dB between unmasked ears may be the other ear's hearing; masked it is not")
  func crossing() throws {
    let better = try ear([4000: 10, 2000: 40])
    let found = try findings(left: ear(), right: better).filter { $0.kind == .unmaskedDifference }
    #expect(found.map(\.ears) == [[.left]] && found[0].frequencies == [4000])
    let masked = try Audiogram(
      points: try ear().points + [.init(frequency: 4000, threshold: HearingLevel(50), isMasked: true)])
    #expect(
      !findings(left: masked, right: better).contains { $0.kind == .unmaskedDifference })
  }

  @Test("a tone that one of the ears did not hear says nothing about the other ear's hearing of it")
  func crossingUnheard() throws {
    func unheard(_ level: Double) throws -> Audiogram {
      try Audiogram(
        points: try ear().points.filter { $0.frequency != 4000 } + [
          .init(frequency: 4000, threshold: HearingLevel(level), hasResponse: false)
        ])
    }
    let pairs = [(try unheard(90), try ear([4000: 10])), (try ear([4000: 90]), try unheard(10))]
    for (left, right) in pairs {
      #expect(!findings(left: left, right: right).contains { $0.kind == .unmaskedDifference })
    }
  }

  /// Air conduction of 500 to 4000 Hz at one level, and bone conduction at another.
  private func conductive(air: Double, bone: Double, isMasked: Bool = false) throws -> Audiogram {
    let frequencies = [500.0, 1000, 2000, 4000]
    return try Audiogram(
      points: frequencies.map { .init(frequency: $0, threshold: HearingLevel(air)) }
        + frequencies.map {
          .init(frequency: $0, threshold: HearingLevel(bone), conduction: .bone, isMasked: isMasked)
        })
  }

  @Test(
    "40 dB to the other ear's bone conduction may be that ear's hearing, though the air thresholds are nearer"
  )
  func crossingByBone() throws {
    func found(_ right: Audiogram) throws -> [Finding] {
      try findings(left: conductive(air: 60, bone: 10), right: right).filter {
        $0.kind == .unmaskedDifference
      }
    }
    // 60 − 10 dB by bone, 60 − 30 dB by air.
    let crossing = try found(conductive(air: 30, bone: 10))
    #expect(crossing.map(\.ears) == [[.left]] && crossing.first?.frequencies == [500, 1000, 2000, 4000])
    #expect(
      crossing.first?.sentence
        == "The left ear is worse than the other, by air or by bone, by 40 dB or more at 500, 1000, 2000 and 4000 Hz without"
        + " masking: the other ear may have heard the tone.")
    #expect(try found(conductive(air: 30, bone: 25)).isEmpty)
  }

  @Test(
    "an air–bone gap without masking may be the other ear's, unless that one's bone conduction is worse by 10 dB"
  )
  func unmaskedBone() throws {
    func sentence(_ left: Audiogram, _ right: Audiogram) -> String? {
      findings(left: left, right: right).first { $0.kind == .airBoneGap && $0.ears == [.left] }?.sentence
    }
    let doubt =
      "bone conduction without masking may be the other ear's at 500, 1000, 2000 and 4000 Hz, otherwise the loss is"
      + " partly conductive"
    let left = try conductive(air: 60, bone: 10)
    #expect(sentence(left, try conductive(air: 30, bone: 10))?.contains(doubt) == true)
    #expect(sentence(left, try conductive(air: 30, bone: 15))?.contains(doubt) == true)
    let certain = "by up to 50 dB: the loss is partly conductive, and rules use air conduction alone"
    #expect(sentence(left, try conductive(air: 30, bone: 20))?.contains(certain) == true)
    let masked = try conductive(air: 60, bone: 10, isMasked: true)
    #expect(sentence(masked, try conductive(air: 30, bone: 10))?.contains(certain) == true)
    // Of an ear without bone conduction nobody knows.
    #expect(sentence(left, try ear())?.contains("may be the other ear's") == true)
  }

  @Test(
    "bone conduction that the other ear did not hear is not the other ear's, where what it was tested with is 10 dB louder"
  )
  func unheardBone() throws {
    func sentence(_ left: Audiogram, unheardAt level: Double) throws -> String? {
      let right = try Audiogram(
        points: [500.0, 1000, 2000, 4000].flatMap { frequency in
          [
            Audiogram.Point(frequency: frequency, threshold: HearingLevel(110)),
            Audiogram.Point(
              frequency: frequency, threshold: HearingLevel(level), conduction: .bone, hasResponse: false),
          ]
        })
      return findings(left: left, right: right).first { $0.kind == .airBoneGap && $0.ears == [.left] }?
        .sentence
    }
    let left = try conductive(air: 60, bone: 10)
    #expect(try sentence(left, unheardAt: 70)?.contains("dB: the loss is partly conductive") == true)
    // The least that the threshold can be is 20 dB HL, 10 dB above.
    #expect(try sentence(left, unheardAt: 20)?.contains("dB: the loss is partly conductive") == true)
    #expect(try sentence(left, unheardAt: 15)?.contains("may be the other ear's") == true)
  }

  @Test("a slope of 20 dB an octave is usual, 25 a note, 35 a caution, falling or rising")
  func slopes() throws {
    #expect(try kinds(ear([2000: 55, 4000: 65])).isEmpty)
    let note = try findings(left: ear([1000: 20, 2000: 45]), right: ear()).filter { $0.kind == .steepSlope }
    #expect(note.map(\.severity) == [.note] && note[0].frequencies == [1000, 2000])
    #expect(note[0].sentence == "The left ear falls by up to 25 dB an octave between 1000 and 2000 Hz.")
    let rising = try findings(left: ear([250: 65, 500: 30]), right: ear()).filter { $0.kind == .steepSlope }
    #expect(rising.map(\.severity) == [.caution])
    #expect(rising[0].sentence == "The left ear rises by up to 35 dB an octave between 250 and 500 Hz.")
  }

  @Test("an air–bone gap counts from 15 dB, or above 10 dB at two frequencies")
  func airBoneGap() throws {
    #expect(try kinds(ear(bone: [500: 20, 1000: 25])).isEmpty)
    #expect(try kinds(ear(bone: [1000: 20])) == [.airBoneGap])
    #expect(try kinds(ear([500: 31, 1000: 36], bone: [500: 20, 1000: 25])).contains(.airBoneGap))
    #expect(try !kinds(ear([500: 31], bone: [500: 20, 1000: 25])).contains(.airBoneGap))
    let all = try findings(left: ear(bone: [500: 15, 1000: 20, 2000: 25]), right: ear())
    #expect(
      all.map(\.severity) == [.caution] && all[0].sentence.contains("a physician should see it first"))
    #expect(try findings(left: ear(bone: [500: 15, 1000: 20]), right: ear()).map(\.severity) == [.note])
  }

  @Test("the masked bone threshold is the one that counts")
  func maskedBone() throws {
    let left = try Audiogram(
      points: try ear(bone: [1000: 10]).points + [
        .init(frequency: 1000, threshold: HearingLevel(35), conduction: .bone, isMasked: true)
      ])
    #expect(try kinds(left).isEmpty)
  }

  @Test("a masked bone tone that was not heard replaces the unmasked threshold in the air–bone gap")
  func unheardMaskedBone() throws {
    let left = try Audiogram(
      points: try ear(bone: [1000: 10]).points + [
        .init(
          frequency: 1000, threshold: HearingLevel(70), conduction: .bone, isMasked: true,
          hasResponse: false)
      ])
    #expect(try kinds(left).isEmpty)
  }

  @Test("bone worse than air by more than 10 dB is an error of measurement")
  func boneWorse() throws {
    #expect(try kinds(ear(bone: [1000: 45])).isEmpty)
    #expect(try kinds(ear(bone: [1000: 50])) == [.boneWorseThanAir])
  }

  @Test("a tone that went unheard, a loss above 90 dB HL and a threshold of 42 dB are pointed out")
  func points() throws {
    let unheard = try Audiogram(
      points: try ear().points.filter { $0.frequency != 8000 } + [
        .init(frequency: 8000, threshold: HearingLevel(60), hasResponse: false)
      ])
    #expect(try kinds(unheard) == [.noResponse])
    #expect(try !kinds(ear([6000: 90, 8000: 90])).contains(.beyondReach))
    #expect(try kinds(ear([8000: 95])).contains(.beyondReach))
    #expect(try kinds(ear([1000: 42])) == [.unusualStep])
  }

  @Test("a frequency that audiometers do not have may be mistyped; the standard audiograms' 375 Hz is none")
  func unusualFrequency() throws {
    let points = try ear().points + [.init(frequency: 505, threshold: HearingLevel(30))]
    let found = try findings(left: try Audiogram(points: points), right: ear())
    #expect(found.map(\.kind) == [.unusualFrequency] && found[0].frequencies == [505])
    #expect(found[0].severity == .note)
    for standard in StandardAudiogram.allCases {
      let kinds = AudiogramReview(Binaural(both: standard.audiogram)).findings.map(\.kind)
      #expect(!kinds.contains(.unusualFrequency))
    }
  }

  @Test("findings of the right ear stand before those of the left one, as on paired audiograms")
  func rightFirst() throws {
    let found = try findings(left: ear([1000: 42]), right: ear([1000: 43]))
    #expect(found.map(\.ears) == [[.right], [.left]])
  }

  @Test("each of 500, 1000, 2000 and 4000 Hz is needed; an ear without thresholds says only that")
  func missing() throws {
    for frequency in [500.0, 1000, 2000, 4000] {
      let left = try Audiogram(points: try ear().points.filter { $0.frequency != frequency })
      let found = try findings(left: left, right: ear())
      #expect(found.map(\.kind) == [.missingFrequency] && found[0].frequencies == [frequency])
    }
    let none = try findings(left: try Audiogram(points: []), right: ear())
    #expect(none.map(\.kind) == [.notTested] && none[0].severity == .caution)
  }

  @Test("cautions come before notes, and every finding is one sentence")
  func order() throws {
    let left = try ear([1000: 42, 8000: 95, 4000: 65], bone: [250: 50, 2000: 20])
    let review = AudiogramReview(Binaural(left: left, right: try ear()))
    let own = review.findings.filter { $0.ears == [.left] }
    #expect(own.map(\.severity) == own.map(\.severity).sorted(by: >))
    #expect(own.count >= 4 && review.cautions.count < review.findings.count)
    for finding in review.findings {
      #expect(finding.sentence.hasPrefix("The ") && finding.sentence.hasSuffix("."))
    }
  }
}
