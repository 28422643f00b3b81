import Base
import CommonTesting
import Control
import Engine
import Glibc
import Synchronization
import Testing

@testable import Service

/// The whole loop: a socket, an audio thread that a script plays, files, and the disk's thread.
@Suite struct SupervisorTests {
  private let folder = TemporaryFolder()
  private let stage = Stage()

  /// Lets a daemon live on a thread of its own while `body` asks it, and ends it.
  ///
  /// - Returns: How it ended.
  private func live(_ body: (ControlClient) throws -> Void) throws -> Base.ExitStatus {
    let path = folder.file("control.sock")
    let (folder, stage) = (folder.path, stage)
    let end = Shared<Base.ExitStatus?>(nil)
    let isUp = Shared(false)
    let thread = Thread {
      end.value = Self.run(stage, path, folder) { isUp.value = true }
    }
    try #require(eventually { isUp.value })
    defer { thread.join() }
    let client = try ControlClient(path: path)
    try body(client)
    _ = try client.ask(SoundMethods.Shutdown())
    try #require(eventually { end.value != nil })
    return try #require(end.value)
  }

  private static func run(
    _ stage: Stage, _ path: String, _ folder: String, _ isUp: () -> Void
  ) -> Base.ExitStatus {
    do throws(Failure) {
      let inbox = try SignalInbox()
      let disk = ServiceDisk(folder: folder + "/state", store: PrescriptionStore(folder: folder + "/book"))
      {
        .success(.defaults)
      }
      let server = try ControlServer(path: path, rule: .person, methods: .daemon)
      let log = MessageLog(threshold: .error, environment: [:], descriptor: -1)
      let supervisor = Supervisor(
        ServiceState(ServiceState.Facts(started: .now)),
        Supervisor.Parts(
          aid: stage.aid(), server: server, disk: try SerialWorker("disk") { (job: DiskJob) in job(disk) },
          log: try LogWriter(log)))
      isUp()
      return supervisor.run(inbox).status
    } catch {
      return error.exitStatus
    }
  }

  @Test("sound flows, requests are answered, what is turned lasts, and the socket is gone at the end")
  func lives() throws {
    let end = try live { (client) throws in
      #expect(try client.ask(SoundMethods.Start()).state.name == .running)
      #expect(try client.ask(SoundMethods.Mute()).state.name == .muted)
      #expect(try client.ask(SoundMethods.Unmute()).state.name == .running)
      #expect(try client.ask(ProgramMethods.Use("music")).program.inForce == "music")
      #expect(try client.ask(PrescriptionMethods.List()).prescriptions.isEmpty)
      #expect(try client.ask(SoundMethods.Reload()).applied == [])
      #expect(try client.ask(SoundMethods.Stop()).state.name == .stopped)
      #expect(try client.ask(ReportMethods.Status()).state.name == .stopped)
    }
    #expect(end == .done && !folder.names.contains { $0.hasPrefix("control.sock") })
    #expect(ProgramFile(path: folder.file("state/programs.json")).read().memory.choice == .program(.music))
  }

  @Test("a device that hangs delays no answer to another request")
  func hangs() throws {
    let end = try live { (client) throws in
      _ = try client.ask(SoundMethods.Start())
      stage.hold(true)
      #expect(try client.ask(SoundMethods.Stop()).state.name == .stopped)
      #expect(try client.ask(SoundMethods.Start()).state.name == .starting)
      #expect(try client.ask(ProgramMethods.Use("quiet")).program.inForce == "quiet")
      stage.hold(false)
      #expect(try client.ask(SoundMethods.Start()).state.name == .running)
    }
    #expect(end == .done)
  }
}

/// A thread that is joined.
private final class Thread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()

  init(_ run: @escaping @Sendable () -> Void) {
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(Body(run)).toOpaque())
  }

  func join() { pthread_join(thread, nil) }
}
