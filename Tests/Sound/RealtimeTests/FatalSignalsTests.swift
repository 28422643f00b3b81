import CLinux
import Glibc
import Testing

@testable import Realtime

/// Each trial ends a child process, by a fault of its own.
@Suite struct FatalSignalsTests {
  /// The lines of the end among what a process wrote; Swift's runtime may have lines of its own.
  private static func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter {
      $0.contains("the sound has ended")
    }
  }

  @Test("a failed check on the audio thread leaves one line with the thread and addresses of code")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try FatalSignals.report(to: STDERR_FILENO, isJournal: false)
      let thread = try RealtimeThread { _ in
        let numbers = [Int](repeating: 0, count: 3)
        _ = numbers[Int(getpid())]
      }
      thread.join()
    }
    let lines = Self.lines(try #require(result).standardErrorContent)
    try #require(lines.count == 1)
    let form = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} error: the sound has ended: .*/#
    #expect(lines[0].wholeMatch(of: form) != nil, "\(lines[0])")
    // SIGILL on x86-64, SIGTRAP on aarch64.
    let cause =
      #/(illegal instruction \(SIGILL\)|trap \(SIGTRAP\)), audio thread, program counter \S+\+0x[0-9a-f]+/#
    #expect(lines[0].firstMatch(of: cause) != nil, "\(lines[0])")
    #expect(lines[0].contains(", called from "), "\(lines[0])")
  }

  @Test("an overflow of the audio thread's stack leaves one line")
  func audioStack() async throws {
    let result = await #expect(processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]) {
      try FatalSignals.report(to: STDERR_FILENO, isJournal: false)
      try RealtimeThread { _ in _ = overflow(0) }.join()
    }
    try Self.expectOverflow(in: "audio thread", try #require(result).standardErrorContent)
  }

  @Test("an overflow of the stack of the thread that asked for the report leaves one line")
  func ownStack() async throws {
    let result = await #expect(processExitsWith: .signal(SIGSEGV), observing: [\.standardErrorContent]) {
      try FatalSignals.report(to: STDERR_FILENO, isJournal: false)
      _ = overflow(0)
    }
    try Self.expectOverflow(in: "control thread", try #require(result).standardErrorContent)
  }

  private static func expectOverflow(in thread: String, _ written: [UInt8]) throws {
    let lines = lines(written)
    try #require(lines.count == 1)
    let cause = "invalid memory access (SIGSEGV) at address 0x"
    #expect(lines[0].contains(cause) && lines[0].contains(", \(thread), program counter "))
  }

  @Test(
    "the journal gets a priority in the place of the time, and a process is ended by the signal that it got"
  )
  func journal() async throws {
    let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
      try FatalSignals.report(to: STDERR_FILENO, isJournal: true)
      abort()
    }
    let lines = Self.lines(try #require(result).standardErrorContent)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("<3>the sound has ended: abort (SIGABRT), control thread, ") == true)
  }

  // Before glibc 2.41 abort() unblocks SIGABRT itself, raise() does not.
  @Test(
    "a fault is told also where it was blocked before: by who asks for the report, and who blocks all other signals"
  )
  func blockedBefore() async throws {
    @Sendable func block() {
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGABRT)
      pthread_sigmask(SIG_BLOCK, &set, nil)
    }
    let own = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
      block()
      try FatalSignals.report(to: STDERR_FILENO, isJournal: true)
      raise(SIGABRT)
    }
    let others = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
      try FatalSignals.report(to: STDERR_FILENO, isJournal: true)
      block()
      clinux_block_signals_of_others()
      raise(SIGABRT)
    }
    for result in [own, others] {
      #expect(Self.lines(try #require(result).standardErrorContent).count == 1)
    }
  }

  @Test("a log that nobody reads does not keep the process")
  func standstill() async throws {
    await #expect(processExitsWith: .signal(SIGABRT)) {
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
      let block = [UInt8](repeating: 0, count: 4096)
      while write(ends[1], block, block.count) > 0 {}
      _ = fcntl(ends[1], F_SETFL, 0)
      try FatalSignals.report(to: ends[1], isJournal: false)
      abort()
    }
  }
}

/// Calls itself until the stack is full.
@inline(never) private func overflow(_ depth: Int) -> Int {
  withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory in
    memory[0] = UInt8(truncatingIfNeeded: depth)
    return overflow(depth + 1) + Int(memory[0])
  }
}
