import Base
import CommonTesting
import Control
import Engine
import Glibc
import Synchronization
import Testing

@testable import Service

@Suite struct DaemonTests {
  private static let peer = Peer(processID: 1, userID: 0, groupID: 0)
  private let stage = Stage()
  private let text = Shared("")

  /// A daemon whose configuration is the text at the time of a reload, with its main thread's work done by
  /// the caller.
  private func daemon(
    _ options: DaemonOptions = DaemonOptions(), clock: DaemonClock = .system, diskPatience: Double = 60
  ) -> Daemon {
    Daemon(
      stage.aid(), options: options, configuration: .defaults,
      log: MessageLog(threshold: .error, environment: [:], descriptor: -1),
      desk: PrescriptionDesk(folder: "/nonexistent/book"), memoryLock: .onFault, wisdomPath: nil,
      clock: clock, diskPatience: diskPatience
    ) { [text] in
      do {
        return .success(try loaded(text.value))
      } catch let error as ConfigurationError {
        return .failure(ConfigurationFailures(failures: error.failures))
      } catch {
        return .failure(ConfigurationFailures(failures: []))
      }
    }
  }

  /// Without the fitting, which says what the settings say.
  private func reload(_ daemon: Daemon) -> Result<ReloadReport, Failure> {
    do throws(Failure) {
      var report = try daemon.reloadByRequest()
      report.fitting = nil
      return .success(report)
    } catch {
      return .failure(error)
    }
  }

  @Test("a configuration with mistakes changes nothing, and every mistake is told")
  func brokenReload() throws {
    let daemon = daemon()
    text.value = "[device]\nperiod = 8\nrate = 1\n[hearing]\nlink = 0.5"
    guard case .failure(let failure) = reload(daemon) else {
      Issue.record("the reload succeeded")
      return
    }
    #expect(failure.exitStatus == .configuration)
    #expect(failure.message.contains("auricle.toml:2: found device.period = 8 frames"))
    #expect(failure.message.contains("auricle.toml:3: found"))
    #expect(daemon.aid.currentSettings.hearing.dynamics.binauralLink == 0)
    #expect(daemon.snapshot().configuration == .defaults)
  }

  @Test("a configuration whose files are missing changes nothing")
  func missingFile() {
    let daemon = daemon()
    text.value = "[hearing]\naudiogram = \"gone.json\"\nlink = 0.5"
    guard case .failure(let failure) = reload(daemon) else {
      Issue.record("the reload succeeded")
      return
    }
    #expect(failure.exitStatus == .noInput)
    #expect(daemon.aid.currentSettings.hearing.dynamics.binauralLink == 0)
  }

  @Test("a good configuration is in force, and the answer says what it takes")
  func goodReload() {
    let daemon = daemon()
    text.value = "hearing.link = 0.5\ndevice.periods = 2\ncontrol.socket = \"/s\""
    let report = ReloadReport(
      applied: ["hearing.link"], reopened: ["device.periods"], restartNeeded: ["control.socket"])
    // The daemon is at rest, so that nothing has to be reopened and nothing is waited for in vain.
    #expect(reload(daemon) == .success(report))
    #expect(daemon.aid.currentSettings.hearing.dynamics.binauralLink == 0.5)
    #expect(daemon.aid.currentSettings.stream.periods == 2)
  }

