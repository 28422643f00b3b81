import Base
import CommonTesting
import Control
import Engine
import EngineTesting
import Glibc
import Synchronization
import Testing

@testable import Service

/// The whole loop: a socket, an audio thread that a script plays, files, and the disk's thread.
@Suite struct SupervisorTests {
  private let folder = TemporaryFolder()
  private let stage = Stage()
  private let aid: HearingAid

  init() { aid = stage.aid() }

  /// Lets a daemon live on a thread of its own while `body` asks it, and ends it.
  ///
  /// - Parameters:
  ///   - kept: Socket beside which a mute and a stop are kept; nil: its own.
  ///   - measurement: Of feedback; nil: the aid's.
  /// - Returns: Status of its end.
  private func live(
    keepingBeside kept: String? = nil, measuring measurement: FeedbackWorker.Measurement? = nil,
    _ body: (ControlClient) throws -> Void
  ) throws -> Base.ExitStatus {
    let path = folder.file("control.sock")
    let (folder, aid, kept) = (folder.path, aid, kept ?? path)
    let end = Shared<Base.ExitStatus?>(nil)
    let isUp = Shared(false)
    let thread = Thread {
      end.value = Self.run(aid, measurement, path, folder, keptBeside: kept) { isUp.value = true }
    }
    try #require(eventually { isUp.value })
    defer { thread.join() }
    let client = try self.client()
    try body(client)
    _ = try client.ask(SoundMethods.Shutdown())
    try #require(eventually { end.value != nil })
    return try #require(end.value)
  }

  private static func run(
    _ aid: HearingAid, _ measurement: FeedbackWorker.Measurement?, _ path: String, _ folder: String,
    keptBeside kept: String, _ isUp: () -> Void
  ) -> Base.ExitStatus {
    do throws(Failure) {
      let inbox = try SignalInbox()
      let silences = [
        KeptSilence(.mute, besideSocket: kept), KeptSilence(.stop, besideSocket: kept),
      ]
      let disk = ServiceDisk(
        folder: folder + "/state", store: PrescriptionStore(folder: folder + "/book"),
        keptSilences: silences
      ) { .success(.defaults) }
      let server = try ControlServer(path: path, rule: .person, methods: .daemon)
      let feedback =
        if let measurement { try FeedbackWorker(measurement) } else { try FeedbackWorker(aid) }
      // Stays open: the log's thread may outlast the daemon.
      let file = open(folder + "/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      let log = MessageLog(threshold: .warning, environment: [:], descriptor: file)
      let supervisor = Supervisor(
        ServiceState(ServiceState.Facts(started: .now)),
        Supervisor.Parts(
          aid: aid, server: server, disk: try SerialWorker("disk") { (job: DiskJob) in job(disk) },
          feedback: feedback, procedures: try ProcedureWorker(aid, folder: nil),
          log: try LogWriter(log), keptMute: silences[0], keptStop: silences[1]))
      isUp()
      return supervisor.run(inbox).status
    } catch {
      return error.exitStatus
    }
  }

  @Test("sound flows, requests are answered, what is turned lasts, and the socket is gone at the end")
  func lives() throws {
    let end = try live { (client) throws in
      _ = try client.ask(SoundMethods.Start())
      #expect(becomes(.running, client))
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
      #expect(becomes(.running, client))
      stage.hold(true)
      #expect(try client.ask(SoundMethods.Stop()).state.name == .stopped)
      #expect(try client.ask(SoundMethods.Start()).state.name == .starting)
      #expect(try client.ask(ProgramMethods.Use("quiet")).program.inForce == "quiet")
      stage.hold(false)
      _ = try client.ask(SoundMethods.Start())
      #expect(becomes(.running, client))
    }
    #expect(end == .done)
  }
}

extension SupervisorTests {
  private var log: String { String(decoding: folder.bytes(of: "log"), as: UTF8.self) }

  @Test("a mute and a stop that cannot be kept are said in the log, with what a crash would do")
  func unkept() throws {
    for name in ["muted", "stopped"] { mkdir(folder.file("control.sock." + name), 0o700) }
    let end = try live { (client) throws in
      _ = try client.ask(SoundMethods.Start())
      #expect(becomes(.running, client))
      _ = try client.ask(SoundMethods.Mute())
      _ = try client.ask(SoundMethods.Stop())
      _ = try client.ask(SoundMethods.Unmute())
    }
    #expect(end == .done)
    for (words, name) in [
      ("a crash would end the mute", "muted"), ("after a crash the sound would begin again", "stopped"),
    ] {
      let file = folder.file("control.sock." + name)
      #expect(log.contains("warning: \(words): \(file): it cannot be made: is a directory.\n"), "\(log)")
    }
    // A folder there is nobody's mute.
    #expect(!log.contains("the next start"), "\(log)")
  }

  @Test(
    "a mute and a stop that are over and stay kept are said in the log, with what the next start would do",
    .enabled(if: SmallDisk.isPossible, "mounting is for root"))
  func unforgotten() throws {
    let disk = try #require(SmallDisk(size: "64k"))
    let socket = disk.path + "/control.sock"
    let end = try live(keepingBeside: socket) { (client) throws in
      _ = try client.ask(SoundMethods.Start())
      #expect(becomes(.running, client))
      _ = try client.ask(SoundMethods.Mute())
      _ = try client.ask(SoundMethods.Stop())
      #expect(disk.names == ["control.sock.muted", "control.sock.stopped"])
      #expect(disk.makeReadOnly())
      _ = try client.ask(SoundMethods.Unmute())
      _ = try client.ask(SoundMethods.Start())
    }
    #expect(end == .done)
    for (words, name) in [("be muted", "muted"), ("make no sound", "stopped")] {
      let line =
        "warning: the next start would \(words): \(socket).\(name): it cannot be removed: read-only file system. "
        + "Remove it before the next start.\n"
      #expect(log.contains(line), "\(log)")
    }
  }

