import Glibc
import Testing

@testable import Realtime

@Suite("Heap") struct HeapTests {
  /// A sanitizer has an allocator of its own.
  private static let isLibrarys = getenv("AURICLE_SANITIZER") == nil

  @Test(
    "large blocks are the kernel's again once they are freed, also in locked memory and below one that is held",
    .enabled(if: isLibrarys))
  func freed() async {
    await #expect(processExitsWith: .success) {
      precondition(Heap.keepSmall())
      // Refused to who may not lock so much; the fact holds all the same.
      _ = MemoryLock.lockAll()
      // The C library would keep blocks of less than 128 kB by itself (mallopt(3)).
      let (size, number) = (64 << 10, 128)
      let blocks = (0..<number).map { _ in memset(malloc(size), 1, size) }
      let held = malloc(size)
      // Memory that is no file's, kB.
      let before = try #require(ProcessStatus.memory("RssAnon"))
      for block in blocks { free(block) }
      let after = try #require(ProcessStatus.memory("RssAnon"))
      // 8 MB, but for what else the process does meanwhile: half of it proves the fact.
      precondition(held != nil && before - after > number * (size >> 10) / 2)
    }
  }
}
