import Acoustics
import Base
import CommonTesting
import Control
import Engine
import Glibc
import Testing

@testable import AuricleCommands

@Suite("Calibration of microphones by questions") struct MicrophoneRunTests {
  let folder = TemporaryFolder()
  let bench = FakeCalibrationBench()

  /// Left at −26 dB FS and right at −30, 1 kHz, unless told otherwise.
  static func recording(
    _ left: Double = -26, _ right: Double = -30, channels: Int = 2, frequency: Double = 1000
  ) -> MicrophoneRecording {
    func tone(_ level: Double) -> [Float] {
      (0..<192_000).map { Float(pow(10, level / 20) * sin(2 * .pi * Double($0) * frequency / 48_000)) }
    }
    return MicrophoneRecording(
      rate: 48_000, channels: channels, sound: Binaural(left: tone(left), right: tone(right)))
  }

  func readings(
    _ answers: [(String, String)], level: Double? = 94
  ) throws -> [MicrophoneMeasurement.Reading] {
    let loaded = try Configuration.reading([], file: folder.file("auricle.toml"))
    let run = MicrophoneRun(
      interview: ScriptedPerson(answers), bench: bench, loaded: loaded, frequency: 1000,
      file: LeftCalibrationFile(.microphone, folder: folder.path))
    return try run.readings(level: level, by: "N. N.")
  }

  @Test("each microphone has its own reading; silence is told and recorded again")
  func two() throws {
    bench.recordings = [Self.recording(), Self.recording(-26, -200), Self.recording()]
    let readings = try readings([
      ("one or two", "two"), ("on the left", ""), ("on the right", ""), ("on the right", ""),
    ])
    #expect(readings.map(\.channel) == [0, 1])
    #expect(readings.map(\.measured.decibels) == [-26, -30])
  }

  @Test("without a name in the configuration the first card is recorded, whatever is plugged in meanwhile")
  func firstCard() throws {
    bench.recordings = [Self.recording(), Self.recording()]
    bench.first = "hw:CARD=PCH,DEV=0"
    let loaded = try Configuration.reading([], file: folder.file("auricle.toml"))
    let person = ScriptedPerson([("one or two", "two"), ("on the left", ""), ("on the right", "")])
    person.meanwhile = ("on the right", { [bench] in bench.first = "hw:CARD=Other,DEV=0" })
    let run = MicrophoneRun(
      interview: person, bench: bench, loaded: loaded, frequency: 1000,
      file: LeftCalibrationFile(.microphone, folder: folder.path))
    #expect(try run.readings(level: 94, by: "N. N.").count == 2)
    #expect(bench.used == ["hw:CARD=PCH,DEV=0", "hw:CARD=PCH,DEV=0"])
    #expect(run.used.configuration.device.capture == "hw:CARD=PCH,DEV=0")
  }

  @Test("a calibrator of 940 dB SPL is refused with what is allowed")
  func level() throws {
    bench.recordings = [Self.recording()]
    let readings = try readings(
      [("Level", "940"), ("Level", "94,0"), ("one or two", "o"), ("on the microphone", "")], level: nil)
    #expect(readings.map(\.sound) == [SoundPressureLevel(94)])
  }

  @Test("two microphones need two channels; left, it says how far it came")
  func channels() throws {
    bench.recordings = [Self.recording(channels: 1)]
    let failure = #expect(throws: Failure.self) {
      try readings([("one or two", "two"), ("on the left", "")])
    }
    #expect(failure?.found == "It was left after 0 microphones")
  }
}
