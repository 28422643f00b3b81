import Base
import CommonTesting
import Glibc
import Testing

@testable import Control

@Suite("Changing the configuration file") struct ConfigurationFileTests {
  private let folder = TemporaryFolder()

  private func search(_ environment: [String: String] = [:], explicit: String? = nil) -> ConfigurationSearch
  {
    let environment = ["HOME": folder.path].merging(environment) { $1 }
    return ConfigurationSearch(
      explicit: explicit, environment: environment,
      paths: StandardPaths(environment: environment, userID: 1000))
  }

  private func text(_ path: String) -> String? {
    (try? FileContent.bytes(of: path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test("a first key makes the file that was named, for its owner alone, and its folder")
  func first() throws {
    let path = folder.file("new/deep/auricle.toml")
    var file = try ConfigurationFile(search(explicit: path))
    #expect(file.isNew)
    try file.set("device.period", to: "128", from: nil, subject: "x")
    try file.save()
    #expect(text(path) == "[device]\nperiod = 128\n" && mode(path) == 0o600)
    #expect(try !ConfigurationFile(search(explicit: path)).isNew)
  }

  @Test(
    "a new file in the system's folder is for everybody to read, by whichever name the folder is called")
  func systemsFolder() throws {
    #expect(symlink("/etc", folder.file("link")) == 0)
    for path in ["/etc/auricle-none.toml", folder.file("link/auricle-none.toml")] {
      #expect(try ConfigurationFile(search(explicit: path)).newMode == 0o644)
    }
    #expect(try ConfigurationFile(search(explicit: folder.file("none.toml"))).newMode == 0o600)
  }

  @Test("changes by two names of one file do not lose one another")
  func byLink() throws {
    try Folder.make(folder.file("links"))
    folder.write("", to: "a.toml")
    #expect(symlink(folder.file("a.toml"), folder.file("links/a.toml")) == 0)
    do {
      // The lock is that of the file's own folder.
      let turn = try FolderTurn(in: folder.path)
      defer { withExtendedLifetime(turn) {} }
      #expect(throws: SystemError(call: "flock", code: EWOULDBLOCK)) {
        try FolderTurn(in: folder.path, patience: 0)
      }
    }
    var (first, second) = (
      try ConfigurationFile(search(explicit: folder.file("a.toml"))),
      try ConfigurationFile(search(explicit: folder.file("links/a.toml")))
    )
    try first.set("device.period", to: "128", from: nil, subject: "x")
    try second.set("safety.maximum-output", to: "80", from: nil, subject: "x")
    try first.save()
    try second.save()
    #expect(text(folder.file("a.toml")) == "[device]\nperiod = 128\n\n[safety]\nmaximum-output = 80\n")
  }

  @Test("a key is changed in its place; comments, the rest and the file's mode stay")
  func inPlace() throws {
    folder.write("# mine\n[device]\nperiod = 64  # short\nrate = 48000\n", to: "a.toml")
    chmod(folder.file("a.toml"), 0o644)
    var file = try ConfigurationFile(search(explicit: folder.file("a.toml")))
    try file.set("device.period", to: "128", from: nil, subject: "x")
    try file.set("device.playback", to: "hw:CARD=B", from: nil, subject: "x")
    try file.save()
    #expect(
      text(folder.file("a.toml"))
        == "# mine\n[device]\nperiod = 128  # short\nrate = 48000\nplayback = \"hw:CARD=B\"\n")
    #expect(mode(folder.file("a.toml")) == 0o644)
  }

  @Test("a relative path starts from the folder that is given, not from the file's")
  func relativePath() throws {
    folder.write("", to: "a.toml")
    var file = try ConfigurationFile(search(explicit: folder.file("a.toml")))
    try file.set("hearing.audiogram", to: "mine.json", from: "/home/a", subject: "x")
    try file.set("calibration.earphone.file", to: "/c.json", from: "/home/a", subject: "x")
    try file.save()
    #expect(
      text(folder.file("a.toml"))
        == "[hearing]\naudiogram = \"/home/a/mine.json\"\n\n[calibration.earphone]\nfile = \"/c.json\"\n")
  }

