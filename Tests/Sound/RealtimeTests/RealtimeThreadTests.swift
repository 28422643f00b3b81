import Base
import CLinux
import Glibc
import Synchronization
import Testing

@testable import Realtime

@Suite("Real-time thread") struct RealtimeThreadTests {
  /// What a thread found out about itself.
  final class Findings: Sendable {
    let policy = Atomic<Int32>(-1)
    let priority = Atomic<Int32>(-1)
    let thread = Atomic<Int32>(0)
    let flag = Atomic<Bool>(false)
  }

  /// A kernel that answers from a script and remembers what it was asked.
  final class FakeKernel: Sendable {
    struct State {
      var answer: Int32 = 0
      var policy: Int32 = 0
      var priority: Int32 = 0
      var nice: Int32 = 0
      var niceAnswer: Int32 = 0
      var limit = 0
      /// Whether a granted request changes anything.
      var obeys = true
    }
    let state: Mutex<State>

    init(_ state: State) { self.state = Mutex(state) }

    var calls: SchedulingCalls {
      SchedulingCalls(
        set: { _, policy, priority in
          self.state.withLock {
            if $0.answer == 0, $0.obeys { ($0.policy, $0.priority) = (policy, priority) }
            return $0.answer
          }
        },
        get: { _, policy, priority in
          (policy, priority) = self.state.withLock { ($0.policy, $0.priority) }
          return 0
        },
        setNice: { _, nice in
          self.state.withLock {
            if $0.niceAnswer == 0 { $0.nice = nice }
            return $0.niceAnswer
          }
        },
        nice: { _ in self.state.withLock { $0.nice } },
        priorityLimit: { self.state.withLock { $0.limit } })
    }
  }

  func run(
    _ configuration: RealtimeThread.Configuration, _ body: @escaping @Sendable () -> Void
  ) throws -> RealtimeThread {
    let thread = try RealtimeThread(configuration) { _ in body() }
    thread.join()
    return thread
  }

  @Test("the reported scheduling is what pthread_getschedparam finds inside the thread")
  func scheduling() throws {
    let findings = Findings()
    let thread = try run(.init(priority: 37)) {
      var policy: Int32 = 0
      var parameters = sched_param()
      pthread_getschedparam(pthread_self(), &policy, &parameters)
      findings.policy.store(policy, ordering: .relaxed)
      findings.priority.store(parameters.sched_priority, ordering: .relaxed)
    }
    let policy = findings.policy.load(ordering: .relaxed) & ~Int32(CLINUX_SCHED_RESET_ON_FORK)
    switch thread.startScheduling {
    case .realtime(let priority, _):
      #expect(policy == SCHED_FIFO)
      #expect(findings.priority.load(ordering: .relaxed) == 37)
      #expect(priority == 37)
    case .ordinary(.notPermitted(let wanted, _), _):
      #expect(policy == SCHED_OTHER)
      #expect(wanted == 37)
    case .ordinary(let reason, _):
      Issue.record("neither granted nor for want of permission: \(reason)")
    }
  }

  @Test("SCHED_FIFO is asked for with RESET_ON_FORK and the priority given")
  func asksForFIFO() throws {
    let kernel = FakeKernel(.init())
    let thread = try run(.init(priority: 61, calls: kernel.calls)) {}
    #expect(thread.startScheduling == .realtime(priority: 61))
    kernel.state.withLock {
      #expect($0.policy == SCHED_FIFO | 0x4000_0000)  // SCHED_RESET_ON_FORK, linux/sched.h
      #expect($0.priority == 61)
      #expect($0.nice == 0)
    }
  }

