import Base
import Control
import Testing

@testable import Service

@Suite("Role table")
struct RoleTableTests {
  /// Letters: w wearer, o the wearer of their own device, a audiologist, d developer, r operator; "any" everybody
  /// who may connect. Written from what each person is there for, not from the code.
  private static let table = [
    "start": "war", "stop": "war", "mute": "war", "unmute": "war", "reload": "r", "shutdown": "r",
    "status": "any", "devices": "any", "version": "any", "subscribe": "any", "unsubscribe": "any",
    "spectrum.watch": "oad",
    "prescription.look": "wa", "prescription.load": "wa", "prescription.list": "war",
    "prescription.card": "wa", "prescription.export": "wa", "prescription.use": "wa",
    "prescription.try": "wa", "prescription.accept": "wa", "prescription.revert": "wa",
    "trust.add": "ar", "trust.revoke": "ar", "trust.list": "war",
    "audit.show": "war", "audit.verify": "war", "audit.accept": "ar", "book.backup": "wa",
    "book.clock": "ar",
    "program.list": "any", "program.use": "wa", "program.volume": "wa", "program.tone": "wa",
    "stream.set": "wa",
    "feedback.measure": "wa", "feedback.stop": "war", "feedback.keep": "wa", "feedback.clear": "wa",
    "procedure.start": "wa", "procedure.answer": "wa", "procedure.stop": "war", "procedure.list": "wa",
    "procedure.show": "wa",
    "debug.begin": "ad", "debug.set": "ad", "debug.stage": "ad", "debug.compare": "ad",
    "debug.show": "wadr", "debug.end": "wadr",
    "recording.allow": "w", "recording.forbid": "w", "sound.watch": "oad",
    "earphones.tell": "w", "earphones.forget": "w",
    "device.show": "any", "device.follow": "r", "device.return": "r", "device.note": "any",
    "route.show": "any", "route.try": "r", "route.keep": "r", "route.back": "r",
    "role.begin": "any", "role.prove": "r", "role.deny": "r", "role.end": "any",
  ]

  private static let letters: [Character: Role] = [
    "w": .wearer, "o": .owner, "a": .audiologist, "d": .developer, "r": .operator,
  ]

  /// Each kind of peer, with the letters that it stands for.
  private static let peers:
    [(name: String, letters: String, userID: UInt32, groups: [UInt32], grant: Role?)] = [
      ("owner", "wor", 1000, [50], nil), ("wearer of a clinic's device", "w", 1000, [50], nil),
      ("root on a clinic's device", "r", 0, [0], nil),
      ("audiologist, proved", "a", 1001, [51], .audiologist),
      ("audiologist, not proved", "", 1001, [51], nil), ("developer, proved", "d", 1002, [52], .developer),
      ("developer, not proved", "", 1002, [52], nil), ("member of audio", "", 1003, [29], nil),
    ]

  /// Connection of somebody whose role was proved.
  private static func proved(_ role: Role, until due: Double) -> ControlSession {
    var rule = AccessRule(userID: 900, groupID: 50)
    rule.provers = [role: 51]
    var session = ControlSession(
      peer: Peer(processID: 7, userID: 1001, groupID: 51), methods: .daemon, rule: rule)
    session.grant = RoleGrant(role: role, means: "PAM", due: due)
    return session
  }

  @Test("every method stands in the table, and says what the table says")
  func declared() {
    #expect(Set(MethodTable.daemon.descriptions.map(\.name)) == Set(Self.table.keys))
    for method in MethodTable.daemon.descriptions {
      let row = Self.table[method.name, default: ""]
      let expected: Set<Role>? = row == "any" ? nil : Set(row.compactMap { Self.letters[$0] })
      #expect(method.access.roles == expected, "\(method.name)")
    }
  }

