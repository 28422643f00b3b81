import Testing

@testable import Acoustics

/// Level in a coupler beside that in a field, both for an insertion gain of 0 dB.
@Suite("Coupler response") struct CouplerResponseTests {
  @Test("at the eardrum it is the pressure there over that of a free field, within 1.5 dB")
  func eardrum() throws {
    // Sound from the front, dB, as the loudness model of Glasberg & Moore (J. Acoust. Soc. Am. 120, 2006, 585) has it; read in the program
    // GESI (TransFuncField2EarDrum_Set). Two sets of rounded measurements, of different ears: 1.5 dB.
    let pressures: [(Double, Double)] = [
      (125, 0.1), (250, 0.9), (500, 1.7), (800, 2.6), (1000, 2.6), (1250, 3.2), (1600, 6.6), (2000, 12),
      (2500, 16.8),
      (3150, 15.2), (4000, 14.2), (5000, 10.7), (6300, 6.4), (8000, 1.8),
    ]
    let eardrum = try #require(Transducer.named("eardrum"))
    for (frequency, pressure) in pressures {
      let response = eardrum.couplerResponse(at: frequency)
      #expect(abs(response - pressure) <= 1.5, "\(frequency) Hz: \(response)")
    }
  }

  @Test("of the HDA 200 it is the standard's coupler level of a free field, within 3 dB up to 6.3 kHz")
  func freeFieldEquivalent() {
    // ISO 389-8, coupler less free-field sensitivity, from memory. Loudness balance and thresholds of different people: 3 dB.
    let levels: [(Double, Double)] = [
      (125, 5), (250, 4.5), (500, 2.5), (1000, 3.5), (2000, 5), (3150, 7), (4000, 13), (6300, 11),
    ]
    for (frequency, level) in levels {
      let response = Transducer.hda200.couplerResponse(at: frequency)
      #expect(abs(response - level) <= 3, "\(frequency) Hz: \(response)")
    }
  }

  @Test("it is the reference threshold less that of a free field and 2 dB, held beyond its own table")
  func formula() {
    // ER-3A: 13 dB SPL at 3 kHz, where a field has −5.8; 28 at 125 Hz, where it has 22.1, and nothing below 125 Hz.
    #expect(abs(Transducer.er3aEarSimulator.couplerResponse(at: 3000) - 16.8) < 1e-9)
    #expect(abs(Transducer.er3aEarSimulator.couplerResponse(at: 125) - 3.9) < 1e-9)
    #expect(abs(Transducer.er3aEarSimulator.couplerResponse(at: 50) - 3.9) < 1e-9)
  }

  @Test("a sound field has none")
  func soundFields() {
    for field in [Transducer.freeField, .diffuseField] {
      #expect([125.0, 1000, 4000].allSatisfy { field.couplerResponse(at: $0) == 0 })
    }
  }

  /// Flat earphones, read at frequencies in a coupler.
  static func earphones(
    _ transducer: Transducer?, in coupler: String, left: [Double], right: [Double]
  ) throws -> OutputCalibration {
    func readings(_ ear: Ear, _ frequencies: [Double]) throws -> [EarphoneMeasurement.Reading] {
      try frequencies.map {
        try .init(ear: ear, frequency: $0, played: FullScaleLevel(-20), read: SoundPressureLevel(98))
      }
    }
    return try OutputCalibration(
      device: .unknown,
      measurement: EarphoneMeasurement(
        readings: try readings(.left, left) + readings(.right, right), examiner: "B. Ear", coupler: coupler),
      transducer: transducer)
  }

  @Test("earphones have it where both were read from 500 to 4000 Hz in the coupler of their model")
  func measured() throws {
    let (model, speech) = (Transducer.er3aEarSimulator, EarphoneMeasurement.neededFrequencies)
    func response(
      _ transducer: Transducer?, _ coupler: String, _ left: [Double], _ right: [Double]
    ) throws -> Double {
      try Self.earphones(transducer, in: coupler, left: left, right: right).couplerResponse(at: 3000)
    }
    #expect(try response(model, model.coupler, speech, speech) == model.couplerResponse(at: 3000))
    #expect(try response(model, "iec 60318-4", speech, speech) == model.couplerResponse(at: 3000))
    #expect(try response(nil, model.coupler, speech, speech) == 0)
    // The same earphone in 2 cm³ is 10 dB softer there.
    #expect(try response(model, Transducer.er3aCoupler.coupler, speech, speech) == 0)
    #expect(try response(model, model.coupler, speech, [1000]) == 0)
    #expect(try response(model, model.coupler, [500, 1000, 2000], speech) == 0)
    // Nobody states in which coupler these thresholds hold.
    #expect(try response(.airPodsPro2, Transducer.airPodsPro2.coupler, speech, speech) == 0)
  }

  @Test("earphones that nobody has read have none, whatever is stated of their levels")
  func stated() throws {
    let (level, model) = (SoundPressureLevel(110), Transducer.er3aEarSimulator)
    for sensitivity in [
      try Sensitivity(flat: level),
      try Sensitivity(table: EarphoneMeasurement.neededFrequencies.map { ($0, level) }),
    ] {
      let calibration = OutputCalibration(
        device: .unknown, sensitivity: Binaural(both: sensitivity), transducer: model)
      #expect(calibration.couplerResponse(at: 3000) == 0)
    }
  }

  @Test("those of all transducers lie within what a fitting accepts, −30…30 dB")
  func extremes() {
    for transducer in Transducer.all {
      for frequency in [20.0, 125, 250, 500, 1000, 2000, 3000, 4000, 6000, 8000, 12_500, 16_000, 20_000] {
        let response = transducer.couplerResponse(at: frequency)
        #expect(abs(response) <= 30, "\(transducer.identifier), \(frequency) Hz: \(response)")
      }
    }
  }
}
