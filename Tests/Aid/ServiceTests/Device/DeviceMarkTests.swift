import Base
import CommonTesting
import Glibc
import Prescriptions
import Testing

@testable import Service

@Suite("Mark of a clinic's device") struct DeviceMarkTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/device.json" }

  /// Of a clinic, as `hand-over` makes it.
  static func mark(_ name: String = "City Hearing Clinic", daemonUser: UInt32 = 900) throws -> DeviceMark {
    DeviceMark(
      clinic: try CardMaker(name).key.identity, device: .drawn, since: Instant(seconds: 1_772_366_400),
      by: 1000, daemonUser: daemonUser)
  }

  private func write(_ bytes: [UInt8], mode: UInt32 = 0o644) throws {
    try WholeFile.write(bytes, to: path, mode: mode)
  }

  private var standing: DeviceStanding { DeviceStanding(markedBy: path, owner: geteuid()) }

  private var isUnclear: Bool { if case .unclear = standing { true } else { false } }

  @Test("it comes back as it was written, and shows people clinic, key and number")
  func roundTrip() throws {
    let mark = try Self.mark()
    try write(mark.bytes)
    #expect(standing.mark == mark)
    let text = String(decoding: mark.bytes, as: UTF8.self)
    #expect(text.contains("\"City Hearing Clinic\"") && text.contains(mark.device.text))
    #expect(text.contains(mark.clinic.fingerprint.grouped))
  }

  @Test("where there is no file, or no folder, the machine is its owner's")
  func absent() {
    guard case .own = standing, case .own = DeviceStanding(markedBy: path + "/none", owner: 0) else {
      Issue.record("taken for a clinic's")
      return
    }
    #expect(standing.clinicName == nil)
  }

  @Test(
    "one that says nothing, whose card is another's, or that others could have written counts as a mark")
  func unclear() throws {
    let mark = try Self.mark()
    let whole = String(decoding: mark.bytes, as: UTF8.self)
    for text in [
      "", "{}", String(whole.dropLast(20)), whole.replacing("\"schema\":100", with: "\"schema\":200"),
      whole.replacing(mark.device.text, with: "0F7A"), whole.replacing("shc:/5", with: "shc:/6"),
    ] {
      try write(Array(text.utf8))
      #expect(isUnclear && standing.mark == nil && standing.clinicName == "a clinic", "\(text.prefix(40))")
    }
    for mode in [UInt32(0o664), 0o646] {
      try write(mark.bytes, mode: mode)
      #expect(isUnclear)
    }
    try write(mark.bytes)
    guard case .unclear = DeviceStanding(markedBy: path, owner: geteuid() + 1) else {
      Issue.record("a mark of another user was believed")
      return
    }
    unlink(path)
    symlink(folder.path + "/elsewhere", path)
    #expect(isUnclear)
  }

  @Test("a mark of 100 kB is no mark that is read, though the same one with fewer spaces behind it is")
  func large() throws {
    let mark = try Self.mark()
    func spaces(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: " "), count: count) }
    try write(mark.bytes + spaces(1000))
    #expect(standing.mark == mark)
    try write(mark.bytes + spaces(100_000))
    #expect(isUnclear)
  }
}

@Suite("What a clinic's device refuses to commands and daemons") struct DeviceGuardTests {
  private final class Notes {
    var attempts: [DeviceAttempt] = []
    var trouble: String?
  }
  private let notes = Notes()

  private func guarded(
    _ standing: DeviceStanding, user: UInt32, systemsUser: UInt32? = nil
  ) -> DeviceGuard {
    DeviceGuard(standing, userID: user, systemsUser: systemsUser) { [notes] attempt in
      notes.attempts.append(attempt)
      return notes.trouble
    }
  }

  @Test("on an owner's device nothing is refused or told", arguments: DeviceAttempt.allCases)
  func own(attempt: DeviceAttempt) throws {
    for user in [UInt32(0), 900, 1000] { try guarded(.own, user: user).refuse(attempt) }
    #expect(notes.attempts.isEmpty)
  }

