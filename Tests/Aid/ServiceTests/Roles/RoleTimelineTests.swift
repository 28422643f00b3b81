import Base
import Control
import Testing

@testable import Service

@Suite("Proofs of roles on a timeline")
struct RoleTimelineTests {
  private static let audiologist = Peer(processID: 8, userID: 1001, groupID: 51, connection: 4)
  private static let root = {
    var peer = Peer(processID: 9, userID: 0, groupID: 0, connection: 5)
    peer.roles = [.operator]
    return peer
  }()

  private func timeline() -> Timeline {
    var facts = ServiceState.Facts(started: .at(100))
    facts.rule = AccessRule(userID: 900, groupID: 50)
    facts.rule.provers = [.audiologist: 51, .developer: 52]
    facts.challenge = { "c0ffee" }
    return Timeline(ServiceState(facts))
  }

  private func ask(_ line: Timeline, _ method: any ControlMethod, _ peer: Peer) -> Answer? {
    line.happen(.control(.request(1, method, from: peer)))
    return line.answers[1]
  }

  private func prove(
    _ challenge: String = "c0ffee", user: UInt32 = 1001, role: String = "audiologist"
  ) -> RoleMethods.Prove {
    RoleMethods.Prove(challenge: challenge, userId: user, means: "PAM", role: role)
  }

  private func grants(_ line: Timeline) -> [RoleGrant?] {
    line.effects.compactMap { if case .grant(_, let grant) = $0 { .some(grant) } else { nil } }
  }

  @Test("a challenge that root brings back gives the role to the connection that asked, for ten minutes")
  func proved() {
    let line = timeline()
    guard
      case .success(let answer as RoleAnswer)? = ask(
        line, RoleMethods.Begin(.audiologist), Self.audiologist)
    else {
      Issue.record("no challenge")
      return
    }
    #expect(answer == RoleAnswer(challenge: "c0ffee", expiresInSeconds: 60))
    guard case .success(let proof as RoleAnswer)? = ask(line, prove(), Self.root) else {
      Issue.record("not proved")
      return
    }
    #expect(proof.role == .audiologist)
    #expect(grants(line) == [RoleGrant(role: .audiologist, means: "PAM", due: 700)])
    guard case .failure? = ask(line, prove(), Self.root) else {
      Issue.record("the challenge was good twice")
      return
    }
  }

  @Test("a challenge of another user, an unknown one and one of a minute ago prove nothing")
  func notProved() {
    for (challenge, user, wait) in [
      ("c0ffee", UInt32(1002), 0.0), ("c0ffeb", 1001, 0), ("c0ffee", 1001, 60),
    ] {
      let line = timeline()
      _ = ask(line, RoleMethods.Begin(.audiologist), Self.audiologist)
      line.now += wait
      guard case .failure(let failure)? = ask(line, prove(challenge, user: user), Self.root) else {
        Issue.record("\(challenge) of user \(user) after \(wait) s")
        continue
      }
      #expect(failure.exitStatus == .temporary && grants(line).isEmpty)
    }
  }

