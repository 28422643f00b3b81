import Base
import Testing

@testable import Control

@Suite("Configuration problems") struct ConfigurationProblemTests {
  private func messages(_ text: [UInt8]) -> [String] {
    do throws(ConfigurationFailures) {
      _ = try Configuration.reading(text, file: "a.toml")
      return []
    } catch {
      #expect(error.failures.allSatisfy { $0.exitStatus.rawValue == 78 })
      return error.failures.map(\.message)
    }
  }

  private static let time = ", bare or with its unit, such as \"20 ms\"."
  private static let frames =
    "16 to 1024 frames, or the nearest whole number to a time such as \"1.5 ms\"."
  private static let levels = "80 to 160 dB SPL, one number for both channels or [left, right]."
  private static let bands = "1 to 40 increasing frequencies of 50 to 20000 Hz, [250, 500, …]."
  private static let device = "an ALSA device name, such as \"hw:CARD=PCH\"."

  @Test(
    "a wrong value is refused with its line, what was found and what was expected",
    arguments: [
      ("\n[device]\nperiod = 8", "a.toml:3: found device.period = 8 frames, expected \(frames)"),
      ("device.period = 1025", "a.toml:1: found device.period = 1025 frames, expected \(frames)"),
      ("device.period = 64.5", "a.toml:1: found device.period = 64.5 frames, expected \(frames)"),
      ("device.period = \"64 s\"", "a.toml:1: found device.period = \"64 s\", expected \(frames)"),
      ("device.period = true", "a.toml:1: found device.period = true, expected \(frames)"),
      ("device.periods = 9", "a.toml:1: found device.periods = 9, expected a whole number, 2 to 8."),
      ("device.rate = 22050", "a.toml:1: found device.rate = 22050 Hz, expected 44100, 48000 or 96000 Hz."),
      ("device.capture = 0", "a.toml:1: found device.capture = 0, expected \(device)"),
      ("device.capture = \"\"", "a.toml:1: found device.capture = \"\", expected \(device)"),
      ("device.capture = \"a\\nb\"", "a.toml:1: found device.capture = \"a\\nb\", expected \(device)"),
      (
        "device.clock = \"share\"",
        "a.toml:1: found device.clock = \"share\", expected \"auto\", \"shared\" or \"matched\"."
          + " Did you mean \"shared\"?"
      ),
      (
        "[hearing]\nattack = 5",
        "a.toml:2: found hearing.attack = 5 s, expected 0.005 to 0.5 s\(time)"
      ),
      (
        "hearing.release = inf", "a.toml:1: found hearing.release = inf s, expected 0.02 to 5 s\(time)"
      ),
      ("hearing.link = nan", "a.toml:1: found hearing.link = nan, expected 0 to 1."),
      (
        "hearing.compression-ratio = 3.1",
        "a.toml:1: found hearing.compression-ratio = 3.1, expected 1 to 3."
      ),
      ("hearing.bands = []", "a.toml:1: found hearing.bands = 0 values, expected \(bands)"),
      (
        "hearing.bands = [500,\n 250]",
        "a.toml:2: found hearing.bands = 250 Hz after 500 Hz, expected \(bands)"
      ),
      ("hearing.bands = [\n\n20]", "a.toml:3: found hearing.bands = 20 Hz, expected \(bands)"),
      (
        "hearing.audiogram = 1979-05-27",
        "a.toml:1: found hearing.audiogram = 1979-05-27, expected "
          + "a path, relative to this file's folder or absolute."
      ),
      (
        "safety.maximum-output = 121",
        "a.toml:1: found safety.maximum-output = 121 dB SPL, expected 70 to 120 dB SPL."
      ),
      (
        "calibration.earphone.full-scale-level = [120, 119, 118]",
        "a.toml:1: found calibration.earphone.full-scale-level = 3 values, expected \(levels)"
      ),
      (
        "calibration.earphone.date = \"2026-02-29\"",
        "a.toml:1: found calibration.earphone.date = \"2026-02-29\", expected a day, such as 2026-01-31."
      ),
      (
        "log.level = {}",
        "a.toml:1: found log.level = a table, expected "
          + "\"error\", \"warning\", \"notice\", \"info\" or \"debug\"."
      ),
    ])
  func wrongValue(text: String, message: String) {
    #expect(messages([UInt8](text.utf8)) == [message])
  }

  private static let deviceKeys =
    "a key of [device]: capture, clock, format, jack, period, periods, playback, rate or stream."
  private static let tables = "a table: calibration, control, device, hearing, log, safety or stream."

