import Control
import Glibc
import Realtime
import Synchronization

@testable import Engine

/// Plays the audio thread: moves through phases as the test says, and holds on where a device would.
final class Stage: Sendable {
  /// What the thread does next.
  struct Script: Sendable {
    var phase = LoopState.Phase.sounding
    var reason = ""
    /// The thread is inside a call that cannot be interrupted.
    var isHeld = false
  }

  let script = Mutex(Script())
  /// Threads begun.
  let begun = Atomic<Int>(0)

  /// An aid whose thread follows the script.
  func aid(_ hearing: HearingSettings = HearingSettings()) -> HearingAid {
    let settings = AidSettings(hearing: hearing, captureName: "c", playbackName: "p")
    return HearingAid(settings: settings) { [self] loop, stop, _ in
      begun.add(1, ordering: .relaxed)
      while !stop.isRequested || script.withLock({ $0.isHeld }) {
        let now = script.withLock { $0 }
        if !now.isHeld, loop.phase.load(ordering: .relaxed) != now.phase {
          loop.enter(now.phase, because: now.reason)
        }
        // Many of these threads live to the end of the tests, with real-time priority.
        usleep(5000)
      }
      loop.enter(.idle)
    }
  }

  func enter(_ phase: LoopState.Phase, _ reason: String = "") {
    script.withLock {
      $0.phase = phase
      $0.reason = reason
    }
  }

  func hold(_ isHeld: Bool) { script.withLock { $0.isHeld = isHeld } }
}
