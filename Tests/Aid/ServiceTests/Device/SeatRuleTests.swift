import CommonTesting
import Glibc
import Testing

@testable import Service

@Suite("Files of sound devices") struct SeatRuleTests {
  private let folder = TemporaryFolder()

  /// Makes a node of a character device with a number; false where root alone may, or root of another user namespace.
  private static func makeNode(_ path: String, major: Int) -> Bool {
    mknod(path, S_IFCHR | 0o600, dev_t(major) << 8 | 3) == 0
  }
  private static let makesNodes: Bool = {
    let folder = TemporaryFolder()
    return withExtendedLifetime(folder) { makeNode(folder.file("node"), major: 1) }
  }()

  @Test(
    "a device of the kernel's sound is known by its number, under whatever name",
    .enabled(if: makesNodes, "no permission to make nodes of devices"))
  func numbers() throws {
    // ALSA's devices have the major number 116, those of OSS 14 (Documentation/admin-guide/devices.txt).
    for (name, major, isSound) in [("a", 116, true), ("b", 14, true), ("c", 1, false)]
      as [(String, Int, Bool)]
    {
      let path = folder.file(name)
      try #require(Self.makeNode(path, major: major))
      #expect(SeatRule.isSound(path) == isSound, "\(major)")
    }
  }

  /// Numbers of include/sound/minors.h of Linux: sequencer 1, timer 33, a card's first playback 16.
  @Test(
    "sequencer and timer, which play nothing, do not count as sound cards",
    arguments: [
      (116, 1, false), (116, 33, false), (116, 0, true), (116, 16, true), (116, 257, true), (14, 1, true),
      (1, 16, false),
    ] as [(UInt64, UInt64, Bool)])
  func silent(major: UInt64, minor: UInt64, isSound: Bool) {
    // makedev(3) of glibc, for major numbers below 4096.
    #expect(SeatRule.isSound(number: (minor >> 8) << 20 | major << 8 | minor & 0xff) == isSound)
  }

  @Test("an ordinary file is none, whatever its name")
  func files() {
    folder.write("", to: "pcmC0D0p")
    #expect(!SeatRule.isSound(folder.file("pcmC0D0p")) && !SeatRule.isSound("/nonexistent"))
  }
}