  @Test(
    "an unknown key is refused by name, with the nearest right one",
    arguments: [
      (
        "[device]\nperoid = 64",
        "a.toml:2: found the unknown key device.peroid, expected \(deviceKeys) Did you mean \"period\"?"
      ),
      (
        "[device]\nvolume = 1", "a.toml:2: found the unknown key device.volume, expected \(deviceKeys)"
      ),
      (
        "[device]\nattack = 1",
        "a.toml:2: found the unknown key device.attack, expected \(deviceKeys)"
          + " \"attack\" belongs in [hearing]."
      ),
      (
        "\n[divice]\nperiod = 64",
        "a.toml:2: found the unknown key divice, expected \(tables) Did you mean \"device\"?"
      ),
      (
        "period = 64",
        "a.toml:1: found the unknown key period, expected \(tables) \"period\" belongs in [device]."
      ),
      (
        "\"device.period\" = 64",
        "a.toml:1: found the unknown key \"device.period\", expected \(tables)"
      ),
      ("device = 5", "a.toml:1: found device = 5, expected a table, [device]."),
      ("[[device]]\nperiod = 64", "a.toml:1: found device = an array, expected a table, [device]."),
      (
        "[calibration]\nmicrophon.status = \"none\"",
        "a.toml:2: found the unknown key calibration.microphon, expected a key of [calibration]: earphone or"
          + " microphone. Did you mean \"microphone\"?"
      ),
      (
        "[device]\n\"\" = 1", "a.toml:2: found the unknown key device.\"\", expected \(deviceKeys)"
      ),
    ])
  func unknownKey(text: String, message: String) {
    #expect(messages([UInt8](text.utf8)) == [message])
  }

  @Test("a calibration that is called verified must say of what and when")
  func verified() {
    #expect(
      messages([UInt8]("[calibration.earphone]\nstatus = \"verified\"\ndevice = \"x\"".utf8)) == [
        "a.toml:2: found calibration.earphone.status = \"verified\" without full-scale-level and date, "
          + "expected what was measured, on which device and when. "
          + "Add full-scale-level and date, or write \"provisional\" and the level's source."
      ])
    #expect(
      messages([UInt8]("[calibration.earphone]\nfile = \"x\"\nfull-scale-level = 120".utf8)) == [
        "a.toml:2: found calibration.earphone.file = \"x\" beside calibration.earphone.full-scale-level, "
          + "expected one of the two."
      ])
  }

  @Test("a profile is known, stands alone, and brings its source")
  func profile() {
    func words(_ lines: String) -> [String] { messages([UInt8]("[calibration.earphone]\n\(lines)".utf8)) }
    #expect(words("profile = \"airpods-pro-2\"\nstatus = \"provisional\"") == [])
    #expect(words("profile = \"airpods-pro-2\"\nstatus = \"verified\"") == [])
    #expect(
      words("profile = \"airpods-pro-3\"")[0].hasSuffix(
        "expected the name of a profile. Did you mean \"airpods-pro-1\"?"))
    #expect(
      words("profile = \"airpods-max\"\nfull-scale-level = 110") == [
        "a.toml:2: found calibration.earphone.profile = \"airpods-max\" beside calibration.earphone.full-scale-level, "
          + "expected one of the two."
      ])
    #expect(messages([UInt8]("[calibration.microphone]\nprofile = \"airpods-max\"".utf8)).count == 1)
  }

  @Test(
    "a calibration that is called provisional must state its level and where that comes from",
    arguments: [
      ("", "full-scale-level and source"), ("full-scale-level = 120", "source"),
      ("source = \"data sheet\"", "full-scale-level"),
      // A space that nobody sees is no source.
      ("full-scale-level = 120\nsource = \"\u{200B}\"", "source"),
    ])
  func provisional(lines: String, missing: String) {
    #expect(
      messages([UInt8]("[calibration.microphone]\nstatus = \"provisional\"\n\(lines)".utf8)) == [
        "a.toml:2: found calibration.microphone.status = \"provisional\" without \(missing), "
          + "expected a level and where it comes from. Add \(missing), such as full-scale-level = 120 and "
          + "source = \"data sheet, -26 dB FS at 94 dB SPL\", or write \"none\": gain is then held to 20 dB."
      ])
    let whole =
      "[calibration.microphone]\nstatus = \"provisional\"\nfull-scale-level = 120\nsource = \"data sheet\""
    #expect(messages([UInt8](whole.utf8)) == [])
    let file = "[calibration.microphone]\nstatus = \"provisional\"\nfile = \"m.json\""
    #expect(messages([UInt8](file.utf8)) == [])
  }

  @Test("all problems are told at once, in the order of their lines")
  func allAtOnce() {
    let text = "[log]\nlevel = 1\n[device]\nspeed = 2\nperiods = 1\nperiod = 1\n"
    #expect(
      messages([UInt8](text.utf8)).map { $0.prefix(9) } == [
        "a.toml:2:", "a.toml:4:", "a.toml:5:", "a.toml:6:",
      ])
  }

  @Test("a syntax error has its line and column")
  func syntax() {
    #expect(
      messages([UInt8]("[device]\nperiod = = 64\n".utf8)) == [
        "a.toml:2: found \"=\" in column 10, expected a value."
      ])
    #expect(
      messages([UInt8]("[device]\nformat = S16\n".utf8)) == [
        "a.toml:2: found S16 in column 10, expected a value; text stands in quotation marks."
      ])
  }

  @Test("bytes that are not text are refused with their line")
  func notText() {
    #expect(messages([0x61, 0x0A, 0x00]) == ["a.toml:2: found a zero byte, expected TOML, which is text."])
    #expect(
      messages([0x23, 0xE4, 0x0A]) == [
        "a.toml:1: found bytes that are not UTF-8, expected TOML, which is UTF-8. "
          + "Save the file with UTF-8 encoding."
      ])
  }

  @Test("a key with an escaped zero byte is unknown, not the key before the zero")
  func zeroInKey() {
    let found = messages([UInt8]("[device]\n\"period\\u0000\" = 64\n".utf8))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(#"a.toml:2: found the unknown key device."period\u0000","#) == true)
  }
}
