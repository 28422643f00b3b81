import AuricleClient
import Base
import CLinux
import Glibc
import Testing

@testable import ProofOfRole

@Suite("Proof of one client") struct ProofSessionTests {
  private static let challenge = String(repeating: "0f", count: 32)
  private static let request = "{\"challenge\":\"\(challenge)\",\"role\":\"audiologist\"}\n"
  private static let ada = ProofPeer(userID: 1000, name: "ada")

  private let client = Client()

  /// Everything that a session did.
  private struct Conduct {
    var log: LogLine?
    var answers: [ProofMessage?] = []
    var reports: [ProofReport] = []
    var conversations = 0
  }

  /// - Parameters:
  ///   - told: By the conversation's process; nil: nothing, and it goes on.
  ///   - absence: Failure to reach the daemon; nil: it is there.
  ///   - answer: Of the daemon to a proof.
  private func conduct(
    _ line: String = request, ownUser: UInt32 = 0, limit: Double = 30,
    groups: Set<String> = ["auricle-audiologist"], told: String?, absence: Failure? = nil,
    answer: Result<Double, Failure> = .success(2_000_000_600)
  ) -> Conduct {
    var conduct = Conduct()
    var (reading, writing) = (Int32(), Int32())
    clinux_pipe(&reading, &writing)
    if let told {
      _ = told.withCString { write(writing, $0, strlen($0)) }
      close(writing)
    }
    client.send(line)
    let session = ProofSession(
      connection: client.connection, peer: Self.ada, ownUserID: ownUser, limit: limit,
      isMember: groups.contains, reach: { _ throws(Failure) in if let absence { throw absence } },
      converse: { _ throws(Failure) in
        conduct.conversations += 1
        return Conversation(pipe: reading, process: nil)
      },
      report: { report throws(Failure) in
        conduct.reports.append(report)
        return try answer.get()
      })
    conduct.log = session.run()
    conduct.answers = client.messages
    if told == nil { close(writing) }
    return conduct
  }

  private var asked: ProofRequest { ProofRequest(challenge: Self.challenge, role: "audiologist") }

  private func reason(_ conduct: Conduct) -> String? {
    guard conduct.answers.count == 1, case .refused(let reason, _) = conduct.answers[0] else { return nil }
    return reason
  }

  @Test("what PAM proves is told to the daemon, and the client until when the role is given")
  func proved() {
    let conduct = conduct(told: "{}\n")
    #expect(conduct.reports == [ProofReport(asked, Self.ada, denied: nil)])
    #expect(conduct.answers == [.proved(until: 2_000_000_600)])
    #expect(conduct.log == LogLine(.notice, "proved user 1000 (ada) as audiologist by PAM"))
  }

