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

  private func run(_ person: ScriptedPerson, _ configuration: String = "") throws -> EarphoneRun {
    EarphoneRun(
      interview: person, bench: bench,
      loaded: try Configuration.reading([UInt8](configuration.utf8), file: folder.file("auricle.toml")),
      wanted: FullScaleLevel(-20), file: file)
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
    coupler: String? = nil, examiner: String? = nil, played: Double? = nil, later seconds: Double = 60
  ) throws -> (said: String, goesOn: Bool) {
    let person = ScriptedPerson(answer.map { [("Go on with it?", $0)] } ?? [])
    var run = try run(person, configuration)
    try run.offerToGoOn(
      transducer: transducer, coupler: coupler, examiner: examiner,
      played: played.map { FullScaleLevel($0) }, now: SystemTime.wall + seconds)
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
}
