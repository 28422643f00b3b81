import Base
import Testing

@testable import Acoustics

@Suite("Transducers") struct TransducerTests {
  /// Audiometric frequencies of the printed comparison, Hz.
  static let frequencies: [Double] = [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]

  // Copied from the printed comparison of standards, not from the tables under test.
  static let printed: [(Transducer, [Double])] = [
    (.tdh39, [45, 25.5, 11.5, 7.5, 7, 6.5, 9, 10, 9.5, 15.5, 13]),
    (.supraAural, [45, 27, 13.5, 9, 7.5, 7.5, 9, 11.5, 12, 16, 15.5]),
    (.hda200, [30.5, 18, 11, 6, 5.5, 5.5, 4.5, 2.5, 9.5, 17, 17.5]),
    (.er3aEarSimulator, [28, 17.5, 9.5, 6, 5.5, 9.5, 11.5, 13, 15, 16, 15.5]),
    (.er3aCoupler, [26, 14, 5.5, 2, 0, 2, 3, 3.5, 5.5, 2, 0]),
    (.dt48, [47.5, 28.5, 14.5, 9.5, 8, 7.5, 8, 6, 5.5, 8, 14.5]),
    (.freeField, [22.1, 11.4, 4.4, 2.4, 2.4, 2.4, -1.3, -5.8, -5.4, 4.3, 12.6]),
    (.diffuseField, [22.1, 11.4, 3.8, 1.2, 0.8, 1, -1.5, -4, -3.8, 1.4, 6.8]),
    (.airPodsPro2, [34.04, 23.52, 12.99, 11.13, 9.27, 11.69, 14.11, 13.42, 12.72, 14.62, 16.51]),
    (.airPodsMax, [25.13, 19.29, 13.45, 10.515, 7.58, 11.45, 15.32, 12.06, 8.79, 3.74, 18.68]),
    (.earPods, [38.78, 28.99, 21.66, 17.97, 14.28, 13.02, 11.75, 13.69, 15.62, 16.77, 17.92]),
  ]