  private static let record = FeedbackRecord(left: FeedbackMethodTests.ear())

  private func client() throws -> ControlClient {
    try ControlClient(path: folder.file("control.sock"), timeout: 600)
  }

  /// True once the state has this name: a start is answered after 0.3 s at the latest, whatever the state.
  private func becomes(_ name: StatusReport.State.Name, _ client: ControlClient) -> Bool {
    eventually { (try? client.ask(ReportMethods.Status()).state.name) == name }
  }

  /// News until the last.
  private func news(_ client: ControlClient) throws -> [FeedbackNotice] {
    var all: [FeedbackNotice] = []
    while all.last?.isLast != true {
      let news = try #require(try client.nextNotification(timeout: 60))
      #expect(news.topic == "feedback")
      all.append(try JSON.value(FeedbackNotice.self, from: news.content))
    }
    return all
  }

  @Test("a feedback test is begun, followed and kept, while others are answered")
  func measures() throws {
    let mayEnd = Shared(false)
    let end = try live { (_, ears, tell, _) throws(FeedbackFault) in
      tell(FeedbackNotice(share: 0.5))
      tell(FeedbackNotice(onceMore: "noise"))
      while !mayEnd.value { usleep(1000) }
      tell(FeedbackNotice(share: 1))
      return ears == [.left] ? Self.record : FeedbackRecord()
    } _: { (client) throws in
      _ = try client.ask(SoundMethods.Start())
      let caller = try self.client()
      #expect(try caller.ask(FeedbackMethods.Measure([.left])).state.name == .waitingForDevice)
      #expect(eventually { (try? client.ask(ReportMethods.Status()).procedure?.share) == 0.5 })
      _ = try client.ask(ProgramMethods.Use("music"))
      mayEnd.value = true
      let news = try news(caller)
      #expect(news.compactMap(\.share) == [0, 0.5, 1])
      #expect(news.compactMap(\.onceMore) == ["noise"])
      #expect(news.last?.answer?.feedback.left.path?.capture == "hw:1")
      #expect(try client.ask(ReportMethods.Status()).procedure == nil)
      #expect(becomes(.running, client))
    }
    #expect(end == .done && FeedbackFile(folder: folder.file("state")).read().record == Self.record)
  }

  @Test("whatever ends a feedback test, the measurement is told to end, and the status says why")
  func endsTests() throws {
    let measuring = Shared(0)
    let end = try live { (_, _, _, isCancelled) throws(FeedbackFault) in
      measuring.value += 1
      while !isCancelled() { usleep(1000) }
      measuring.value -= 1
      // As one that was complete in the same moment.
      return Self.record
    } _: { (client) throws in
      func test(_ end: (ControlClient) throws -> Void) throws -> [FeedbackNotice] {
        _ = try client.ask(SoundMethods.Start())
        let caller = try self.client()
        _ = try caller.ask(FeedbackMethods.Measure())
        #expect(eventually { measuring.value == 1 })
        try end(caller)
        #expect(eventually { measuring.value == 0 })
        return try news(caller)
      }
      func reason() throws -> String? { try client.ask(ReportMethods.Status()).procedure?.reason }
      #expect(try test { _ = try $0.ask(FeedbackMethods.Stop()) }.last?.error?.exitStatus == .interrupted)
      #expect(try reason() == nil)
      #expect(
        try test { _ in _ = try client.ask(SoundMethods.Mute()) }.last?.error?.exitStatus == .temporary)
      #expect(try reason() == "the aid was muted meanwhile")
      _ = try client.ask(SoundMethods.Unmute())
      _ = try test { _ in _ = try client.ask(SoundMethods.Stop()) }
      #expect(try reason() == "the aid was stopped meanwhile")
      _ = try client.ask(SoundMethods.Start())
      var gone: ControlClient? = try self.client()
      _ = try gone?.ask(FeedbackMethods.Measure())
      #expect(eventually { measuring.value == 1 })
      gone = nil
      #expect(eventually { measuring.value == 0 })
      #expect(eventually { (try? reason()) == "it was ended from outside" })
      #expect(becomes(.running, client))
    }
    #expect(end == .done && FeedbackFile(folder: folder.file("state")).read().record.isEmpty)
  }

  @Test("on the engine the procedure ends with its caller, and with the daemon")
  func endsProcedures() throws {
    let aid = aid
    let end = try live { (client) throws in
      _ = try client.ask(SoundMethods.Start())
      var caller: ControlClient? = try self.client()
      _ = try caller?.ask(FeedbackMethods.Measure())
      #expect(eventually { aid.isInProcedure })
      caller = nil
      #expect(eventually { !aid.isInProcedure })
      _ = try client.ask(SoundMethods.Stop())
      let other = try self.client()
      _ = try other.ask(FeedbackMethods.Measure())
      #expect(eventually { aid.isInProcedure })
    }
    #expect(end == .done)
    #expect(eventually { !aid.isInProcedure })
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