  @Test("refused, the thread still runs, with a better nice value, and names the limit")
  func refusal() throws {
    let kernel = FakeKernel(.init(answer: -EPERM, limit: 20))
    let findings = Findings()
    let thread = try run(.init(priority: 70, calls: kernel.calls)) {
      findings.flag.store(true, ordering: .relaxed)
    }
    #expect(findings.flag.load(ordering: .relaxed) == true)
    #expect(
      thread.startScheduling == .ordinary(reason: .notPermitted(wanted: 70, limit: 20), nice: -11))
    #expect("\(thread.startScheduling)".contains("RLIMIT_RTPRIO is 20"))
    #expect(thread.currentScheduling() == thread.startScheduling)
  }

  @Test("refused the nice value too, it reports the one that it has", arguments: [0, -10, 5])
  func refusesNice(nice: Int32) throws {
    let kernel = FakeKernel(.init(answer: -EPERM, nice: nice, niceAnswer: -EACCES))
    let thread = try run(.init(calls: kernel.calls)) {}
    #expect(
      thread.startScheduling == .ordinary(reason: .notPermitted(wanted: 70, limit: 0), nice: Int(nice)))
  }

  @Test("a nice value that is better than the one asked for is kept")
  func betterNice() throws {
    let kernel = FakeKernel(.init(answer: -EPERM, nice: -15))
    let thread = try run(.init(calls: kernel.calls)) {}
    #expect(thread.startScheduling == .ordinary(reason: .notPermitted(wanted: 70, limit: 0), nice: -15))
  }

  @Test("the kernel's own nice value is read")
  func kernelsNice() {
    #expect(SchedulingCalls.kernel.nice(0) == getpriority(Int32(PRIO_PROCESS.rawValue), 0))
  }

  @Test("a kernel that says yes and does nothing is not believed")
  func emptyPromise() throws {
    let kernel = FakeKernel(.init(obeys: false))
    let thread = try run(.init(calls: kernel.calls)) {}
    #expect(
      thread.startScheduling == .ordinary(reason: .notInForce(policy: 0, priority: 0), nice: -11))
  }

  @Test("an error other than EPERM is reported by its number")
  func otherError() throws {
    let kernel = FakeKernel(.init(answer: -ENOSYS))
    let thread = try run(.init(calls: kernel.calls)) {}
    #expect(thread.startScheduling == .ordinary(reason: .failed(code: ENOSYS), nice: -11))
  }

  @Test("priority taken away is noticed and asked for again")
  func renewal() throws {
    let kernel = FakeKernel(.init())
    let thread = try RealtimeThread(.init(priority: 50, calls: kernel.calls)) { stop in
      while !stop.isRequested { usleep(1000) }
    }
    #expect(thread.currentScheduling() == .realtime(priority: 50))
    kernel.state.withLock { ($0.policy, $0.priority) = (0, 0) }
    #expect(!thread.currentScheduling().isRealtime)
    #expect(thread.renewScheduling() == .realtime(priority: 50))
    #expect(thread.currentScheduling() == .realtime(priority: 50))
  }

  @Test("the thread bears its name, cut to 15 bytes")
  func name() throws {
    let findings = Findings()
    let thread = try RealtimeThread(.init(name: "auricle-audio-loop", calls: .refusing)) { stop in
      findings.thread.store(clinux_gettid(), ordering: .relaxed)
      while !stop.isRequested { usleep(1000) }
    }
    while findings.thread.load(ordering: .relaxed) == 0 { sched_yield() }
    let path = "/proc/self/task/\(findings.thread.load(ordering: .relaxed))/comm"
    let file = try #require(fopen(path, "r"))
    var text = [UInt8](repeating: 0, count: 32)
    let count = fread(&text, 1, text.count, file)
    fclose(file)
    #expect(String(decoding: text[..<count], as: UTF8.self) == "auricle-audio-l\n")
    thread.stop.request()
    thread.join()
  }

  @Test("the thread takes no signals but its own faults and SIGXCPU, and its creator's mask is unchanged")
  func signals() throws {
    let masked = Mutex<[Int32]>([])
    let all: [Int32] = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGPIPE, SIGALRM, SIGCHLD, SIGSEGV, SIGXCPU]
    @Sendable func blocked() -> [Int32] {
      var set = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &set)
      return all.filter { sigismember(&set, $0) == 1 }
    }
    let before = blocked()
    _ = try run(.init(calls: .refusing)) {
      let found = blocked()
      masked.withLock { $0 = found }
    }
    masked.withLock {
      #expect($0 == [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGPIPE, SIGALRM, SIGCHLD])
    }
    #expect(blocked() == before)
  }

  /// Somebody who started a thread whose work holds them.
  private final class Starter: Sendable {
    let thread = Mutex<RealtimeThread?>(nil)
    let isGone: Findings

    init(_ isGone: Findings) { self.isGone = isGone }
    deinit { isGone.flag.store(true, ordering: .releasing) }
  }

  @Test(
    "whoever started a thread may be held by its work alone: both are gone when it ends, a hundred times")
  func heldByItsWork() throws {
    for _ in 0..<100 {
      let (mayEnd, isGone) = (Findings(), Findings())
      do {
        let starter = Starter(isGone)
        let thread = try RealtimeThread { [starter] _ in
          while !mayEnd.flag.load(ordering: .acquiring) { usleep(100) }
          withExtendedLifetime(starter) {}
        }
        starter.thread.withLock { $0 = thread }
      }
      let isHeld = !isGone.flag.load(ordering: .acquiring)
      #expect(isHeld)
      mayEnd.flag.store(true, ordering: .releasing)
      // Ended by the runner's own limit where it never is.
      while !isGone.flag.load(ordering: .acquiring) { usleep(1000) }
    }
  }

  @Test("a request to stop is seen by flag and by descriptor, and ends a thread that polls")
  func stops() throws {
    let findings = Findings()
    let thread = try RealtimeThread(.init(calls: .refusing)) { stop in
      var waiting = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, -1)
      findings.flag.store(ready == 1 && stop.isRequested, ordering: .relaxed)
    }
    #expect(!thread.stop.isRequested)
    thread.stop.request()
    thread.stop.request()
    thread.join()
    thread.join()
    #expect(findings.flag.load(ordering: .relaxed) == true)
  }

  @Test("destroying a running thread stops and joins it")
  func destruction() throws {
    let findings = Findings()
    do {
      _ = try RealtimeThread(.init(calls: .refusing)) { stop in
        while !stop.isRequested { usleep(500) }
        findings.flag.store(true, ordering: .relaxed)
      }
    }
    #expect(findings.flag.load(ordering: .relaxed) == true)
  }

  @Test("denormals are zero inside the thread and kept outside")
  func denormals() throws {
    let small = Mutex<[Float]>([.leastNormalMagnitude, 0.5, .leastNonzeroMagnitude, 1])
    let findings = Findings()
    @Sendable func survive() -> Bool {
      let values = small.withLock { $0 }
      return values[0] * values[1] != 0 || values[2] * values[3] != 0
    }
    _ = try run(.init(calls: .refusing)) { findings.flag.store(survive(), ordering: .relaxed) }
    #expect(findings.flag.load(ordering: .relaxed) == false)
    #expect(survive())
    #expect(FloatingPointControl.current.bits & CLINUX_FLUSH_BITS == 0)
  }

  @Test(
    "a SIGXCPU takes the thread that gets it back to ordinary scheduling, no other, and not the next one")
  func cpuTime() async {
    await #expect(processExitsWith: .success) {
      try RealtimeThread.installCPUTimeFallback()
      func thread(_ work: @escaping @Sendable () -> Void) throws -> RealtimeThread {
        try RealtimeThread { stop in
          work()
          while !stop.isRequested { usleep(1000) }
        }
      }
      let other = try thread {}
      let late = try thread { raise(SIGXCPU) }
      while clinux_has_fallen_back(late.number) == 0 { sched_yield() }
      // The flag comes before the change.
      while case .realtime = late.currentScheduling() { sched_yield() }
      switch (late.startScheduling, late.currentScheduling()) {
      case (.realtime, .ordinary(.ranTooLong, _)), (.ordinary(.notPermitted, _), .ordinary): break
      case (let start, let now): preconditionFailure("\(start), then \(now)")
      }
      precondition(other.currentScheduling() == other.startScheduling)
      precondition(clinux_has_fallen_back(other.number) == 0)
      for ended in [late, other] {
        ended.stop.request()
        ended.join()
      }
      let next = try thread {}
      precondition(next.currentScheduling() == next.startScheduling)
      precondition(clinux_has_fallen_back(next.number) == 0 && clinux_has_fallen_back(late.number) == 0)
      next.stop.request()
      next.join()
    }
  }

  /// RealtimeKit's way: the kernel refuses at the start, and somebody gives the priority from outside.
  @Test(
    "a thread that was given its priority from outside and ran too long is told as that, until it is given again on purpose"
  )
  func cpuTimeOfGiven() async {
    await #expect(processExitsWith: .success) {
      try RealtimeThread.installCPUTimeFallback()
      let kernel = FakeKernel(.init(answer: -EPERM))
      let runsTooLong = Findings()
      let thread = try RealtimeThread(.init(calls: kernel.calls)) { stop in
        while !runsTooLong.flag.load(ordering: .acquiring) { usleep(1000) }
        raise(SIGXCPU)
        while !stop.isRequested { usleep(1000) }
      }
      guard case .ordinary(.notPermitted, _) = thread.currentScheduling() else { exit(1) }
      kernel.state.withLock { ($0.policy, $0.priority) = (Int32(CLINUX_SCHED_RR), 20) }
      precondition(thread.currentScheduling() == .realtime(priority: 20, policy: .roundRobin))
      runsTooLong.flag.store(true, ordering: .releasing)
      while clinux_has_fallen_back(thread.number) == 0 { usleep(1000) }
      kernel.state.withLock { ($0.policy, $0.priority) = (0, 0) }
      guard case .ordinary(.ranTooLong, _) = thread.currentScheduling() else { exit(2) }
      // Refused again: it stays so.
      _ = thread.renewScheduling()
      guard case .ordinary(.ranTooLong, _) = thread.currentScheduling() else { exit(3) }
      kernel.state.withLock { $0.answer = 0 }
      precondition(thread.renewScheduling() == .realtime(priority: 70))
      kernel.state.withLock { ($0.policy, $0.priority) = (0, 0) }
      guard case .ordinary(.notPermitted, _) = thread.currentScheduling() else { exit(4) }
      thread.stop.request()
      thread.join()
    }
  }

  /// 200 ms soft and 1.2 s hard, as in the units. The kernel raises the soft limit by a second with each SIGXCPU.
  @Test(
    "a second thread that computes too long falls back as the first did, and the process lives",
    .enabled(if: getsRealTime, "no real-time priority"))
  func secondThread() async {
    await #expect(processExitsWith: .success) {
      try RealtimeThread.installCPUTimeFallback()
      precondition(clinux_set_limit(Int32(CLINUX_RLIMIT_RTTIME), 200_000, 1_200_000) == 0)
      for _ in 0..<3 {
        let thread = try RealtimeThread { stop in while !stop.isRequested {} }
        precondition(thread.startScheduling.isRealtime)
        while clinux_has_fallen_back(thread.number) == 0 { usleep(1000) }
        while case .realtime = thread.currentScheduling() { usleep(1000) }
        thread.stop.request()
        thread.join()
      }
    }
  }

  @Test("a SIGXCPU that another thread gets takes every real-time thread back")
  func cpuTimeOfNobody() async {
    await #expect(processExitsWith: .success) {
      try RealtimeThread.installCPUTimeFallback()
      let threads = try (0..<2).map { _ in
        try RealtimeThread { stop in while !stop.isRequested { usleep(1000) } }
      }
      // A thread of a pool has it blocked.
      var awaited = sigset_t()
      sigemptyset(&awaited)
      sigaddset(&awaited, SIGXCPU)
      pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
      raise(SIGXCPU)
      for thread in threads {
        precondition(clinux_has_fallen_back(thread.number) != 0)
        if case .realtime = thread.currentScheduling() { preconditionFailure("still real-time") }
        thread.stop.request()
        thread.join()
      }
    }
  }

  @Test("a stack larger than the machine is an error that names the call")
  func noThread() {
    #expect(throws: SystemError.self) {
      _ = try RealtimeThread(.init(stackSize: 1 << 60, calls: .refusing)) { _ in }
    }
  }
}
