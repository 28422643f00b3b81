import Acoustics
import AudioIO
import Base
import CommonTesting
import Control
import Glibc
import Service
import Testing

@testable import AuricleCommands

/// Calibrations that were left in the middle, and go on in another run.
@Suite("Calibrations that were left") struct LeftCalibrationTests {
  let folder = TemporaryFolder()
  let bench = FakeCalibrationBench()

  private var file: LeftCalibrationFile { LeftCalibrationFile(.earphone, folder: folder.path) }

  private func run(
    _ person: ScriptedPerson, _ configuration: String = "", wanted: Double = -20,
    in state: String? = nil
  ) throws -> EarphoneRun {
    EarphoneRun(
      interview: person, bench: bench,
      loaded: try Configuration.reading([UInt8](configuration.utf8), file: folder.file("auricle.toml")),
      wanted: FullScaleLevel(wanted),
      file: LeftCalibrationFile(.earphone, folder: state ?? folder.path))
  }

  /// Leaves a run after some readings, as a terminal that is closed does.
  private func leave(after count: Int, _ configuration: String = "") throws {
    let answers = Array(EarphoneRunTests.answers().prefix(count + 1))
    var run = try run(ScriptedPerson(answers), configuration)
    #expect(throws: Failure.self) {
      try run.measurement(by: "N. N.", coupler: "IEC 60318-4", transducer: "er3a")
    }
  }

  /// Sentences told to a person who runs it again, and true where it goes on.
  private func offer(
    _ answer: String? = nil, _ configuration: String = "", transducer: String? = nil,
    coupler: String? = nil, examiner: String? = nil, played: Double? = nil, maximum: Double? = nil,
    later seconds: Double = 60
  ) throws -> (said: String, goesOn: Bool) {
    let person = ScriptedPerson(answer.map { [("Go on with it?", $0)] } ?? [])
    var run = try run(person, configuration)
    try run.offerToGoOn(
      transducer: transducer, coupler: coupler, examiner: examiner,
      played: played.map { FullScaleLevel($0) }, maximum: maximum.map { SoundPressureLevel($0) },
      now: SystemTime.wall + seconds)
    return (person.heard.joined(separator: " "), run.left != nil)
  }

  @Test(
    "readings that were left are on the disk for their owner alone, and the next run goes on behind them")
  func goesOn() throws {
    try leave(after: 5)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try #require(file.read()).earphone.count == 5)
    let rest =
      [("Go on with it?", ""), ("left earphone on the coupler", "")]
      + EarphoneRunTests.answers().dropFirst(6)
    let person = ScriptedPerson(rest)
    var second = try run(person)
    try second.offerToGoOn(transducer: nil, coupler: nil, examiner: nil, played: nil)
    #expect(person.heard[0].contains("by N. N.: 5 of 24 tones, er3a in IEC 60318-4"))
    let left = try #require(second.left)
    #expect((left.examiner, left.coupler, left.transducer) == ("N. N.", "IEC 60318-4", "er3a"))
    let measurement = try second.measurement(by: left.examiner, coupler: "IEC 60318-4", transducer: "er3a")
    #expect(person.rest.isEmpty && measurement.readings.count == 24 && measurement.shortcomings.isEmpty)
    // Five and the sixth, which was asked for, before; 19 after.
    #expect(bench.played.count == 25)
  }

  @Test("a reading that was taken back is not among those that are kept")
  func back() throws {
    var answers = Array(EarphoneRunTests.answers().prefix(4))
    answers += [("dB SPL:", "back")]
    var run = try run(ScriptedPerson(answers))
    #expect(throws: Failure.self) { try run.measurement(by: "N. N.", coupler: "x") }
    #expect(try #require(file.read()).earphone.count == 2)
  }

  @Test("who does not want to go on begins anew; without anything left nobody is asked")
  func declined() throws {
    #expect(try offer() == ("", false))
    try leave(after: 3)
    #expect(try offer("n").goesOn == false)
    #expect(
      try offer("y", transducer: "ER3A", coupler: "IEC 60318-4", examiner: "N. N.", played: -20).goesOn)
    // The same coupler in another spelling.
    #expect(try offer("y", coupler: "iec 60318-4 (occluded-ear simulator)").goesOn)
    // After a minute before midnight as well as after almost a day.
    #expect(try offer("y", later: 86_000).goesOn)
  }

  @Test("another device, model, coupler, person, level, limit or day begins anew, and says why")
  func obstacles() throws {
    try leave(after: 3)
    for (found, words) in [
      (try offer(later: 90_000), "older than a day"), (try offer(later: -3600), "still to come"),
      (try offer("", "[device]\nplayback = \"hw:1\"\n"), "another device, the first that is free"),
      (try offer(transducer: "hda200"), "it was of er3a"),
      (try offer(coupler: "foam"), "in another coupler"),
      (try offer(examiner: "B. Ear"), "by another person"),
      (try offer(played: -30), "at another level, −20 dB FS"),
      // 90 dB SPL where 0 dB FS is taken for 120 hold tones to −31 dB FS.
      (try offer("", "[safety]\nmaximum-output = 90\n"), "does not let its tones through any more"),
    ] {
      #expect(
        !found.goesOn && found.said.contains("It begins anew, for ") && found.said.contains(words),
        "\(found)")
    }
  }

  @Test(
    "tones of another level than the usual are gone on with without the option, and with the one that they had"
  )
  func tonesOfAnotherLevel() throws {
    // 111 dB SPL where 0 dB FS is taken for 120 is −9 dB FS, and a decibel for rounding: −5 is held to −10.
    let person = ScriptedPerson([("left earphone on the coupler", ""), ("dB SPL:", "104")])
    var first = try run(person, wanted: -5)
    #expect(throws: Failure.self) { try first.measurement(by: "N. N.", coupler: "IEC 60318-4") }
    #expect(try #require(file.read()).played == FullScaleLevel(-10))
    #expect(try offer("y").goesOn)
    #expect(try offer("y", played: -10).goesOn)
    #expect(try offer("y", played: -5).goesOn)
    let other = try offer(played: -20)
    #expect(!other.goesOn && other.said.contains("its tones were at another level, −10 dB FS"))
    // Levels that no longer pass are said to be that.
    let held = try offer("", "[safety]\nmaximum-output = 100\n")
    #expect(!held.goesOn && held.said.contains("does not let its tones through any more"))
  }

  @Test(
    "the greatest level of the earphones is kept with the readings; another one begins anew, and says why"
  )
  func greatestLevel() throws {
    var first = try run(ScriptedPerson(Array(EarphoneRunTests.answers().prefix(3))))
    #expect(throws: Failure.self) {
      try first.measurement(
        by: "N. N.", coupler: "IEC 60318-4", maximum: SoundPressureLevel(110))
    }
    #expect(try #require(file.read()).maximum == SoundPressureLevel(110))
    #expect(try offer("y").goesOn)
    #expect(try offer("y", maximum: 110).goesOn)
    let other = try offer(maximum: 120)
    #expect(!other.goesOn && other.said.contains("the greatest level of its earphones was 110 dB SPL"))
    try leave(after: 3)
    let stated = try offer(maximum: 120)
    #expect(!stated.goesOn && stated.said.contains("the greatest level of its earphones was not stated"))
  }

  // MARK: - Readings that cannot be kept

  @Test(
    "a state folder that cannot be written is told once, and the run goes to its end; left before, readings are lost"
  )
  func unwritable() throws {
    folder.write("", to: "occupied")
    let whole = ScriptedPerson(EarphoneRunTests.answers())
    var run = try run(whole, in: folder.file("occupied"))
    let measurement = try run.measurement(by: "N. N.", coupler: "IEC 60318-4")
    #expect(whole.rest.isEmpty && measurement.readings.count == 24)
    #expect(whole.heard.count { $0.hasPrefix("Readings cannot be kept meanwhile: ") } == 1)
    let person = ScriptedPerson(Array(EarphoneRunTests.answers().prefix(3)))
    var left = try self.run(person, in: folder.file("occupied"))
    let failure = #expect(throws: Failure.self) {
      try left.measurement(by: "N. N.", coupler: "IEC 60318-4")
    }
    #expect(
      failure?.found
        == "It was left after 2 readings, the last of them left ear, 1000 Hz; they could not be kept")
    #expect(failure?.remedy == "Begin again: auricle calibrate earphone")
  }

  @Test("of readings that could be kept no longer it says up to which one they are")
  func keptInPart() throws {
    let state = folder.file("state")
    // Twelve of the left ear, two of the right one.
    let person = ScriptedPerson(Array(EarphoneRunTests.answers().prefix(16)))
    person.meanwhile = (
      "right earphone",
      { [folder] in
        rename(state, folder.file("former"))
        folder.write("", to: "state")
      }
    )
    var run = try run(person, in: state)
    let failure = #expect(throws: Failure.self) {
      try run.measurement(by: "N. N.", coupler: "IEC 60318-4")
    }
    #expect(failure?.found.hasPrefix("It was left after 14 readings") == true)
    #expect(failure?.found.hasSuffix("; up to number 12 they are kept for a day") == true)
    #expect(failure?.remedy == "Go on with them: auricle calibrate earphone")
    let former = LeftCalibrationFile(.earphone, folder: folder.file("former"))
    #expect(former.read()?.earphone.count == 12)
  }

  @Test("another model by the same name begins anew")
  func model() throws {
    try leave(after: 3)
    let text = String(decoding: try FileContent.bytes(of: file.path, limit: 1 << 16), as: UTF8.self)
    let other = text.replacing("\"examiner\":", with: "\"model\":\"usb:v046Dp0A4D\",\"examiner\":")
    try WholeFile.save([UInt8](other.utf8), to: file.path)
    let found = try offer()
    #expect(!found.goesOn && found.said.contains("it was with another model, usb:v046Dp0A4D"))
  }

  @Test("volume controls that stand elsewhere by now begin anew")
  func volumes() throws {
    func master(_ gain: Double) -> [VolumeSetting] {
      [VolumeSetting(control: "Master", gain: Binaural(both: gain), isOn: true)]
    }
    bench.controls = [master(-6)]
    try leave(after: 3)
    #expect(try offer("y").goesOn)
    bench.controls = [master(-9)]
    let found = try offer()
    #expect(!found.goesOn && found.said.contains("Master stands at −9 dB"))
  }

  @Test(
    "a damaged, edited or open file is nothing to go on with",
    arguments: ["", "{}", "null", "[1]", "edited", "reordered", "others"])
  func damaged(kind: String) throws {
    try leave(after: 3)
    let text = String(decoding: try FileContent.bytes(of: file.path, limit: 1 << 16), as: UTF8.self)
    let new =
      switch kind {
      // No meter shows that, and no run asks for that first.
      case "edited": text.replacing("\"read\":94", with: "\"read\":940")
      case "reordered": text.replacing("\"frequency\":1000", with: "\"frequency\":8000")
      case "others": text
      default: kind
      }
    try WholeFile.save([UInt8](new.utf8), to: file.path, mode: kind == "others" ? 0o666 : 0o600)
    #expect(file.read() == nil)
    let found = try offer()
    #expect(!found.goesOn && found.said.contains("its file is damaged"))
  }

  @Test("of two microphones the left one is kept, and the next run asks for the right one alone")
  func microphones() throws {
    let file = LeftCalibrationFile(.microphone, folder: folder.path)
    func run(_ person: ScriptedPerson, frequency: Double = 1000) throws -> MicrophoneRun {
      MicrophoneRun(
        interview: person, bench: bench,
        loaded: try Configuration.reading([], file: folder.file("auricle.toml")), frequency: frequency,
        file: file)
    }
    bench.recordings = [MicrophoneRunTests.recording()]
    let first = ScriptedPerson([("one or two", "two"), ("on the left", "")])
    let failure = #expect(throws: Failure.self) { try run(first).readings(level: 94, by: "N. N.") }
    #expect(failure?.found == "It was left after 1 microphone; the reading is kept for a day")
    let other = ScriptedPerson([])
    var second = try run(other, frequency: 250)
    try second.offerToGoOn(level: nil, examiner: nil)
    #expect(second.left == nil && other.heard[0].contains("another calibrator"))
    bench.recordings = [MicrophoneRunTests.recording()]
    let person = ScriptedPerson([("Go on with it?", "y"), ("on the right", "")])
    var third = try run(person)
    try third.offerToGoOn(level: 94, examiner: nil)
    #expect(person.heard[0].contains("the left microphone, −26.0 dB FS"))
    let readings = try third.readings(level: nil, by: "N. N.")
    #expect(readings.map(\.measured.decibels) == [-26, -30] && person.rest.isEmpty)
  }

  @Test(
    "calibrator, frequency and response are those of the run that is gone on with; others begin anew, and say why"
  )
  func microphoneOptions() throws {
    let file = LeftCalibrationFile(.microphone, folder: folder.path)
    let loaded = try Configuration.reading([], file: folder.file("auricle.toml"))
    let response = try FrequencyResponse("100 -1\n1000 0\n")
    func run(
      _ person: ScriptedPerson, frequency: Double? = nil, calibrator: String? = nil,
      response: FrequencyResponse? = nil
    ) -> MicrophoneRun {
      MicrophoneRun(
        interview: person, bench: bench, loaded: loaded, frequency: frequency, calibrator: calibrator,
        response: response, file: file)
    }
    let unnamed = run(ScriptedPerson([]))
    #expect(unnamed.frequency == 1000 && unnamed.calibrator == "calibrator" && unnamed.response == nil)
    bench.recordings = [MicrophoneRunTests.recording(frequency: 250)]
    let first = ScriptedPerson([("one or two", "two"), ("on the left", "")])
    #expect(throws: Failure.self) {
      try run(first, frequency: 250, calibrator: "model 1, no. 7", response: response)
        .readings(level: 94, by: "N. N.")
    }
    let other = try FrequencyResponse("100 -2\n1000 0\n")
    for (words, begins) in [
      ("it was with another calibrator", { run($0, calibrator: "model 2") }),
      ("it was with another calibrator", { run($0, frequency: 1000) }),
      ("its microphone had another response", { run($0, response: other) }),
    ] as [(String, (ScriptedPerson) -> MicrophoneRun)] {
      let person = ScriptedPerson([])
      var anew = begins(person)
      try anew.offerToGoOn(level: nil, examiner: nil)
      #expect(anew.left == nil && person.heard[0].contains("It begins anew, for \(words)"))
    }
    bench.recordings = [MicrophoneRunTests.recording(frequency: 250)]
    let person = ScriptedPerson([("Go on with it?", "y"), ("on the right", "")])
    var second = run(person)
    try second.offerToGoOn(level: nil, examiner: nil)
    #expect(second.frequency == 250 && second.calibrator == "model 1, no. 7" && second.response == response)
    let readings = try second.readings(level: nil, by: "N. N.")
    #expect(readings.map(\.frequency) == [250, 250] && person.rest.isEmpty)
  }

  @Test("a microphone's reading that cannot be kept is told, and the other microphone is asked for")
  func unwritableMicrophone() throws {
    folder.write("", to: "occupied")
    let person = ScriptedPerson([("one or two", "two"), ("on the left", "")])
    bench.recordings = [MicrophoneRunTests.recording()]
    let run = MicrophoneRun(
      interview: person, bench: bench,
      loaded: try Configuration.reading([], file: folder.file("auricle.toml")),
      file: LeftCalibrationFile(.microphone, folder: folder.file("occupied")))
    let failure = #expect(throws: Failure.self) { try run.readings(level: 94, by: "N. N.") }
    #expect(person.heard.contains { $0.hasPrefix("Readings cannot be kept meanwhile: ") })
    #expect(person.questions.last?.contains("on the right") == true)
    #expect(failure?.found == "It was left after 1 microphone; the reading could not be kept")
    #expect(failure?.remedy == "Begin again: auricle calibrate microphone")
  }
}