  @Test("reference thresholds at the audiometric frequencies are those printed", arguments: printed.indices)
  func standards(index: Int) throws {
    let (transducer, levels) = Self.printed[index]
    for (frequency, level) in zip(Self.frequencies, levels) {
      #expect(
        try transducer.referenceThreshold(at: frequency).value == SoundPressureLevel(level),
        "\(transducer.name) at \(frequency) Hz")
    }
  }

  @Test("the HDA 300 is not the HDA 200, and has no row at 750 Hz")
  func hda300() throws {
    for (frequency, level) in [(1000.0, 2.7), (4000, 0.1), (8000, 23.1), (125, 26.2), (16_000, 47.7)] {
      #expect(
        try Transducer.hda300.referenceThreshold(at: frequency).value == SoundPressureLevel(level))
    }
    #expect(!Transducer.hda300.referenceThresholds.frequencies.contains(750))
  }

  @Test("above 8 kHz the HDA 200 follows the edition of 2006")
  func extended() throws {
    for (frequency, level) in [(9000.0, 19), (12_500, 27.5), (14_000, 35), (16_000, 56)] {
      #expect(
        try Transducer.hda200.referenceThreshold(at: frequency).value == SoundPressureLevel(level))
    }
  }

  @Test("every table has as many rows as its source")
  func rows() {
    let counts: [(Transducer, Int)] = [
      (.tdh39, 23), (.supraAural, 23), (.dt48, 23), (.hda200, 29), (.hda300, 17), (.er3aEarSimulator, 23),
      (.er3aCoupler, 11), (.er2a, 25), (.freeField, 38), (.diffuseField, 23), (.eardrum, 19),
    ]
    for (transducer, count) in counts {
      #expect(transducer.referenceThresholds.frequencies.count == count, "\(transducer.name)")
    }
    for transducer in Transducer.all {
      let frequencies = transducer.referenceThresholds.frequencies
      #expect(zip(frequencies, frequencies.dropFirst()).allSatisfy { $0 < $1 }, "\(transducer.name)")
    }
  }

  @Test("between rows the threshold is linear in dB over log frequency")
  func interpolates() throws {
    // ER-3A in the 2 cm³ coupler: 14 dB at 250 Hz, 5.5 at 500; the middle of the octave is their mean.
    let middle = try Transducer.er3aCoupler.referenceThreshold(at: (250.0 * 500).squareRoot())
    #expect(abs(middle.value.decibels - 9.75) < 1e-9)
    #expect(middle.status == .verified)
  }

  @Test("outside its table a transducer refuses, naming frequency and range")
  func refuses() {
    for frequency in [124.9, 8001, 0, -1] {
      #expect(
        refusal { () throws(AcousticsError) in try Transducer.tdh39.referenceThreshold(at: frequency) }
          == "\(frequency.shortText) Hz lies outside the table, 125 to 8000 Hz")
    }
    #expect(throws: AcousticsError.self) { try Transducer.tdh39.referenceThreshold(at: .nan) }
  }

  @Test("a threshold from memory, or made from one, is only provisional")
  func unverified() throws {
    let er3a = Transducer.er3aEarSimulator
    #expect(er3a.referenceThresholds.unverifiedFrequencies == [750, 1500, 3000, 6000])
    let statuses: [(Double, CalibrationStatus)] = [
      (750, .provisional), (700, .provisional), (780, .provisional), (800, .verified), (1000, .verified),
      (900, .verified), (3100, .provisional), (3150, .verified),
    ]
    for (frequency, status) in statuses {
      #expect(try er3a.referenceThreshold(at: frequency).status == status, "\(frequency) Hz")
    }
  }

  @Test("consumer earphones are provisional at every frequency")
  func consumer() throws {
    for transducer in Transducer.all where transducer.standard == "ResearchKit 3.2.0" {
      #expect(try transducer.referenceThreshold(at: 1000).status == .provisional)
    }
  }

  @Test("reference thresholds hold in their coupler however it is written, and not in another one")
  func couplers() {
    // The standard has one occluded-ear simulator alone.
    for name in [
      "IEC 60318-4 (occluded-ear simulator)", "IEC 60318-4", "iec 60318-4", "IEC60318\u{2011}4",
      "IEC 60318-4 (Occluded-Ear Simulator)",
    ] {
      #expect(Transducer.er3aEarSimulator.holds(in: name), "\(name)")
    }
    for name in [
      "IEC 60318-5", "2 cm3", "IEC 60318", "IEC 60318-40", "", "IEC 60318-4 (711)",
      "IEC 60318-4 (in a manikin's ear with pinna)",
    ] {
      #expect(!Transducer.er3aEarSimulator.holds(in: name), "\(name)")
    }
    // IEC 60318-5 has HA-1 and HA-2, and the artificial ear of IEC 60318-1 is another one with each adapter.
    #expect(Transducer.er3aCoupler.holds(in: "iec 60318-5 (2 cm3, HA-2)"))
    for name in ["IEC 60318-5", "IEC 60318-5 (HA-1)", "IEC 60318-5 (2 cm³, HA-1)"] {
      #expect(!Transducer.er3aCoupler.holds(in: name), "\(name)")
    }
    #expect(Transducer.supraAural.holds(in: "IEC 60318-1 (Artificial Ear)"))
    for name in ["IEC 60318-1", "IEC 60318-1 (with type 1 adapter)", "IEC 60318-1 + type 1 adapter"] {
      #expect(!Transducer.supraAural.holds(in: name), "\(name)")
    }
    #expect(!Transducer.hda200.holds(in: "IEC 60318-1") && Transducer.tdh39.holds(in: "IEC 60318-3"))
    #expect(Transducer.airPodsPro2.holds(in: "IEC 60318-4"))
  }

  @Test("dB HL and dB SPL differ by the reference threshold")
  func conversion() throws {
    let level = try Transducer.tdh39.soundPressureLevel(of: HearingLevel(40), at: 1000)
    #expect(level == Calibrated(SoundPressureLevel(47), status: .verified))
    #expect(try Transducer.tdh39.hearingLevel(of: level.value, at: 1000).value == HearingLevel(40))
  }

  @Test("each transducer has the fit of its kind: insert, supra-aural, loose or sound field")
  func fits() {
    let fits: [Transducer.Fit: [String]] = [
      .insert: ["er3a", "er3a-2cc", "er2a"],
      .supraAural: ["tdh39", "supra-aural", "dt48", "hda200", "hda300"],
      .loose: [
        "eardrum", "airpods-1", "airpods-2", "airpods-3", "airpods-pro-1", "airpods-pro-2", "airpods-max",
        "earpods",
      ],
      .soundField: ["free-field", "diffuse-field"],
    ]
    for (fit, identifiers) in fits {
      for identifier in identifiers {
        #expect(Transducer.named(identifier)?.fit == fit, "\(identifier)")
      }
    }
    #expect(Set(fits.values.joined()) == Set(Transducer.all.map(\.identifier)))
  }

  @Test("identifiers are unique and found again")
  func identifiers() {
    #expect(Set(Transducer.all.map(\.identifier)).count == Transducer.all.count)
    for transducer in Transducer.all {
      #expect(Transducer.named(transducer.identifier) == transducer)
    }
    #expect(Transducer.named("hda201") == nil)
  }
}

extension Transducer {
  static let tdh39 = Transducer.all[0]
  static let supraAural = Transducer.all[1]
  static let dt48 = Transducer.all[2]
  static let hda200 = Transducer.all[3]
  static let hda300 = Transducer.all[4]
  static let er3aEarSimulator = Transducer.all[5]
  static let er3aCoupler = Transducer.all[6]
  static let er2a = Transducer.all[7]
  static let freeField = Transducer.all[8]
  static let diffuseField = Transducer.all[9]
  static let eardrum = Transducer.all[10]
  static let airPodsPro2 = Transducer.all[15]
  static let airPodsMax = Transducer.all[16]
  static let earPods = Transducer.all[17]
}
