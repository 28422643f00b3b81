import Base
import CommonTesting
import Glibc
import Synchronization
import Testing

@testable import Control

@Suite("Proof of a role, the client's side") struct RoleProofTests {
  private static let challenge = String(repeating: "0f", count: 32)

  /// A program in auricle-auth's place: sends lines, each when it has read one of the client's.
  private final class FakeProgram: @unchecked Sendable {
    private let folder = TemporaryFolder()
    private let lines: [String]
    private let isHanging: Bool
    /// Sent without an answer once the person is asked; then the connection ends.
    private let last: String?
    private let isPersonAsked = Atomic(false)
    private let hasLeft = Atomic(false)
    private var thread = pthread_t()
    private let listening: Int32
    private(set) var read: [UInt8] = []
    var path: String { folder.file("auth.sock") }

    /// - Parameter isHanging: True: the connection stays open after the last line, until the client leaves.
    init(_ lines: [String], isHanging: Bool = false, last: String? = nil) throws {
      (self.lines, self.isHanging, self.last) = (lines, isHanging, last)
      listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let address = try #require(UnixAddress(folder.file("auth.sock")))
      try #require(address.withPointer { bind(listening, $0, $1) } == 0 && listen(listening, 1) == 0)
      pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<FakeProgram>.fromOpaque(context).takeUnretainedValue().serve() }
          return nil
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Stays, as a person who takes their time, until the program has left and `time`, s, is over.
    func letLeave(for time: Double) {
      guard last != nil else { return }
      isPersonAsked.store(true, ordering: .releasing)
      let end = SystemTime.monotonic + time
      while !hasLeft.load(ordering: .acquiring) || SystemTime.monotonic < end { usleep(1000) }
    }

    func end() {
      isPersonAsked.store(true, ordering: .releasing)
      pthread_join(thread, nil)
      close(listening)
    }

    private func serve() {
      let client = accept(listening, nil, nil)
      for line in lines {
        readLine(client)
        send(line, client)
      }
      if let last {
        while !isPersonAsked.load(ordering: .acquiring) { usleep(1000) }
        send(last, client)
      }
      if isHanging { readLine(client) }
      close(client)
      hasLeft.store(true, ordering: .releasing)
    }

    private func send(_ text: String, _ client: Int32) {
      _ = text.withCString { Glibc.send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    private func readLine(_ client: Int32) {
      var byte: UInt8 = 0
      while Glibc.read(client, &byte, 1) == 1 {
        read.append(byte)
        if byte == .newline { return }
      }
    }
  }

  private final class Person {
    var shown: [String] = []
  }

  /// Result of a proof, what the person saw and what the program read.
  private func prove(
    _ lines: [String], isHanging: Bool = false, timeout: Double = 30, last: String? = nil,
    answer: Result<String, Failure> = .success("four words")
  ) throws -> (result: Result<Double, Failure>, shown: [String], read: String) {
    let program = try FakeProgram(lines, isHanging: isHanging, last: last)
    let person = Person()
    let proof = RoleProof(.init(socket: program.path, daemon: .user), timeout: timeout)
    let result: Result<Double, Failure>
    do throws(Failure) {
      result = .success(
        try proof.prove(
          challenge: Self.challenge, role: "audiologist",
          ask: { prompt, isShown throws(Failure) in
            person.shown.append(isShown ? "\(prompt)(shown)" : prompt)
            program.letLeave(for: timeout)
            return try answer.get()
          }, tell: { text, isError in person.shown.append(isError ? "\(text)!" : text) }))
    } catch {
      result = .failure(error)
    }
    program.end()
    return (result, person.shown, String(decoding: program.read, as: UTF8.self))
  }

  private func failure(_ lines: [String], isHanging: Bool = false, timeout: Double = 30) throws -> Failure?
  {
    if case .failure(let failure) = try prove(lines, isHanging: isHanging, timeout: timeout).result {
      return failure
    }
    return nil
  }

  @Test("prompts are answered, messages shown, and the end of the role returned")
  func proved() throws {
    let (result, shown, read) = try prove([
      "{\"message\":\"Place your \\u001b[2Jfinger\"}\n{\"error_message\":\"Again\"}\n"
        + "{\"prompt\":\"Password: \",\"echo\":false}\n",
      "{\"prompt\":\"Name: \",\"echo\":true}\n",
      "{\"result\":\"proved\",\"until_unix_seconds\":2000000600}\n",
    ])
    #expect(result == .success(2_000_000_600))
    // A terminal is not steered by a module.
    #expect(shown == ["Place your ?[2Jfinger", "Again!", "Password: ", "Name: (shown)"])
    #expect(
      read == """
        {"challenge":"\(Self.challenge)","role":"audiologist","daemon":"user"}
        {"text":"four words"}
        {"text":"four words"}

        """)
  }

