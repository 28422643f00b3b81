import Acoustics
import AudioIO
import Base
import CommonTesting
import Control
import Engine
import Service
import Testing

@testable import AuricleCommands

/// Answers as a person with a meter gives them; full scale is 114 dB SPL at each frequency.
@Suite("Calibration of earphones by questions") struct EarphoneRunTests {
  let folder = TemporaryFolder()
  let bench = FakeCalibrationBench()

  func loaded(_ text: String = "") throws -> LoadedConfiguration {
    try Configuration.reading([UInt8](text.utf8), file: folder.file("auricle.toml"))
  }

  func run(
    _ person: ScriptedPerson, wanted: Double = -20, _ configuration: String = ""
  ) throws -> EarphoneMeasurement {
    var run = EarphoneRun(
      interview: person, bench: bench, loaded: try loaded(configuration), wanted: FullScaleLevel(wanted),
      file: LeftCalibrationFile(.earphone, folder: folder.path))
    return try run.measurement(by: "N. N.", coupler: "IEC 60318-4")
  }

  /// Answers to all tones at −20 dB FS, with the replies to one of them replaced.
  static func answers(replacing step: Int? = nil, by replies: [String] = []) -> [(String, String)] {
    EarphoneRun.steps(FullScaleLevel(-20)).enumerated().flatMap { index, tone in
      let begins = index == 0 || index == EarphoneRun.steps(FullScaleLevel(-20)).count / 2
      let right = "\(114 + Int(tone.played.decibels))"
      let own = index == step ? replies : [right]
      return (begins ? [("\(tone.ear.rawValue) earphone on the coupler", "")] : [])
        + own.map { ("dB SPL:", $0) }
    }
  }

