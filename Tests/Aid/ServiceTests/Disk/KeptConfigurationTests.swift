import Acoustics
import Base
import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

@Suite("The configuration in force, kept for a start after a crash") struct KeptConfigurationTests {
  private let folder = TemporaryFolder()

  private var kept: KeptConfiguration { KeptConfiguration(besideSocket: folder.file("control.sock")) }

  private func search(_ name: String = "a.toml") -> ConfigurationSearch {
    ConfigurationSearch(explicit: folder.file(name), environment: [:])
  }

  /// Keeps a configuration whose ramp is a second.
  private func keepOne() throws {
    folder.write("[safety]\nramp = 1\n", to: "a.toml")
    try kept.keep(search().load().get())
  }

  @Test("one that is wrong by now gives way to it, and why is said")
  func wrongFile() throws {
    try keepOne()
    folder.write("[safety]\nramp = 2\n", to: "a.toml")
    #expect(try kept.settings(search()).settings.ramp == 2)
    #expect(try kept.settings(search()).refused.isEmpty)
    folder.write("[safety]\nrump = 2\n", to: "a.toml")
    let found = try kept.settings(search())
    #expect(found.settings.ramp == 1 && found.loaded.file == folder.file("a.toml"))
    #expect(found.loaded.origin(of: "safety.ramp") == folder.file("a.toml") + ":2")
    #expect(found.refused.map(\.exitStatus) == [.configuration])
  }

  @Test(
    "one that was found and is gone by now stays in force: defaults do not have what somebody chose to be safe"
  )
  func goneFile() throws {
    let environment = ["HOME": folder.path]
    let search = ConfigurationSearch(
      explicit: nil, environment: environment,
      paths: StandardPaths(environment: environment, userID: 1000))
    for name in [".config", ".config/auricle"] { mkdir(folder.file(name), 0o700) }
    let own = folder.file(".config/auricle/auricle.toml")
    func write(_ limit: Int) {
      folder.write("safety.maximum-output = \(limit)\n", to: ".config/auricle/auricle.toml")
    }
    write(85)
    try kept.keep(search.load().get())
    unlink(own)
    let found = try kept.settings(search)
    #expect(found.settings.hearing.maximumOutput == SoundPressureLevel(85) && found.loaded.file == own)
    #expect(found.refused.map(\.exitStatus) == [.noInput])
    #expect(found.refused.first?.message.contains("has no file any more") == true)
    let sentence = try #require(KeptConfiguration.sentence(found.refused))
    #expect(sentence.contains("Put it back, then: auricle reload.") && !sentence.contains("Correct"))
    write(90)
    let corrected = try kept.settings(search)
    #expect(corrected.settings.hearing.maximumOutput == SoundPressureLevel(90) && corrected.refused.isEmpty)
    // One that this search would not find is another daemon's.
    unlink(own)
    try keepOne()
    unlink(folder.file("a.toml"))
    #expect(try kept.settings(search).refused.isEmpty)
  }

  @Test("where the devices of the file were refused, those in use are kept for the same file alone")
  func refusedDevices() throws {
    folder.write("[device]\nplayback = \"bad\"\nrate = 48000\n", to: "a.toml")
    let read = try search().load().get()
    var device = read.configuration.device
    (device.playback, device.rate) = ("hw:\"1\"", 44_100)
    var calibrated = device
    calibrated.playback = nil
    try kept.keep(read.with(device, calibrated: calibrated), "not 48000 Hz")
    func isFormer(_ found: KeptConfiguration.Found) -> Bool {
      found.loaded.configuration.device == device && found.loaded.calibratedDevice == calibrated
        && found.settings.playbackName == "hw:\"1\"" && found.settings.stream.rate == 44_100
        && found.loaded.askedDevice.playback == "bad" && found.refusedDevices == "not 48000 Hz"
    }
    let same = try kept.settings(search())
    #expect(isFormer(same) && same.refused.isEmpty)
    folder.write("[devices]\n", to: "a.toml")
    let wrong = try kept.settings(search())
    #expect(isFormer(wrong) && wrong.refused.map(\.exitStatus) == [.configuration])
    folder.write("[device]\nplayback = \"good\"\nrate = 48000\n", to: "a.toml")
    let other = try kept.settings(search())
    #expect(other.settings.playbackName == "good" && other.refusedDevices == nil)
  }

