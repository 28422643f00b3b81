import Base
import Synchronization

@testable import Control

/// Answers every call in a known way and remembers it.
final class StubHandler: ControlHandler {
  private let calls = Mutex<[ControlCall]>([])
  private let meterCount = Mutex(0)

  var received: [ControlCall] { calls.withLock { $0 } }
  var metersAsked: Int { meterCount.withLock { $0 } }

  func handle(_ call: ControlCall, from peer: Peer) -> Result<ControlReply, ControlFailure> {
    calls.withLock { $0.append(call) }
    switch call {
    case .mute: return .success(.state(StatusReport.State(.muted, reason: "asked", since: 1)))
    case .start:
      return .failure(
        ControlFailure(
          Failure(
            "hw:CARD=Aid", found: "no such device", expected: "a sound card", remedy: "Plug it in.",
            exit: .temporary)))
    case .status: return .success(.status(.sample))
    case .devices: return .success(.devices(.sample))
    case .version: return .success(.version(VersionReport(version: "1.2.3", commit: nil, swift: "6.3")))
    case .reload:
      return .success(.reload(ReloadReport(applied: ["log.level"], reopened: [], restartNeeded: [])))
    default: return .success(.state(StatusReport.State(.stopped, since: 2)))
    }
  }

  private let leavers = Mutex<[Peer]>([])
  /// Whose connections have ended.
  var gone: [Peer] { leavers.withLock { $0 } }

  func hasGone(_ peer: Peer) { leavers.withLock { $0.append(peer) } }

  func meters() -> MetersReport {
    meterCount.withLock { $0 += 1 }
    return .silent
  }
}