  @Test("what PAM refuses is told to client, daemon and log, and proves nothing")
  func refused() {
    let conduct = conduct(told: #"{"reason":"PAM did not accept the proof","remedy":"Try again."}"# + "\n")
    #expect(conduct.reports == [ProofReport(asked, Self.ada, denied: "PAM did not accept the proof")])
    #expect(conduct.answers == [.refused(reason: "PAM did not accept the proof.", remedy: "Try again.")])
    #expect(conduct.log?.message == "refused user 1000 (ada) as audiologist: PAM did not accept the proof.")
  }

  @Test("who is in the role's group no longer is asked for no password, and proves nothing")
  func formerMember() {
    let conduct = conduct(groups: ["auricle-developer"], told: "{}\n")
    #expect(conduct.conversations == 0)
    #expect(
      conduct.reports == [
        ProofReport(asked, Self.ada, denied: "User ada is not in group auricle-audiologist")
      ])
    #expect(
      conduct.answers == [
        .refused(
          reason: "User ada is not in group auricle-audiologist.",
          remedy: "Let the operator add the user to the group and log in again.")
      ])
  }

  @Test("a member is who the accounts' database says, or root")
  func members() throws {
    let root = ProofPeer(userID: 0, name: "root")
    // The account that no file belongs to (Debian policy 9.2.2).
    let (nobody, groups) = (ProofPeer(userID: 65534, name: "nobody"), try GroupFile())
    let own = try #require(groups.name(of: 65534))
    #expect(
      nobody.isMember(of: own),
      "\(own) is \(Accounts.group(named: own) as Any), \(Accounts.user(65534) as Any)")
    #expect(!nobody.isMember(of: "root"))
    #expect(!nobody.isMember(of: "no such group"))
    #expect(root.isMember(of: "no such group"))
    #expect(!ProofPeer(userID: 4_000_000_000, name: "somebody").isMember(of: "root"))
  }

  @Test("a module that hangs ends the proof at its limit, and everybody learns why")
  func hanging() {
    let conduct = conduct(limit: 0.05, told: nil)
    #expect(reason(conduct) == "PAM did not come to an end within 0.05 s.")
    #expect(conduct.reports.map(\.denied) == ["PAM did not come to an end within 0.05 s"])
  }

  @Test(
    "a process that ends without a whole outcome has proved nothing",
    arguments: ["", "{}", "{\"reason\":", "proved\n", "[]\n", String(repeating: " ", count: 5000) + "{}\n"])
  func unfinished(told: String) {
    let conduct = conduct(told: told)
    #expect(reason(conduct) == "PAM ended unexpectedly.")
    #expect(conduct.reports.map(\.denied) == ["PAM ended unexpectedly"])
  }

  @Test("a client that has left is given no role, though PAM has proved who it was")
  func left() {
    client.send(Self.request)
    shutdown(client.connection.descriptor, Int32(SHUT_WR))
    client.leave()
    let conduct = conduct("", told: "{}\n")
    #expect(conduct.reports.map(\.denied) == ["The client left before the proof ended"])
  }

  @Test(
    "a request that is not one asks nobody anything",
    arguments: [
      "rubbish\n", "{}\n", "[1]\n", "{\"challenge\":5,\"role\":\"audiologist\"}\n",
      "{\"challenge\":\"\(challenge)0\",\"role\":\"audiologist\"}\n",
      "{\"challenge\":\"\(challenge.dropLast())g\",\"role\":\"audiologist\"}\n",
      "{\"challenge\":\"\(challenge)\",\"role\":\"Audiologist\"}\n",
      "{\"challenge\":\"\(challenge)\",\"role\":\"\"}\n",
      "{\"challenge\":\"\(challenge)\",\"role\":\"audiologist\",\"daemon\":\"/nowhere/control.sock\"}\n",
      String(repeating: "x", count: 5000) + "\n",
    ])
  func rubbish(line: String) {
    let conduct = conduct(line, told: "{}\n")
    #expect(reason(conduct) != nil)
    #expect(conduct.conversations == 0)
    #expect(conduct.reports.isEmpty)
    #expect(conduct.log == nil)
  }

  @Test("that of a user's session proves who its own user is, nobody else")
  func session() {
    let other = conduct(ownUser: 1001, told: "{}\n")
    #expect(reason(other) == "This auricle-auth proves who user 1001 is, not user 1000.")
    #expect(other.conversations == 0)
    #expect(other.reports.isEmpty)
    #expect(conduct(ownUser: 1000, told: "{}\n").answers == [.proved(until: 2_000_000_600)])
  }

  @Test("where the daemon cannot be reached nobody is asked for a password, and the client learns why")
  func absence() {
    let failure = Failure(
      "control socket /nowhere", found: "no daemon there", expected: "a running auricled",
      remedy: "Name another.", exit: .unavailable)
    let conduct = conduct(told: "{}\n", absence: failure)
    #expect(conduct.conversations == 0)
    #expect(conduct.reports.isEmpty)
    #expect(
      conduct.answers == [
        .refused(
          reason: "control socket /nowhere: found no daemon there, expected a running auricled.",
          remedy: "Name another.")
      ])
  }

  @Test("a daemon that does not take the proof is quoted")
  func daemon() {
    let failure = Failure(
      "role.prove", found: "that the daemon refuses: The challenge has expired", remedy: "Begin again.",
      exit: .noPermission)
    let conduct = conduct(told: "{}\n", answer: .failure(failure))
    #expect(
      conduct.answers == [
        .refused(
          reason: "role.prove: the daemon refuses: The challenge has expired.", remedy: "Begin again.")
      ])
  }
}

/// Groups by their file (group(5)).
private struct GroupFile {
  private let lines: [[Substring]]

  init() throws {
    let text = String(decoding: try FileContent.bytes(of: "/etc/group", limit: 1 << 22), as: UTF8.self)
    lines = text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
  }

  func name(of number: UInt32) -> String? {
    lines.first { $0.count > 2 && $0[2] == "\(number)" }.map { String($0[0]) }
  }
}
