import Base
import CLinux
import Glibc
import Testing

@testable import Realtime

@Suite("Memory lock") struct MemoryLockTests {
  static let isUnderAddressSanitizer = getenv("AURICLE_SANITIZER").map { String(cString: $0) } == "address"

  // MCL_CURRENT | MCL_FUTURE = 3, MCL_ONFAULT = 4: bits/mman-linux.h.

  @Test("locking on fault is tried first and is enough")
  func onFault() {
    var asked: [Int32] = []
    let outcome = MemoryLock.lockAll { flags in
      asked.append(flags)
      return 0
    }
    #expect(outcome == .onFault)
    #expect(asked == [7])
  }

  @Test("a kernel that does not know the flag is asked for everything")
  func oldKernel() {
    var asked: [Int32] = []
    let outcome = MemoryLock.lockAll { flags in
      asked.append(flags)
      return flags == 7 ? -EINVAL : 0
    }
    #expect(outcome == .everything)
    #expect(asked == [7, 3])
  }

  @Test("a refusal names the call and the limit in force")
  func refusal() throws {
    let outcome = MemoryLock.lockAll { _ in -ENOMEM }
    var (soft, hard): (UInt64, UInt64) = (0, 0)
    #expect(clinux_get_limit(8, &soft, &hard) == 0)  // RLIMIT_MEMLOCK
    #expect(
      outcome
        == .refused(
          limit: soft == .max ? nil : soft, error: SystemError(call: "mlockall", code: ENOMEM)))
    let message = MemoryLock.refused(
      limit: 8 << 20, error: SystemError(call: "mlockall", code: ENOMEM)
    ).description
    #expect(message.contains("mlockall: cannot allocate memory (errno 12)"))
    #expect(message.contains("RLIMIT_MEMLOCK is 8192 KiB"))
  }

  /// Limits, and what a mapping beside the lock comes to.
  static let unbinding: [(limit: UInt64?, mapped: Int32)] = [
    (512_000_000, 0), (512_000_000, -ENOMEM), (900_000_000, -EAGAIN), (nil, -EAGAIN),
  ]

  @Test("a lock beside which the limit leaves no room for more is undone and refused, with the limit")
  func tooLow() {
    var asked: [UInt64] = []
    var unlocked = 0
    let outcome = MemoryLock.lockAll(
      lock: { _ in 0 }, unlock: { unlocked += 1 },
      map: { bytes in
        asked.append(bytes)
        return -EAGAIN
      }, limit: 500_000 << 10)
    #expect(outcome == .refused(limit: 500_000 << 10, error: SystemError(call: "mmap", code: EAGAIN)))
    #expect(asked == [500_000 << 10] && unlocked == 1)
    #expect(
      outcome.description.contains(
        "mmap: resource temporarily unavailable (errno 11); RLIMIT_MEMLOCK is 500000 KiB"))
  }

  @Test(
    "a limit refuses nobody whom it does not bind, and from 900 MB on nobody",
    arguments: Self.unbinding)
  func highEnough(limit: UInt64?, mapped: Int32) {
    var unlocked = 0
    let outcome = MemoryLock.lockAll(
      lock: { flags in flags == 7 ? -EINVAL : 0 }, unlock: { unlocked += 1 }, map: { _ in mapped },
      limit: limit)
    #expect(outcome == .everything && unlocked == 0)
  }

  @Test(
    "the kernel's account of locked memory agrees with the outcome",
    .disabled(
      if: Self.isUnderAddressSanitizer, "AddressSanitizer answers mlockall itself and locks nothing"))
  func kernel() async {
    await #expect(processExitsWith: .success) {
      let outcome = MemoryLock.lockAll()
      var text = [UInt8](repeating: 0, count: 8192)
      let file = try #require(fopen("/proc/self/status", "r"))
      let count = fread(&text, 1, text.count, file)
      fclose(file)
      let status = String(decoding: text[..<count], as: UTF8.self)
      let locked = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
      let kibibytes = locked?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
      switch outcome {
      case .onFault, .everything: precondition(kibibytes > 0)
      case .refused: precondition(kibibytes == 0)
      }
    }
  }
}
