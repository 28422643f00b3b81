import Base
import Control
import Synchronization

@testable import Service

/// Answers some methods in a known way and remembers their names.
final class StubHandler: ControlHandler {
  private let calls = Mutex<[String]>([])
  private let meterCount = Mutex(0)

  var received: [String] { calls.withLock { $0 } }
  var metersAsked: Int { meterCount.withLock { $0 } }

  var methods: MethodTable {
    var table = MethodTable()
    stub(SoundMethods.Mute.self, in: &table) { () throws(Failure) in
      StateAnswer(state: StatusReport.State(.muted, reason: "asked", since: 1))
    }
    stub(SoundMethods.Unmute.self, in: &table) { () throws(Failure) in
      StateAnswer(state: StatusReport.State(.stopped, since: 2))
    }
    stub(SoundMethods.Start.self, in: &table) { () throws(Failure) in
      throw Failure(
        "hw:CARD=Aid", found: "no such device", expected: "a sound card", remedy: "Plug it in.",
        exit: .temporary)
    }
    stub(SoundMethods.Reload.self, in: &table) { () throws(Failure) in
      ReloadReport(applied: ["log.level"], reopened: [], restartNeeded: [])
    }
    stub(ReportMethods.Status.self, in: &table) { () throws(Failure) in .sample }
    stub(ReportMethods.Devices.self, in: &table) { () throws(Failure) in .sample }
    stub(ReportMethods.Version.self, in: &table) { () throws(Failure) in
      VersionReport(version: "1.2.3", commit: nil, swift: "6.3")
    }
    table.registerSubscriptions()
    return table
  }

  private func stub<Method: ControlMethod>(
    _ type: Method.Type, in table: inout MethodTable,
    _ answer: @escaping @Sendable () throws(Failure) -> Method.Reply
  ) {
    table.register(type) { (_, _) throws(Failure) in
      self.calls.withLock { $0.append(Method.name) }
      return try answer()
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