  @Test("a refusal is told with its remedy")
  func refused() throws {
    let failure = try failure([
      #"{"result":"refused","reason":"PAM did not accept the proof.","remedy":"Try again."}"# + "\n"
    ])
    #expect(failure?.message == "role audiologist: PAM did not accept the proof. Try again.")
    #expect(failure?.exitStatus == .noPermission)
  }

  @Test("a password that comes after the time is over is told why it was refused meanwhile")
  func late() throws {
    let refusal = #"{"result":"refused","reason":"PAM did not come to an end within 60 s."}"# + "\n"
    // Longer where a busy machine does not ask in time.
    for timeout in [0.2, 2, 20, 200] {
      let (result, shown, _) = try prove(
        ["{\"prompt\":\"Password: \",\"echo\":false}\n"], timeout: timeout, last: refusal)
      guard !shown.isEmpty else { continue }
      guard case .failure(let failure) = result else {
        Issue.record("expected a refusal")
        return
      }
      #expect(failure.exitStatus == .noPermission)
      #expect(failure.message == "role audiologist: PAM did not come to an end within 60 s.")
      return
    }
    Issue.record("nobody was asked")
  }

  @Test("a program that hangs, hangs up or says something else is told apart")
  func broken() throws {
    #expect(try failure([""], isHanging: true, timeout: 0.1)?.exitStatus == .temporary)
    #expect(try failure([""])?.exitStatus == .unavailable)
    for line in ["hello\n", "{}\n", "{\"result\":\"proved\"}\n", "{\"result\":\"refused\"}\n"] {
      #expect(try failure([line])?.exitStatus == .protocolMismatch)
    }
  }

  @Test("an error of the person's side ends the proof")
  func interrupted() throws {
    let failure = Failure("password", inWords: "None was typed", exit: .usage)
    let result = try prove(["{\"prompt\":\"Password: \",\"echo\":false}\n"], answer: .failure(failure))
      .result
    #expect(result == .failure(failure))
  }

  @Test(
    "a socket that is not active is told with the command that starts it",
    arguments: [
      ("/run/user/1000/auricle-auth.sock", "systemctl --user enable --now auricle-auth.socket"),
      ("/nowhere/auth.sock", "systemctl enable --now auricle-auth.socket"),
    ])
  func inactive(socket: String, command: String) {
    let proof = RoleProof(.init(socket: socket, daemon: .user))
    #expect(
      throws: Failure(
        "auricle-auth", found: "that auricle-auth.socket is not active (\(socket))",
        remedy: "Start it: \(command)", exit: .unavailable)
    ) {
      try proof.prove(challenge: Self.challenge, role: "developer", ask: { _, _ in "" }, tell: { _, _ in })
    }
  }

  @Test(
    "the system's daemon is proved to by the system's program, a person's by the session's where there is one"
  )
  func places() {
    let paths = StandardPaths(environment: ["XDG_RUNTIME_DIR": "/run/user/7"], userID: 7)
    let (system, own) = ("/run/auricle/control.sock", "/run/user/7/auricle/control.sock")
    func place(_ control: String, _ paths: StandardPaths, session: Bool) -> [String] {
      let place = paths.proofPlace(ofDaemonAt: control) { _ in session }
      return [place.socket, place.daemon.rawValue]
    }
    #expect(place(system, paths, session: true) == ["/run/auricle-auth/auth.sock", "system"])
    #expect(place(own, paths, session: true) == ["/run/user/7/auricle-auth.sock", "user"])
    #expect(place(own, paths, session: false) == ["/run/auricle-auth/auth.sock", "user"])
    let named = StandardPaths(environment: ["AURICLE_AUTH_SOCKET": "/t/a.sock"], userID: 7)
    #expect(place(own, named, session: true) == ["/t/a.sock", "user"])
  }

  @Test("which daemon gets a proof follows from who asks whom, never from a path of the client")
  func daemons() {
    let root = StandardPaths(environment: ["RUNTIME_DIRECTORY": "/nowhere/run"], userID: 0)
    #expect(root.provenDaemon(nil, of: 1000) == "/run/auricle/control.sock")
    #expect(root.provenDaemon(.system, of: 1000) == "/run/auricle/control.sock")
    #expect(root.provenDaemon(.user, of: 1000) == "/run/user/1000/auricle/control.sock")
    let person = StandardPaths(environment: ["XDG_RUNTIME_DIR": "/run/user/7"], userID: 7)
    #expect(person.provenDaemon(nil, of: 7) == "/run/user/7/auricle/control.sock")
    #expect(person.provenDaemon(.system, of: 7) == "/run/user/7/auricle/control.sock")
  }

  @Test("each message of the program is read back as it was written")
  func messages() {
    for message in [
      .prompt("\"Passwort\": ", echo: false), .prompt("Name: ", echo: true), .message("Finger"),
      .errorMessage("é\n"),
      .proved(until: 2_000_000_600), .refused(reason: "No.", remedy: nil),
      .refused(reason: "No.", remedy: "Yes."),
    ] as [ProofMessage] { #expect(ProofMessage(line: message.line) == message) }
  }
}
