import Base
import Testing

@testable import Control

@Suite("Settings from the command line") struct ConfigurationOverrideTests {
  private func failure(_ key: String, _ text: String) -> Failure? {
    var configuration = Configuration()
    do throws(Failure) {
      try configuration.set(key, to: text, option: "--option")
      return nil
    } catch {
      #expect(configuration == Configuration())
      return error
    }
  }

  @Test("values are written as in a file, and text without its quotation marks")
  func sets() throws {
    var configuration = Configuration()
    try configuration.set("device.rate", to: "48000", option: "--rate")
    try configuration.set("device.period", to: "1.5ms", option: "--period")
    try configuration.set("device.capture", to: "hw:CARD=A", option: "--capture")
    try configuration.set("device.playback", to: "\"hw:CARD=B\"", option: "--playback")
    try configuration.set("hearing.rule", to: "half-gain", option: "--rule")
    try configuration.set("hearing.bands", to: "[500, 1000]", option: "--bands")
    #expect(configuration.device.rate == 48_000)
    #expect(configuration.device.period == 72)  // 1.5 ms · 48000 Hz
    #expect(configuration.device.capture == "hw:CARD=A")
    #expect(configuration.device.playback == "hw:CARD=B")
    #expect(configuration.hearing.rule == .halfGain)
    #expect(configuration.hearing.bands == [500, 1000])
  }

  @Test(
    "text without its quotation marks may look like a number, a day or another value of TOML",
    arguments: ["2025", "-26.5", "2025-03-01", "2025-03-01T10:00:00", "true", "2025 # by Ada"])
  func plainText(_ text: String) throws {
    var configuration = Configuration()
    try configuration.set("calibration.earphone.source", to: text, option: "--option")
    #expect(configuration.calibration[.earphone].source == text)
  }

  @Test(
    "wrong ones are refused as in a file, and change nothing",
    arguments: [
      (
        "calibration.earphone.source", "[2025]",
        "--option: found calibration.earphone.source = an array, expected text on one line."
      ),
      (
        "device.capture", "\"\"",
        "--option: found device.capture = \"\", expected an ALSA device name, such as "
          + "\"hw:CARD=PCH\"."
      ),
      // A number is no text without its quotation marks, which would be seconds here.
      (
        "device.period", "0.001",
        "--option: found device.period = 0.001 frames, expected 16 to 1024 frames, or the nearest whole number to a "
          + "time such as \"1.5 ms\"."
      ),
      (
        "device.periods", "9",
        "--option: found device.periods = 9, expected a whole number, 2 to 8."
      ),
      (
        "safety.maximum-output", "-6dB",
        "--option: found safety.maximum-output = \"-6dB\", expected 70 to 120 dB SPL."
      ),
      (
        "device.peroid", "64",
        "--option: found the unknown key device.peroid, expected a key of the configuration. "
          + "Did you mean \"device.period\"?"
      ),
      (
        "device.capture", "",
        "--option: found device.capture = \"\", expected an ALSA device name, such as "
          + "\"hw:CARD=PCH\"."
      ),
      (
        "device.periods", "3\nsafety.maximum-output = 120",
        "--option: found device.periods = \"3\\nsafety.maximum-output = 120\", expected a whole number, 2 to 8."
      ),
    ])
  func refuses(key: String, text: String, message: String) {
    #expect(failure(key, text)?.message == message)
    #expect(failure(key, text)?.exitStatus.rawValue == 64)
  }
}