  @Test("devices in use that the file does not name, and nobody refused, are kept for the same file too")
  func placedDevices() throws {
    folder.write("[safety]\nmaximum-output = 95\n", to: "a.toml")
    let read = try search().load().get()
    var device = read.configuration.device
    device.playback = "hw:1"
    try kept.keep(read.with(device, calibrated: device))
    let found = try kept.settings(search())
    #expect(found.loaded.configuration.device == device && found.loaded.calibratedDevice == device)
    #expect(found.refusedDevices == nil && found.refused.isEmpty)
  }

  @Test("an audiogram that is gone by now does not give way to it: it would be gone there as well")
  func goneAudiogram() throws {
    folder.write("[hearing]\naudiogram = \"gone.json\"\n", to: "a.toml")
    try kept.keep(search().load().get())
    #expect(throws: ConfigurationFailures.self) { try kept.settings(search()) }
    // Where a prescription is heard instead of it, its absence silences nobody.
    let found = try kept.settings(search(), isAudiogramHeard: false)
    #expect(found.settings.hearing.audiograms == nil && found.refused.isEmpty)
    #expect(found.leftOut?.exitStatus == .noInput)
  }

  @Test("of another file, forgotten, damaged or changeable by others it is not used")
  func notUsed() throws {
    folder.write("[safety]\nrump = 2\n", to: "b.toml")
    let file = folder.file("control.sock.configuration")
    let damages: [() throws -> String] = [
      { "b.toml" },
      {
        try kept.forget(); return "a.toml"
      },
      {
        folder.write("no NUL", to: "control.sock.configuration"); return "a.toml"
      },
      {
        folder.write("\(folder.file("a.toml"))\0[safety", to: "control.sock.configuration"); return "a.toml"
      },
      {
        chmod(file, 0o666); return "a.toml"
      },
    ]
    for (number, damage) in damages.enumerated() {
      try keepOne()
      folder.write("[safety]\nrump = 2\n", to: "a.toml")
      let name = try damage()
      #expect(throws: ConfigurationFailures.self, "damage \(number)") { try kept.settings(search(name)) }
      try kept.forget()
    }
  }

  @Test(
    "with a damaged part on the devices in use, or on those of calibrations, it is not used at all",
    arguments: [("44100", "44100", true), ("\"x\"", "44100", false), ("44100", "\"x\"", false)])
  func damagedDevices(inUse: String, calibrated: String, isUsed: Bool) throws {
    try keepOne()
    folder.write("[safety]\nrump = 2\n", to: "a.toml")
    let parts = [
      folder.file("a.toml"), "[safety]\nramp = 1\n", "device.rate = \(inUse)\n",
      "device.rate = \(calibrated)\n", "not 48000 Hz",
    ]
    folder.write(parts.joined(separator: "\0"), to: "control.sock.configuration")
    if isUsed {
      let found = try kept.settings(search())
      #expect(found.settings.ramp == 1 && found.refusedDevices == "not 48000 Hz")
    } else {
      #expect(throws: ConfigurationFailures.self) { try kept.settings(search()) }
    }
  }

  @Test("is for its owner's eyes, and of defaults nothing is kept")
  func modes() throws {
    try keepOne()
    var status = stat()
    stat(folder.file("control.sock.configuration"), &status)
    #expect(status.st_mode & 0o777 == 0o600)
    try kept.keep(.defaults)
    #expect(folder.names == ["a.toml"])
  }
}
