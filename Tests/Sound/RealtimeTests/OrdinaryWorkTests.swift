import CLinux
import Glibc
import Testing

@testable import Realtime

@Suite("Work of ordinary priority for a real-time thread") struct OrdinaryWorkTests {
  struct Trouble: Error, Equatable { var number: Int }

  /// What only one owner has.
  struct Owned: ~Copyable {
    var number: Int
  }

  @Test("what is made reaches the caller, made by a thread of its own that has ended by then")
  func made() {
    let caller = clinux_gettid()
    let owned = OrdinaryWork.make { Owned(number: Int(clinux_gettid())) }
    #expect(owned.number != Int(caller))
    // pthread_join returns a moment before the kernel takes the thread out of /proc.
    let task = "/proc/self/task/\(owned.number)"
    var waits = 0
    while access(task, F_OK) == 0, waits < 120_000 {
      usleep(1000)
      waits += 1
    }
    #expect(access(task, F_OK) != 0)
  }

  @Test("an error reaches the caller") func fails() {
    #expect(throws: Trouble(number: 3)) {
      try OrdinaryWork.make { () throws(Trouble) -> Int in throw Trouble(number: 3) }
    }
  }

  @Test("work that is to give way has a greater nice value, and the caller keeps its own")
  func niceness() {
    var nice: Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }
    let own = nice
    let helper = OrdinaryWork.make(niceness: 5) { nice }
    // 19 is the greatest there is.
    #expect(helper == min(19, own + 5))
    #expect(nice == own)
    #expect(OrdinaryWork.make { nice } == own)
  }

  @Test("a real-time thread's work has ordinary priority, and the thread keeps its own")
  func priority() async {
    await #expect(processExitsWith: .success) {
      let thread = try RealtimeThread { stop in
        var policy: Int32 = -1
        var priority: Int32 = -1
        OrdinaryWork.make { _ = clinux_get_scheduling(0, &policy, &priority) }
        precondition(policy & ~Int32(CLINUX_SCHED_RESET_ON_FORK) == CLINUX_SCHED_OTHER)
        while !stop.isRequested { usleep(1000) }
      }
      precondition(thread.currentScheduling() == thread.startScheduling)
      thread.stop.request()
      thread.join()
    }
  }

  /// 200 ms soft, as in the units; the work computes for three times as long.
  @Test(
    "work longer than RLIMIT_RTTIME does not take the real-time priority away",
    .enabled(if: getsRealTime, "no real-time priority"))
  func longWork() async {
    await #expect(processExitsWith: .success) {
      try RealtimeThread.installCPUTimeFallback()
      precondition(clinux_set_limit(Int32(CLINUX_RLIMIT_RTTIME), 200_000, 1_200_000) == 0)
      let thread = try RealtimeThread { _ in
        OrdinaryWork.make {
          while clock() < 6 * CLOCKS_PER_SEC / 10 {}
        }
        precondition(clinux_has_fallen_back(clinux_gettid()) == 0)
      }
      thread.join()
    }
  }
}