  @Test("every method is granted or refused to every kind of peer as the table says", arguments: 0..<8)
  func called(kind: Int) throws {
    let peer = Self.peers[kind]
    var rule = AccessRule(userID: 900, groupID: 50)
    rule.provers = [.audiologist: 51, .developer: 52]
    rule.owner = peer.name == "owner" ? .wearer : .clinic
    for method in MethodTable.daemon.descriptions {
      var session = ControlSession(
        peer: Peer(processID: 7, userID: peer.userID, groupID: 100, groups: peer.groups), methods: .daemon,
        rule: rule)
      session.grant = peer.grant.map { RoleGrant(role: $0, means: "PAM", due: 600) }
      let row = Self.table[method.name, default: ""]
      let isAllowed = row == "any" || !Set(row).isDisjoint(with: peer.letters)
      let line = [UInt8](
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method.name)","params":\#(parameters(method))}"#.utf8)
      let isRefused =
        if case .done(_, .refused(method.name, _)?) = session.take(line, now: 0) { true } else { false }
      #expect(isRefused != isAllowed, "\(method.name) by \(peer.name)")
    }
  }

  @Test("proofs and refusals, which anybody can bring about, are no lines of the log by themselves")
  func quietProofs() throws {
    for (name, isLogged) in [("role.prove", false), ("role.deny", false), ("trust.revoke", true)] {
      let method = try #require(MethodTable.daemon.descriptions.first { $0.name == name })
      var session = ControlSession(
        peer: Peer(processID: 7, userID: 0, groupID: 0), methods: .daemon,
        rule: AccessRule(userID: 900, groupID: 50))
      let request = [UInt8](
        #"{"jsonrpc":"2.0","id":1,"method":"\#(name)","params":\#(parameters(method))}"#.utf8)
      guard case .call(_, _, let asked) = session.take(request, now: 0) else {
        Issue.record("\(name) was not called")
        continue
      }
      #expect((asked != nil) == isLogged, "\(name)")
      let answered = session.answer(.failure(Failure("test", found: "nothing", exit: .temporary)))
      #expect(answered?.line?.level == (isLogged ? LogLevel.warning : LogLevel.debug), "\(name)")
    }
  }

  @Test("a proved role ends with its time")
  func expired() {
    var session = Self.proved(.audiologist, until: 600)
    let line = [UInt8](#"{"jsonrpc":"2.0","id":1,"method":"prescription.accept"}"#.utf8)
    guard case .call(_, let caller, _) = session.take(line, now: 599.9) else {
      Issue.record("refused before its end")
      return
    }
    #expect(caller.roles == [.audiologist] && caller.grant?.means == "PAM")
    guard case .done(_, .refused) = session.take(line, now: 600) else {
      Issue.record("granted after its end")
      return
    }
  }

  @Test(
    "spectra, meters and news of the prescription end with the role that they were granted for, of spectra with a last word"
  )
  func subscriptionsEnd() {
    var session = Self.proved(.developer, until: 600)
    let topics = #"{"topics":["state","meters","prescription"]}"#
    for (method, parameters) in [("spectrum.watch", "{}"), ("subscribe", topics)] {
      _ = session.take(
        [UInt8](#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#.utf8), now: 0)
    }
    session.endUnpermitted(at: 599.9)
    #expect(session.wantsSpectrum(at: 599.9))
    for topic in Subscription.Topic.allCases { #expect(session.wants(topic)) }
    // One that waits for a slow reader is not sent either.
    session.notify(StatusReport.Prescription(serial: 7, clinic: "a", environment: "music"))
    session.endUnpermitted(at: 600)
    #expect(!session.wantsSpectrum(at: 700))
    let last = session.nextNotification().map { String(decoding: $0, as: UTF8.self) }
    #expect(last?.contains(#""spectrum":{"ended":"the role of its client has ended"}"#) == true)
    session.endUnpermitted(at: 601)
    let further = session.nextNotification()
    #expect(further == nil)
    for topic in Subscription.Topic.allCases { #expect(session.wants(topic) == (topic == .state)) }
  }

  @Test("whoever has no role is not told of the prescription, asked for or not")
  func strangersSubscription() {
    var session = ControlSession(
      peer: Peer(processID: 7, userID: 1003, groupID: 29), methods: .daemon,
      rule: AccessRule(userID: 900, groupID: 50))
    _ = session.take(
      [UInt8](
        #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["state","prescription"]}}"#.utf8),
      now: 0)
    session.notify(StatusReport.Prescription(serial: 7, clinic: "a", environment: "music"))
    #expect(session.wants(.state) && session.nextNotification() == nil)
  }

  @Test("to somebody without a role the status names no ear, rule, gain, program or feedback path")
  func strangersStatus() throws {
    let json = try JSON.text(StatusReport.sample.withoutHearing)
    for key in [
      "rule", "compression_ratio", "gain_db", "program", "feedback", "prescription", "output_level_db_spl",
      "active_share", "reduction_db", "output_samples", "chain_seconds",
    ] {
      #expect(!json.contains("\"\(key)\""), "\(key)")
    }
    #expect(StatusReport.sample.withoutHearing.fitting.ears.isEmpty)
    // The sample's loop takes 5.14 ms, of which the chain's part cannot be told then.
    #expect(StatusReport.sample.withoutHearing.latency?.loopSeconds == 0.005)
    #expect(json.contains("\"input_samples\"") && json.contains("\"input_level_db_spl\""))
  }

  /// Parameters that are accepted, so that it is the role that decides.
  private func parameters(_ method: MethodDescription) -> String {
    let members = method.parameters.filter { !$0.isOptional }.map { parameter -> String in
      let value =
        switch parameter.kind {
        case .text:
          [
            "role": #""developer""#, "means": #""PAM""#, "program": #""music""#, "connection": #""usb""#,
            "attempt": #""daemon""#, "key": #""heard""#,
            "name": method.name == "debug.set" ? #""attack""# : #""expansion""#,
          ][parameter.name] ?? #""a""#
        case .whole(let range): "\(range.lowerBound)"
        case .number(let range): "\(range.lowerBound)"
        case .boolean: "true"
        case .words(let words): #"["\#(words[0])"]"#
        case .object:
          (try? JSON.text(FeedbackRecord(left: FeedbackMethodTests.ear()))) ?? "{}"
        }
      return #""\#(parameter.name)":\#(value)"#
    }
    // Volume, tone, stream and a procedure's beginning take one of several.
    let turn =
      switch method.name {
      case "program.volume", "program.tone", "stream.set": [#""change_db":1"#]
      case "procedure.start": [#""resume":"a""#]
      default: [String]()
      }
    return "{\((members + turn).joined(separator: ","))}"
  }
}

@Suite("Roles without a proof")
struct AccessRuleTests {
  private static let groups: [(user: UInt32, group: UInt32)] = [(1000, 1), (0, 0), (1001, 29), (1001, 1)]

  private func roles(_ rule: AccessRule) -> [Set<Role>] {
    Self.groups.map { rule.roles(of: Peer(processID: 1, userID: $0.user, groupID: $0.group)) }
  }

  private static let owner: Set<Role> = [.wearer, .operator, .owner]

  @Test("of a person's own daemon the user and root are wearer and operator, nobody else is anything")
  func person() {
    #expect(roles(AccessRule(userID: 1000, groupID: nil)) == [Self.owner, Self.owner, [], []])
  }

  @Test("of the system's daemon root and the members of its group are wearer and operator")
  func system() {
    #expect(roles(AccessRule(userID: 1000, groupID: 29)) == [Self.owner, Self.owner, Self.owner, []])
  }

  @Test("on a clinic's device the wearer is not its operator, and root is not its wearer")
  func handedOut() {
    var person = AccessRule(userID: 1000, groupID: nil)
    person.owner = .clinic
    #expect(roles(person) == [[.wearer], [.operator], [], []])
    var system = AccessRule(userID: 1000, groupID: 29)
    system.owner = .clinic
    #expect(roles(system) == [[.operator], [.operator], [.wearer], []])
  }

  @Test("the supplementary groups count as the first one does")
  func supplementary() {
    let rule = AccessRule(userID: 1000, groupID: 29)
    let peer = Peer(processID: 1, userID: 1001, groupID: 1, groups: [4, 29])
    #expect(rule.roles(of: peer) == Self.owner)
  }

  @Test("a role can be proved by a member of its group, and by nobody else, root included")
  func provers() {
    var rule = AccessRule(userID: 900, groupID: 50)
    rule.provers = [.audiologist: 51]
    #expect(rule.mayProve(.audiologist, Peer(processID: 1, userID: 1001, groupID: 1, groups: [51])))
    #expect(!rule.mayProve(.developer, Peer(processID: 1, userID: 1001, groupID: 1, groups: [51])))
    #expect(!rule.mayProve(.audiologist, Peer(processID: 1, userID: 0, groupID: 0)))
  }
}