  @Test("an audiogram that changed under the same name is told, once; the same one again is not")
  func changedAudiogram() throws {
    let folder = TemporaryFolder()
    func write(_ level: Int) throws {
      let ear = "{\"air\": {\"500\": 10, \"1000\": \(level), \"2000\": 40}}"
      folder.write(
        "{\"format\": \"auricle-audiogram\", \"version\": 1, \"name\": \"a\", \"left\": \(ear), \"right\": \(ear)}",
        to: "a.json")
    }
    let daemon = daemon()
    text.value = "hearing.audiogram = \"\(folder.file("a.json"))\""
    func applied() -> [String]? {
      guard case .success(let report) = reload(daemon) else { return nil }
      return report.applied
    }
    try write(20)
    #expect(applied() == ["hearing.audiogram"])
    #expect(applied() == [])
    try write(25)
    #expect(applied() == ["hearing.audiogram"])
    #expect(
      daemon.aid.currentSettings.hearing.audiograms?.left.threshold(at: 1000)?.decibels == 25)
    #expect(applied() == [])
  }

  @Test("a calibration's number is told by its key alone")
  func changedCalibration() {
    let daemon = daemon()
    text.value = "calibration.earphone.full-scale-level = 111"
    #expect(
      reload(daemon)
        == .success(
          ReloadReport(
            applied: ["calibration.earphone.full-scale-level"], reopened: [], restartNeeded: [])))
  }

  @Test("a call that the main thread never carries out is answered all the same")
  func patience() {
    let daemon = daemon()
    let state = daemon.start()
    // Nothing here carries it out: an answer is the proof that it is not waited for.
    #expect(state.name == .starting)
  }

  @Test(
    "while the disk does not answer, status, mute and volume are answered, and what needs it is refused undone"
  )
  func stalledDisk() throws {
    let daemon = daemon(diskPatience: 0.05)
    let isHeld = Shared(true)
    defer { isHeld.value = false }
    daemon.disk.submit { while isHeld.value { usleep(1000) } }
    #expect(eventually { daemon.disk.delay > 0 })
    text.value = "hearing.link = 0.5"
    let table = MethodTable(daemon)
    let refused: [any ControlMethod] = [
      SoundMethods.Reload(), PrescriptionMethods.List(), FeedbackMethods.Clear(),
    ]
    for method in refused {
      let failure = try #require(throws: ControlFailure.self) {
        try table.carryOut(method, from: Self.peer)
      }
      #expect(failure.failure?.exitStatus == .temporary)
      #expect(failure.message.contains("Nothing was changed"))
    }
    let answered: [any ControlMethod] = [
      ReportMethods.Status(), SoundMethods.Mute(), ProgramMethods.Volume(.by(-3)),
      ProgramMethods.Use("music"), SoundMethods.Stop(),
    ]
    for method in answered { _ = try table.carryOut(method, from: Self.peer) }
    #expect(daemon.currentState().isMuted)
    #expect(daemon.aid.currentSettings.hearing.program == .music)
    isHeld.value = false
    #expect(eventually { daemon.disk.isIdle })
    #expect(
      daemon.aid.currentSettings.hearing.dynamics.binauralLink == 0, "a refused reload is not done later")
  }

  @Test("a wall clock that is set back changes neither up-time nor how long a state has lasted")
  func clockSetBack() {
    let (wall, running) = (Shared(1_000_000.0), Shared(50.0))
    let daemon = daemon(clock: DaemonClock(wall: { wall.value }, running: { running.value }))
    running.value = 60
    #expect(daemon.note(StatusReport.State(.waitingForDevice, reason: "r", since: wall.value)).isNew)
    wall.value = 400_000
    running.value = 80
    #expect(!daemon.note(StatusReport.State(.waitingForDevice, reason: "r", since: wall.value)).isNew)
    let report = daemon.report()
    #expect(report.daemon.now == 400_000)
    #expect(report.daemon.started == 400_000 - 30)
    #expect(daemon.memory.withLock { $0.stateBegan } == 60)
    #expect(StatusText(report).text.contains("up 30 s"))
  }

  @Test("a daemon of somebody's own ends with the sound, a service stays")
  func endsWhenStopped() {
    let own = daemon(DaemonOptions(endsWhenStopped: true))
    _ = own.stop()
    #expect(own.memory.withLock { $0.isEnding })
    let service = daemon()
    _ = service.stop()
    #expect(!service.memory.withLock { $0.isEnding })
    _ = service.shutDown()
    #expect(service.memory.withLock { $0.isEnding })
  }

  @Test("a mute is remembered and told while no sound flows, until it is taken back")
  func rememberedMute() {
    let daemon = daemon()
    let (muted, stopped, unmuted) = (daemon.mute(), daemon.stop(), daemon.unmute())
    #expect(muted.name == .stopped && muted.isMuted)
    #expect(stopped.name == .stopped && stopped.isMuted)
    #expect(!unmuted.isMuted)
  }

  @Test("muting is told at once")
  func mute() {
    let daemon = daemon()
    daemon.pilot.requestSound()
    #expect(
      eventually {
        daemon.pilot.steer(); return daemon.currentState().name == .running
      })
    #expect(!daemon.currentState().isMuted)
    _ = daemon.mute()
    #expect(daemon.currentState().name == .muted)
    #expect(daemon.currentState().isMuted)
    _ = daemon.unmute()
    #expect(daemon.currentState().name == .running)
    daemon.pilot.requestSilence()
    #expect(
      eventually {
        daemon.pilot.steer(); return daemon.pilot.isAtRest
      })
  }
}

/// A value that tests and closures share.
final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}
