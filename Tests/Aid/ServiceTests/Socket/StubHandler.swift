import Base
import Control
import Synchronization

@testable import Service

/// Answers some methods in a known way, others as a daemon at rest does, and remembers their names.
final class StubHandler: Sendable {
  private let calls = Mutex<[String]>([])
  private let meterCount = Mutex(0)
  private let leavers = Mutex<[Peer]>([])
  let methods: MethodTable

  /// - Parameter methods: Those of the daemon by default.
  init(_ methods: MethodTable = .daemon) { self.methods = methods }

  var received: [String] { calls.withLock { $0 } }
  var metersAsked: Int { meterCount.withLock { $0 } }
  /// Whose connections have ended.
  var gone: [Peer] { leavers.withLock { $0 } }

  func answer(_ method: any ControlMethod, from peer: Peer) -> Answer {
    calls.withLock { $0.append(type(of: method).name) }
    switch method {
    case is SoundMethods.Mute:
      return .success(StateAnswer(state: StatusReport.State(.muted, reason: "asked", since: 1)))
    case is SoundMethods.Unmute:
      return .success(StateAnswer(state: StatusReport.State(.stopped, since: 2)))
    case is SoundMethods.Start:
      return .failure(
        Failure(
          "hw:CARD=Aid", found: "no such device", expected: "a sound card", remedy: "Plug it in.",
          exit: .temporary))
    case is SoundMethods.Reload:
      return .success(ReloadReport(applied: ["log.level"], reopened: [], restartNeeded: []))
    case is ReportMethods.Status: return .success(StatusReport.sample)
    case is ReportMethods.Devices: return .success(DevicesReport.sample)
    case is ReportMethods.Version:
      return .success(VersionReport(version: "1.2.3", commit: nil, swift: "6.3"))
    default:
      var state = ServiceState(ServiceState.Facts(started: .at(0)))
      for case .answer(_, let answer) in state.handle(
        .control(.request(1, method, from: peer)), at: .at(0))
      {
        return answer
      }
      return .failure(Failure("test", found: "no answer at once", exit: .software))
    }
  }

  func hasGone(_ peer: Peer) { leavers.withLock { $0.append(peer) } }

  func meters() -> MetersReport {
    meterCount.withLock { $0 += 1 }
    return .silent
  }
}