  @Test("a proof for another role than the challenge's gives none, is noted, and the challenge is used up")
  func anotherRole() {
    let line = timeline()
    _ = ask(line, RoleMethods.Begin(.audiologist), Self.audiologist)
    guard case .failure(let failure)? = ask(line, prove(role: "developer"), Self.root) else {
      Issue.record("a developer's proof made an audiologist")
      return
    }
    #expect(failure.exitStatus == .noPermission && grants(line).isEmpty)
    #expect(
      line.log.contains { $0.contains("role audiologist (a proof for another one) refused to user 1001") })
    guard case .failure? = ask(line, prove(), Self.root) else {
      Issue.record("the challenge was good twice")
      return
    }
  }

  @Test("nobody but root, or the daemon's own user for itself, brings a proof")
  func bringers() {
    for (bringer, isTaken) in [(UInt32(0), true), (900, false), (1001, false)] {
      let line = timeline()
      _ = ask(line, RoleMethods.Begin(.audiologist), Self.audiologist)
      let peer = Peer(processID: 9, userID: bringer, groupID: 50, connection: 6)
      guard let answer = ask(line, prove(), peer) else { continue }
      #expect((try? answer.get()) != nil ? isTaken : !isTaken, "user \(bringer)")
    }
  }

  @Test("who is in no group is refused, with the group's name, and it is noted")
  func strangers() {
    let line = timeline()
    let stranger = Peer(processID: 8, userID: 1005, groupID: 100, connection: 4)
    guard case .failure(let failure)? = ask(line, RoleMethods.Begin(.developer), stranger) else {
      Issue.record("not refused")
      return
    }
    #expect(failure.exitStatus == .noPermission && failure.message.contains("auricle-developer"))
    #expect(line.log.contains { $0.contains("role.begin refused to user 1005, process 8") })
  }

  @Test("a connection that has ended is proved nothing any more")
  func gone() {
    let line = timeline()
    _ = ask(line, RoleMethods.Begin(.audiologist), Self.audiologist)
    line.happen(.control(.gone(Self.audiologist)))
    guard case .failure? = ask(line, prove(), Self.root) else {
      Issue.record("a role for nobody")
      return
    }
  }

  @Test("a machine that slept has given back every role, and waits for no proof from before")
  func slept() {
    let line = timeline()
    _ = ask(line, RoleMethods.Begin(.audiologist), Self.audiologist)
    line.sleep(0.5)
    #expect(!line.effects.contains { if case .endGrants = $0 { true } else { false } })
    line.sleep(3600)
    #expect(line.effects.contains { if case .endGrants(means: nil) = $0 { true } else { false } })
    guard case .failure? = ask(line, prove(), Self.root) else {
      Issue.record("a proof from before the sleep")
      return
    }
  }

  @Test("a role that a pass gives without a password begins and ends often, and is noted a few times")
  func oftenByPass() {
    let line = timeline()
    var developer = Peer(processID: 8, userID: 1002, groupID: 52, connection: 4)
    for _ in 0..<1000 {
      line.now += 0.001
      line.happen(.time)
      let answer = line.state.grant(.developer, to: developer, means: RoleGrant.pass, for: 60)
      #expect(answer.role == .developer)
      developer.grant = RoleGrant(role: .developer, means: RoleGrant.pass, due: line.now + 60)
      line.state.endRole(of: developer)
    }
    line.happen(.time)
    #expect(line.log.count { $0.contains("process 8 is developer") } == 5)
  }

  @Test("of many refused calls five are noted, then one every half a minute, which counts the others")
  func flood() {
    let line = timeline()
    for _ in 0..<1000 {
      line.happen(.control(.refused("mute", Self.audiologist)))
      line.now += 0.001
    }
    #expect(line.log.filter { $0.contains("mute refused") }.count == 5)
    line.now += 30
    line.happen(.control(.refused("mute", Self.audiologist)))
    #expect(line.log.last { $0.contains("mute refused") }?.hasSuffix("; 995 more before it") == true)
  }

  @Test("proofs and refusals for which no challenge waits are noted as their user's, five at once")
  func withoutChallenge() {
    let line = timeline()
    let denied = RoleMethods.Deny(challenge: "0f", userId: 1001, reason: "PAM did not accept the proof")
    for _ in 0..<12 {
      guard case .failure(let failure)? = ask(line, denied, Self.root) else {
        Issue.record("a refusal of nobody's challenge was taken")
        return
      }
      #expect(failure.exitStatus == .temporary && failure.message.contains("that is over"))
    }
    // By the process that told of it.
    let words = "role (PAM did not accept the proof, no challenge) refused to user 1001, process 9"
    #expect(line.log.filter { $0.contains(words) }.count == 5)
    // Each is a piece of work for the trail, of which the first has not come back.
    #expect(line.state.disk.waiting.count { $0.kind == .book } == 4)
    line.now += 30
    _ = ask(line, prove(), Self.root)
    #expect(
      line.log.last { $0.contains("no challenge") }
        == "warning: role (proved by PAM, no challenge) refused to user 1001, process 9; 7 more before it")
  }

  @Test("users beyond those that are told apart share one allowance")
  func manyUsers() {
    var limit = NoteLimit()
    let noted = (0..<10_000).count { limit.take(UInt32($0), now: 0) != nil }
    // Each of 32 users once, and five of the rest.
    #expect(noted == 32 + 5)
  }
}