  @Test("to the wearer everything is, with the clinic's name, and told", arguments: DeviceAttempt.allCases)
  func wearer(attempt: DeviceAttempt) throws {
    let standing = DeviceStanding.clinics(try DeviceMarkTests.mark())
    let failure = try #require(throws: Failure.self) { try guarded(standing, user: 1000).refuse(attempt) }
    #expect(failure.exitStatus == .noPermission)
    #expect(failure.message.hasPrefix("this device: It belongs to City Hearing Clinic: "))
    #expect(notes.attempts == [attempt])
  }

  @Test("the system daemon's user may all; root all but a daemon of its own")
  func others() throws {
    let standing = DeviceStanding.clinics(try DeviceMarkTests.mark(daemonUser: 900))
    for attempt in DeviceAttempt.allCases { try guarded(standing, user: 900).refuse(attempt) }
    for attempt in DeviceAttempt.allCases where attempt != .daemon {
      try guarded(standing, user: 0).refuse(attempt)
    }
    #expect(notes.attempts.isEmpty)
    #expect(throws: Failure.self) { try guarded(standing, user: 0).refuse(.daemon) }
  }

  @Test(
    "where the mark says nothing, or has the number of another user, the system's daemon starts all the same, and nobody else's"
  )
  func systems() throws {
    let unclear = Failure("/etc/auricle/device.json", found: "a damaged file", exit: .configuration)
    for standing in [
      DeviceStanding.unclear(unclear), .clinics(try DeviceMarkTests.mark(daemonUser: 901)),
    ] {
      try guarded(standing, user: 900, systemsUser: 900).refuse(.daemon)
      #expect(notes.attempts.isEmpty)
      for user in [UInt32(0), 900, 1000] {
        #expect(throws: Failure.self) { try guarded(standing, user: user).refuse(.daemon) }
      }
      #expect(notes.attempts.count == 3)
      notes.attempts = []
    }
    let failure = try #require(throws: Failure.self) {
      try guarded(.unclear(unclear), user: 1000).refuse(.daemon)
    }
    #expect(failure.message.contains("Its mark is wrong: /etc/auricle/device.json: found a damaged file."))
    for user in [UInt32(0), 1000] {
      let guarded = guarded(.unclear(unclear), user: user, systemsUser: 900)
      #expect(throws: Failure.self) { try guarded.refuse(.daemon) }
    }
  }

  @Test(
    "a mark with another user's number is wrong for the system's daemon, which is told with both numbers")
  func otherNumber() throws {
    let standing = DeviceStanding.clinics(try DeviceMarkTests.mark(daemonUser: 901))
    let trouble = try #require(standing.trouble(for: 900))
    #expect(trouble.exitStatus == .configuration && trouble.message.contains("/etc/auricle/device.json"))
    #expect(trouble.message.contains("found user 901") && trouble.message.contains("expected user 900"))
    #expect(trouble.message.contains("auricle device hand-over CLINIC"))
    let refusal = try #require(throws: Failure.self) {
      try guarded(standing, user: 1000, systemsUser: 900).refuse(.daemon)
    }
    #expect(refusal.message.contains("Its mark is wrong") && refusal.message.contains("found user 901"))
    // Nothing is wrong where the number is its own, or nobody can tell that.
    for user in [UInt32(901), nil] {
      #expect(standing.trouble(for: user) == nil)
      let plain = try #require(throws: Failure.self) {
        try guarded(standing, user: 1000, systemsUser: user).refuse(.sound)
      }
      #expect(!plain.message.contains("wrong"))
    }
    #expect(DeviceStanding.own.trouble(for: 900) == nil)
  }

  @Test("the system daemon's user is the owner of the folder of its socket, and never root")
  func owner() {
    let folder = TemporaryFolder()
    #expect(DeviceGuard.systemsUser(folder: folder.path) == (geteuid() == 0 ? nil : geteuid()))
    #expect(DeviceGuard.systemsUser(folder: folder.path + "/none") == nil)
  }

  @Test("a mark that cannot be read refuses as one that can, and what could not be noted is said")
  func unclear() throws {
    notes.trouble = "no daemon runs"
    let standing = DeviceStanding.unclear(Failure("mark", found: "nothing", exit: .configuration))
    let failure = try #require(throws: Failure.self) { try guarded(standing, user: 1000).refuse(.sound) }
    #expect(failure.message.contains("It belongs to a clinic"))
    #expect(failure.message.contains("could not be noted in the audit trail: no daemon runs"))
  }
}