  @Test("24 tones, eleven frequencies of each ear and one of them 10 dB softer, make it whole")
  func whole() throws {
    let person = ScriptedPerson(Self.answers())
    let measurement = try run(person)
    #expect(person.rest.isEmpty && measurement.readings.count == 24 && measurement.shortcomings.isEmpty)
    #expect(try measurement.sensitivity().left.level(at: 4000) == SoundPressureLevel(114))
    #expect(bench.played.count == 24 && bench.played.filter { $0.ear == .left }.count == 12)
    #expect(bench.played[0] == TestSound(.left, level: -20, frequency: 1000, duration: 30))
    #expect(bench.played[1].level == -30 && bench.played[1].frequency == 1000)
    #expect(Set(bench.played.compactMap(\.frequency)) == Set(EarphoneRun.frequencies))
    // Full scale may stand for 150 dB SPL: no number is a promise.
    #expect(
      person.heard.first?.contains(
        "Take the earphones off: a tone may be louder than 100 dB SPL, which harms hearing.") == true)
  }

  @Test("940 for 94 is refused with what is allowed; what is no number too; the tone comes again")
  func typing() throws {
    let person = ScriptedPerson(Self.answers(replacing: 0, by: ["940", "loud", "", "94"]))
    _ = try run(person)
    #expect(person.heard.contains("Found 940 dB SPL for a tone at −20 dB FS: expected 40 to 130."))
    #expect(person.heard.contains { $0.hasPrefix("Found \"loud\", expected dB SPL, such as 94.2") })
    #expect(bench.played.count == 27)
  }

  @Test("a contradiction is told and asked again; the right reading leaves no trace")
  func contradiction() throws {
    let person = ScriptedPerson(Self.answers(replacing: 2, by: ["60", "94"]))
    let measurement = try run(person)
    #expect(
      person.heard.contains {
        $0.hasPrefix("Found 60 dB SPL at 1500 Hz after 94 at 1000 Hz: expected 74 to 114")
      })
    #expect(measurement.shortcomings.isEmpty)
  }

  @Test("levels that do not fall with the tone are told")
  func linearity() throws {
    let person = ScriptedPerson(Self.answers(replacing: 1, by: ["94", "84"]))
    #expect(try run(person).shortcomings.isEmpty)
    #expect(
      person.heard.contains {
        $0.hasPrefix("Found 94 dB SPL at −30 dB FS after 94 at −20: expected 84 ± 1")
      })
  }

  @Test("what is read the same twice is kept, and makes the calibration provisional")
  func insisted() throws {
    let person = ScriptedPerson(Self.answers(replacing: 7, by: ["60", "60"]))
    let measurement = try run(person)
    #expect(measurement.readings.contains { $0.read == SoundPressureLevel(60) && $0.frequency == 8000 })
    #expect(measurement.shortcomings.first?.contains("60 dB SPL at 8000 Hz") == true)
    #expect(person.heard.contains { $0.hasPrefix("Read the same twice") })
  }

  @Test("back takes back the reading before")
  func back() throws {
    // The wrong one is within the bounds; the next one shows it.
    var answers = Self.answers(replacing: 2, by: ["90", "back", "94"])
    let place = try #require(answers.firstIndex { $0.1 == "back" })
    #expect(answers[place - 1].1 == "90")
    // After 90 at 1500 Hz the next tone is asked for, where the person goes back.
    answers.remove(at: place + 1)
    answers.insert(("dB SPL:", "94"), at: place + 1)
    let measurement = try run(ScriptedPerson(answers))
    #expect(measurement.readings.count == 24)
    #expect(
      measurement.readings.filter { $0.frequency == 1500 && $0.ear == .left }.map(\.read) == [
        SoundPressureLevel(94)
      ])
  }

  @Test(
    "back from the first tone of an ear asks for the other earphone on the coupler, and the way on for this one"
  )
  func backToOtherEar() throws {
    let all = Self.answers()
    let right = try #require(all.firstIndex { $0.0.hasPrefix("right") })
    // The last tone of the left ear once more, between two exchanges.
    var way = Array(all[...right])
    way += [("dB SPL:", "back"), ("left earphone on the coupler", "")]
    way += all[(right - 1)...]
    let person = ScriptedPerson(way)
    let measurement = try run(person)
    #expect(person.rest.isEmpty && measurement.readings.count == 24 && measurement.shortcomings.isEmpty)
    // 24 tones, the one from which the person went back, and the one that was taken back.
    #expect(bench.played.map(\.ear)[11...14] == [.left, .right, .left, .right])
    #expect(bench.played.count == 26)
  }

  @Test(
    "volume controls are kept with the readings; one that is turned meanwhile is told, and the tone read again"
  )
  func volumes() throws {
    func master(_ gain: Double) -> [VolumeSetting] {
      [VolumeSetting(control: "Master", gain: Binaural(both: gain), isOn: true)]
    }
    bench.controls = [master(-6), master(-6), master(-9), master(-6)]
    let person = ScriptedPerson(Self.answers(replacing: 1, by: ["81", "84"]))
    let measurement = try run(person)
    #expect(measurement.volumes == master(-6))
    #expect(person.heard.contains("Volume control Master: −6 dB."))
    #expect(
      person.heard.contains {
        $0.hasPrefix("Found the volume control Master stands at −9 dB, and levels were measured at −6 dB.")
      })
    #expect(measurement.shortcomings.isEmpty)
  }

  @Test(
    "without a name in the configuration the first card is measured, with its controls and under its name, whatever is plugged in meanwhile"
  )
  func firstCard() throws {
    bench.first = "hw:CARD=PCH,DEV=0"
    bench.controls = [[VolumeSetting(control: "Master", gain: Binaural(both: -6), isOn: true)]]
    let person = ScriptedPerson(Self.answers())
    person.meanwhile = ("dB SPL:", { [bench] in bench.first = "hw:CARD=Other,DEV=0" })
    let measurement = try run(person)
    #expect(Set(bench.used) == ["hw:CARD=PCH,DEV=0"])
    #expect(measurement.volumes?.map(\.control) == ["Master"])
    #expect(person.heard.contains("The tones are played on hw:CARD=PCH,DEV=0."))
    #expect(LeftCalibrationFile(.earphone, folder: folder.path).read()?.device == "hw:CARD=PCH,DEV=0")
  }

  @Test(
    "a device that nobody knows is not measured by questions, and nothing that was read of it is verified")
  func unknownDevice() throws {
    for (end, key) in [(Configuration.End.earphone, "device.playback"), (.microphone, "device.capture")] {
      let failure = #expect(throws: Failure.self) { try LivePerson.refuse(without: nil, of: end) }
      #expect(failure?.exitStatus == .unavailable && failure?.remedy?.contains(key) == true)
      try LivePerson.refuse(without: "hw:0", of: end)
    }
    let calibration = try OutputCalibration(
      device: DeviceCalibration(device: "x", date: CalendarDate("2026-01-31"), status: .verified),
      measurement: try run(ScriptedPerson(Self.answers())))
    let notes = EarphoneText(calibration, on: nil).notes
    #expect(notes.first == "The calibration is provisional:")
    #expect(notes.contains { $0.hasPrefix("no device is named, neither by device.playback") })
    #expect(EarphoneText(calibration, on: "hw:0").notes.first == "The calibration is verified.")
  }

  @Test("what was read is verified in dB SPL, and in dB HL where reference thresholds are known for sure")
  func hearingLevels() throws {
    let measurement = try run(ScriptedPerson(Self.answers()))
    for (name, expected) in [
      ("hda200", ["The calibration is verified."]),
      (
        "er3a",
        [
          "The calibration is verified in dB SPL.",
          "In dB HL it is provisional in part: the reference thresholds of er3a at 750, 1500, 3000 and 6000 Hz are from "
            + "memory.",
        ]
      ),
      (
        "earpods",
        [
          "The calibration is verified in dB SPL.",
          "In dB HL it is provisional: the source of the reference thresholds of earpods does not state their coupler.",
        ]
      ),
    ] as [(String, [String])] {
      let calibration = try OutputCalibration(
        device: DeviceCalibration(device: "x", date: CalendarDate("2026-01-31"), status: .verified),
        measurement: measurement, transducer: Transducer.named(name))
      let notes = EarphoneText(calibration, on: "hw:0").notes
      #expect(Array(notes.prefix(expected.count)) == expected)
      #expect(!notes.dropFirst(expected.count).contains { $0.contains("dB HL") })
    }
  }

  @Test("left at any question it says how far it came, and that the readings are kept")
  func left() throws {
    let all = Self.answers()
    for count in [0, 1, 2, 5, 13, all.count - 1] {
      // The scripted person ends as a terminal does that is closed.
      let failure = #expect(throws: Failure.self) { try run(ScriptedPerson(Array(all.prefix(count)))) }
      let taken = all.prefix(count).count { $0.0 == "dB SPL:" }
      #expect(failure?.exitStatus == .no)
      #expect(failure?.found.contains("after \(taken) reading") == true, "\(failure?.found ?? "")")
      #expect(failure?.found.contains("they are kept for a day") == (taken > 0))
    }
    let stopped = #expect(throws: Failure.self) {
      try run(ScriptedPerson(Array(all.prefix(4)) + [("dB SPL:", "stop")]))
    }
    #expect(stopped?.found.contains("after 3 readings, the last of them left ear, 1500 Hz") == true)
  }

  @Test("where the limit of the aid would hold a tone, tones are softer, which is said")
  func limit() throws {
    // 90 dB SPL where 0 dB FS is taken for 120 is −30 dB FS, and a decibel for rounding.
    let person = ScriptedPerson(
      EarphoneRun.steps(FullScaleLevel(-31)).enumerated().flatMap { index, tone in
        (index % 12 == 0 ? [("on the coupler", "")] : []) + [
          ("dB SPL:", "\(114 + Int(tone.played.decibels))")
        ]
      })
    let measurement = try run(person, "[safety]\nmaximum-output = 90\n")
    #expect(bench.played[0].level == -31 && measurement.shortcomings.isEmpty)
    #expect(person.heard.contains { $0.contains("holds the tones to −31 dB FS") })
  }

  @Test(
    "a model that is left out for its coupler is told with what is missing, and the calibration is provisional"
  )
  func omitted() throws {
    let model = try #require(Transducer.named("er3a-2cc"))
    let calibration = try OutputCalibration(
      device: DeviceCalibration(device: "x", date: CalendarDate("2026-01-31"), status: .provisional),
      measurement: try run(ScriptedPerson(Self.answers())))
    let notes = EarphoneText(calibration, on: "hw:0", without: model).notes
    // ISO 389-2 less ISO 389-7, and 2 dB for the second ear, at 4 kHz: 5.5 + 5.4 − 2.
    #expect(
      Array(notes.prefix(2)) == [
        "The calibration is provisional:",
        "the reference thresholds of er3a-2cc hold in IEC 60318-5 (2 cm³, HA-2), not in IEC 60318-4: the model is left out,"
          + " sounds come out too soft by up to 9 dB, and no level in dB HL is known.",
      ])
    let refusal = #expect(throws: Failure.self) { try TransducerChoice.refuse(model, in: "IEC 60318-4") }
    #expect(refusal?.exitStatus == .usage && refusal?.remedy?.contains("leave --transducer out") == true)
    // Of that standard's couplers it is one.
    #expect(throws: Failure.self) { try TransducerChoice.refuse(model, in: "IEC 60318-5") }
    try TransducerChoice.refuse(model, in: "iec 60318-5 (2 cm3, HA-2)")
  }

  @Test("the model brings its coupler, unless it is not the one that is measured in")
  func model() throws {
    func chosen(_ answers: [(String, String)], _ transducer: String? = nil) throws -> (String?, String) {
      let run = EarphoneRun(
        interview: ScriptedPerson(answers), bench: bench, loaded: try loaded(), wanted: FullScaleLevel(-20))
      let (model, coupler) = try run.chosen(transducer: transducer, coupler: nil)
      return (model?.identifier, coupler)
    }
    #expect(
      try chosen([("Model", "hda20"), ("Model", "hda200"), ("measure in", "y")]) == (
        "hda200", "IEC 60318-1 + type 1 adapter"
      ))
    #expect(
      try chosen([("measure in", "n"), ("Coupler", " "), ("Coupler", "a sheet of foam")], "er3a") == (
        "er3a", "a sheet of foam"
      ))
    // A model in another coupler than its own is told before anybody measures.
    let person = ScriptedPerson([("measure in", "n"), ("Coupler", "2 cm3")])
    let run = EarphoneRun(
      interview: person, bench: bench, loaded: try loaded(), wanted: FullScaleLevel(-20))
    _ = try run.chosen(transducer: "er3a", coupler: nil)
    #expect(
      person.heard.last?.hasPrefix("Caution: the reference thresholds of er3a hold in IEC 60318-4") == true)
    #expect(try chosen([("Model", ""), ("Coupler", "IEC 60318-4")]) == (nil, "IEC 60318-4"))
    // Its source does not state a coupler, so there is none to agree with.
    #expect(
      try chosen([("Model", "airpods-pro-2"), ("Coupler", "IEC 60318-4")]) == (
        "airpods-pro-2", "IEC 60318-4"
      ))
  }
}