  @Test("a key that is taken out has its default again, and is no fault where it is not set")
  func unset() throws {
    folder.write("[device]\nperiod = 128\n# stays\n", to: "a.toml")
    var file = try ConfigurationFile(search(explicit: folder.file("a.toml")))
    try file.unset("device.period", subject: "x")
    try file.unset("device.rate", subject: "x")
    try file.save()
    #expect(text(folder.file("a.toml")) == "[device]\n# stays\n")
    #expect(throws: Failure.self) { try file.unset("device.perod", subject: "x") }
  }

  @Test(
    "a value or key that is not accepted is refused, and the file stays as it was",
    arguments: [
      ("device.period", "8"), ("device.peroid", "64"), ("device.capture", ""),
      ("device.period", "64\nrate = 96000"), ("safety.maximum-output", "140"),
    ])
  func refused(key: String, value: String) throws {
    let before = "[device]\nperiod = 128\n"
    folder.write(before, to: "a.toml")
    var file = try ConfigurationFile(search(explicit: folder.file("a.toml")))
    #expect(throws: Failure.self) { try file.set(key, to: value, from: nil, subject: "x") }
    try file.save()
    #expect(text(folder.file("a.toml")) == before)
  }

  @Test("into a file that is wrong already nothing is written")
  func wrongAlready() {
    folder.write("[device]\nperiod = 8\n", to: "a.toml")
    #expect(throws: ConfigurationFailures.self) {
      try ConfigurationFile(search(explicit: folder.file("a.toml")))
    }
    #expect(text(folder.file("a.toml")) == "[device]\nperiod = 8\n")
  }

  @Test("values that do not go together are refused when the file is written, which stays as it was")
  func together() throws {
    let before = "[calibration.earphone]\nfull-scale-level = 110\n"
    folder.write(before, to: "a.toml")
    var file = try ConfigurationFile(search(explicit: folder.file("a.toml")))
    // Verified needs a device and a date.
    try file.set("calibration.earphone.status", to: "verified", from: nil, subject: "x")
    #expect(throws: ConfigurationFailures.self) { try file.save() }
    #expect(text(folder.file("a.toml")) == before)
  }

  @Test("what others write into the file meanwhile stays, but for the keys that are changed here")
  func besideOthers() throws {
    folder.write("[device]\nperiod = 64\n", to: "a.toml")
    var (first, second) = (
      try ConfigurationFile(search(explicit: folder.file("a.toml"))),
      try ConfigurationFile(search(explicit: folder.file("a.toml")))
    )
    try first.set("device.period", to: "128", from: nil, subject: "x")
    try first.set("safety.maximum-output", to: "90", from: nil, subject: "x")
    try second.set("safety.maximum-output", to: "80", from: nil, subject: "x")
    try first.save()
    try second.save()
    #expect(text(folder.file("a.toml")) == "[device]\nperiod = 128\n\n[safety]\nmaximum-output = 80\n")
    #expect(second.configuration.device.period == 128)
    // Once written, a key is no longer this one's to hold.
    try first.set("device.playback", to: "hw:9", from: nil, subject: "x")
    try first.save()
    #expect(first.configuration.safety.maximumOutput == 80)
  }

  @Test("into a file that somebody has spoiled meanwhile nothing is written")
  func spoiledMeanwhile() throws {
    folder.write("", to: "a.toml")
    var file = try ConfigurationFile(search(explicit: folder.file("a.toml")))
    try file.set("device.period", to: "128", from: nil, subject: "x")
    folder.write("[device\n", to: "a.toml")
    #expect(throws: ConfigurationFailures.self) { try file.save() }
    #expect(text(folder.file("a.toml")) == "[device\n")
  }

  @Test(
    "a file that was named is the place, whether it can be written or not; a person's own is not written instead"
  )
  func namedPlace() {
    let named = folder.file("nowhere/a.toml")
    #expect(search(explicit: named).place == named)
    #expect(search(["AURICLE_CONFIG": named]).place == named)
  }

  @Test("a link that leads nowhere is a file that cannot be read, not the want of one")
  func dangling() throws {
    let own = folder.file(".config/auricle/auricle.toml")
    try Folder.make(folder.file(".config/auricle"))
    #expect(symlink("/nonexistent/auricle.toml", own) == 0)
    #expect(search().file() == own)
    #expect(throws: ConfigurationFailures.self) { try search().load().get() }
  }
}
