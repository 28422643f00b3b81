import Base
import Testing

@testable import Control

@Suite("Configuration") struct ConfigurationTests {
  private func read(_ text: String, file: String = "a.toml") throws(ConfigurationFailures) -> Configuration
  {
    try Configuration.reading([UInt8](text.utf8), file: file).configuration
  }

  private func messages(_ text: String) -> [String] {
    do throws(ConfigurationFailures) {
      _ = try read(text)
      return []
    } catch {
      return error.failures.map(\.message)
    }
  }

  @Test("an empty file and a file of comments give the defaults")
  func empty() throws {
    #expect(try read("") == Configuration())
    #expect(try read("# nothing\n\n[device]\n") == Configuration())
  }

  @Test("defaults are those that the documentation promises")
  func defaults() {
    let configuration = Configuration()
    #expect(configuration.device.capture == nil)
    #expect(configuration.device.rate == 44_100)
    #expect(configuration.device.period == 64)
    #expect(configuration.device.periods == 3)
    #expect(configuration.safety.maximumOutput == 111)
    #expect(configuration.hearing.audiogram == nil)
    #expect(configuration.calibration.earphone.status == .none)
  }

  @Test(
    "a Bluetooth microphone is refused with its line and what to take instead; Bluetooth earphones are not")
  func bluetooth() throws {
    let name = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=sco"
    let found = try #require(messages("[device]\ncapture = \"\(name)\"\n").first)
    #expect(found.hasPrefix("a.toml:2: found device.capture = \"\(name)\", expected an ALSA device name"))
    #expect(found.contains("telephone quality") && found.contains("Choose a wired or USB microphone"))
    #expect(try read("[device]\nplayback = \"\(name)\"\n").device.playback == name)
    var configuration = Configuration()
    #expect(throws: Failure.self) {
      try configuration.set("device.capture", to: "pipewire:NODE=bluez_input.1", option: "--capture")
    }
    #expect(configuration == Configuration())
  }

  @Test("the reference names every key and reads back as the defaults")
  func reference() throws {
    let reference = Configuration.reference
    #expect(try read(reference) == Configuration())
    for setting in Configuration.schema {
      #expect(reference.contains("\n\(setting.name) = ") || reference.contains("\n# \(setting.name) = "))
      #expect(Configuration.sections.contains { $0.name == setting.section })
    }
    #expect(reference.split(separator: "\n").allSatisfy { $0.count <= 100 })
    // The examples that stand as comments are themselves right.
    let examples = reference.split(separator: "\n").map { line in
      Configuration.schema.contains { line.hasPrefix("# \($0.name) = ") } ? line.dropFirst(2) : line
    }.filter { !$0.hasPrefix("full-scale-level") && !$0.hasPrefix("profile") }.joined(separator: "\n")
    #expect(messages(examples) == [])
  }

  @Test("every key is read into its place")
  func everyKey() throws {
    let configuration = try read(
      """
      [device]
      capture = "hw:CARD=A"
      playback = "hw:CARD=B"
      rate = "48 kHz"
      period = 128
      periods = 2
      format = "s24_3"
      clock = "matched"
      jack = "ignored"
      [calibration.microphone]
      full-scale-level = [120.5, 119]
      transducer = "built-in"
      device = "hw:CARD=A"
      date = 2026-01-31
      status = "verified"
      [calibration.earphone]
      file = "ear.json"
      date = "2024-02-29"
      source = "data sheet"
      status = "provisional"
      [hearing]
      audiogram = "/home/a/audiogram.json"
      rule = "nal-r"
      compression-ratio = "1.7:1"
      attack = "5 ms"
      release = 0.1
      link = "50 %"
      bands = [250, "1 kHz", 4000.0]
      [safety]
      maximum-output = "100 dB SPL"
      ramp = 1
      [control]
      socket = "sock"
      [log]
      level = "debug"
      """, file: "/etc/auricle/auricle.toml")
    var expected = Configuration()
    expected.device.capture = "hw:CARD=A"
    expected.device.playback = "hw:CARD=B"
    expected.device.rate = 48_000
    expected.device.period = 128
    expected.device.periods = 2
    expected.device.format = .signed24Packed
    expected.device.clock = .separate
    expected.device.heedsJack = false
    expected.calibration.microphone.fullScaleLevel = [120.5, 119]
    expected.calibration.microphone.transducer = "built-in"
    expected.calibration.microphone.device = "hw:CARD=A"
    expected.calibration.microphone.date = "2026-01-31"
    expected.calibration.microphone.status = .verified
    expected.calibration.earphone.file = "/etc/auricle/ear.json"
    expected.calibration.earphone.date = "2024-02-29"
    expected.calibration.earphone.source = "data sheet"
    expected.calibration.earphone.status = .provisional
    expected.hearing.audiogram = "/home/a/audiogram.json"
    expected.hearing.rule = .nalR
    expected.hearing.compressionRatio = 1.7
    expected.hearing.attack = 0.005
    expected.hearing.release = 0.1
    expected.hearing.link = 0.5
    expected.hearing.bands = [250, 1000, 4000]
    expected.safety.maximumOutput = 100
    expected.safety.ramp = 1
    expected.control.socket = "/etc/auricle/sock"
    expected.log.level = .debug
    #expect(configuration == expected)
    // Every value, written as TOML and read again, is the same.
    let text = Configuration.schema.compactMap { setting in
      // The file stands instead of the level, which is the default.
      setting.key == "calibration.earphone.full-scale-level"
        ? nil : setting.value(in: expected).map { "\(setting.key) = \($0)\n" }
    }.joined()
    #expect(try read(text) == expected)
  }

  @Test("a period given as a time becomes the nearest number of frames at the rate of the file")
  func periodAsTime() throws {
    // 1.5 ms · 48000 Hz = 72; 1.45 ms · 44100 Hz = 63.9.
    #expect(try read("device.period = \"1.5 ms\"\ndevice.rate = 48000").device.period == 72)
    #expect(try read("device.period = \"1.45ms\"").device.period == 64)
  }

  @Test("the least and the greatest value of every range is accepted")
  func limits() throws {
    let low = """
      device = { period = 16, periods = 2 }
      calibration.earphone.full-scale-level = 80
      hearing = { compression-ratio = 1, attack = 0.005, release = 0.02, link = 0, bands = [50] }
      safety = { maximum-output = 70, ramp = 0.05 }
      """
    let high = """
      device = { period = 1024, periods = 8, rate = 96000 }
      calibration.earphone.full-scale-level = 160.0
      hearing = { compression-ratio = 3, attack = 0.5, release = 5, link = 1, bands = [20000] }
      safety = { maximum-output = 120, ramp = 5 }
      """
    #expect(messages(low) == [])
    #expect(messages(high) == [])
  }

  @Test("where a value comes from: its file and line, or the defaults")
  func origins() throws {
    let loaded = try Configuration.reading([UInt8]("[device]\n\nperiod = 32\n".utf8), file: "/x/a.toml")
    #expect(loaded.origin(of: "device.period") == "/x/a.toml:3")
    #expect(loaded.origin(of: "device.rate") == "default")
    let text = loaded.text(withOrigins: true)
    #expect(text.contains("device.period = 32  # /x/a.toml:3\n"))
    #expect(text.contains("device.rate = 44100  # default\n"))
    #expect(text.contains("# hearing.audiogram is not set\n"))
    #expect(loaded.text(withOrigins: false).contains("device.period = 32\n"))
    #expect(!loaded.text(withOrigins: false).contains("#"))
  }

  @Test("a level and a status of a calibration file or a profile are not shown as the configuration's")
  func calibrations() throws {
    func shown(_ table: String, withOrigins: Bool) throws -> [String] {
      let loaded = try Configuration.reading([UInt8](table.utf8), file: "/x/a.toml")
      return loaded.text(withOrigins: withOrigins).split(separator: "\n").map(String.init)
    }
    let profile = "calibration.earphone.profile = \"airpods-pro-2\"\n"
    let file = "calibration.microphone.file = \"m.json\"\n"
    for withOrigins in [false, true] {
      let lines = try shown(profile + file, withOrigins: withOrigins)
      for line in [
        "# calibration.earphone.full-scale-level is that of the profile airpods-pro-2",
        "# calibration.earphone.status is that of the profile airpods-pro-2",
        "# calibration.microphone.full-scale-level is that of the file /x/m.json",
        "# calibration.microphone.status is that of the file /x/m.json",
      ] {
        #expect(lines.contains(line))
      }
    }
    // One end's calibration says nothing of the other, and a status that is set is in effect.
    let lines = try shown(profile + "calibration.earphone.status = \"none\"\n", withOrigins: false)
    for line in [
      "calibration.microphone.full-scale-level = 120", "calibration.microphone.status = \"none\"",
      "calibration.earphone.status = \"none\"",
      "# calibration.earphone.full-scale-level is that of the profile airpods-pro-2",
    ] {
      #expect(lines.contains(line))
    }
  }

  @Test("changes are told apart by what they take: nothing, opening devices, starting again")
  func changes() {
    let old = Configuration()
    var new = old
    let none = ConfigurationChange(from: old, to: new)
    #expect((none.live + none.reopensDevices + none.restartsDaemon).isEmpty)
    new.hearing.compressionRatio = 1.5
    new.safety.maximumOutput = 100
    new.device.period = 128
    new.control.socket = "/tmp/s"
    let change = ConfigurationChange(from: old, to: new)
    #expect(change.live == ["hearing.compression-ratio", "safety.maximum-output"])
    #expect(change.reopensDevices == ["device.period"])
    #expect(change.restartsDaemon == ["control.socket"])
  }
}
