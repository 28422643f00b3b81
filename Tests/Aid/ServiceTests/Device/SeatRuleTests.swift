import CommonTesting
import Glibc
import Testing

@testable import Service

@Suite("Files of sound devices") struct SeatRuleTests {
  private let folder = TemporaryFolder()

  @Test(
    "a device of the kernel's sound is known by its number, under whatever name",
    .enabled(if: geteuid() == 0))
  func numbers() throws {
    // ALSA's devices have the major number 116, those of OSS 14 (Documentation/admin-guide/devices.txt).
    for (name, major, isSound) in [("a", 116, true), ("b", 14, true), ("c", 1, false)]
      as [(String, Int, Bool)]
    {
      let path = folder.file(name)
      guard mknod(path, S_IFCHR | 0o600, dev_t(major) << 8 | 3) == 0 else { return }
      #expect(SeatRule.isSound(path) == isSound, "\(major)")
    }
  }

  @Test("an ordinary file is none, whatever its name")
  func files() {
    folder.write("", to: "pcmC0D0p")
    #expect(!SeatRule.isSound(folder.file("pcmC0D0p")) && !SeatRule.isSound("/nonexistent"))
  }
}
