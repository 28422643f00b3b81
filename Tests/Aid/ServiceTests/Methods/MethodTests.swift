import Base
import CommonTesting
import Control
import Testing

@testable import Service

/// The methods of the control protocol, as they are read from a line and described.
@Suite("Methods") struct MethodTests {
  private static let table = MethodTable.daemon

  /// A call of each method with all of its parameters, and calls with fewer.
  private static let calls: [any ControlMethod] = [
    SoundMethods.Start(), SoundMethods.Stop(), SoundMethods.Mute(), SoundMethods.Unmute(),
    SoundMethods.Reload(), SoundMethods.Shutdown(), ReportMethods.Status(), ReportMethods.Devices(),
    ReportMethods.Version(), Subscription(to: [.state], every: 2), SpectrumSubscription(every: 0.2),
    Unsubscription(), PrescriptionMethods.Look(card: "shc:/56"),
    PrescriptionMethods.Load(card: "shc:/56", confirmation: "0a"),
    PrescriptionMethods.Load(card: "shc:/56", confirmation: nil),
    PrescriptionMethods.List(), PrescriptionMethods.Card(number: 3), PrescriptionMethods.Card(number: nil),
    PrescriptionMethods.Export(number: 2),
    PrescriptionMethods.Use("music"), PrescriptionMethods.Try("2", seconds: 1200),
    PrescriptionMethods.Try(nil, seconds: 60), PrescriptionMethods.Accept(), PrescriptionMethods.Revert(),
    TrustMethods.Add(card: "shc:/57", fingerprint: "AB CD"), TrustMethods.Revoke(fingerprint: "ABCD"),
    TrustMethods.List(), BookMethods.ShowAudit(count: 5), BookMethods.VerifyAudit(),
    BookMethods.VerifyAudit(head: "0:" + String(repeating: "0", count: 64)), BookMethods.AcceptDamage(),
    BookMethods.BackUp(path: "/a", passphrase: "four words are enough"), BookMethods.CorrectClock(),
    ProgramMethods.List(), ProgramMethods.Use("music"), ProgramMethods.Volume(.by(-2.5)),
    ProgramMethods.Volume(.reset), ProgramMethods.Tone(.by(1)), ProgramMethods.Tone(.reset),
    StreamMethods.Set(on: true), StreamMethods.Set(changeDB: -2, balanceDB: 3),
    StreamMethods.Set(levelDB: 0),
    FeedbackMethods.Measure(), FeedbackMethods.Measure([.left], of: .delay), FeedbackMethods.Stop(),
    FeedbackMethods.Keep(FeedbackRecord(left: FeedbackMethodTests.ear())), FeedbackMethods.Clear(),
    DebugMethods.Begin(seconds: 60), DebugMethods.Begin(), DebugMethods.Set("attack", to: 0.01),
    DebugMethods.Set("threshold", to: nil, ear: .left, at: 2000),
    DebugMethods.Stage("expansion", on: false),
    DebugMethods.Show(), DebugMethods.Compare("changed"), DebugMethods.Compare(), DebugMethods.End(),
    RoleMethods.Begin(.audiologist),
    RoleMethods.Prove(challenge: "c0", userId: 1000, means: "PAM", role: "audiologist"),
    RoleMethods.Deny(challenge: "c0", userId: 1000, reason: "refused"), RoleMethods.End(),
    RecordingMethods.Allow(seconds: 60), RecordingMethods.Forbid(), RecordingMethods.Watch(),
    EarphoneMethods.Tell(
      StatusReport.Earphones(
        connection: .bluetooth, name: "Buds", address: "04:5D:4B:00:11:22",
        modalias: "bluetooth:v004Cp200Ed0C20")),
    EarphoneMethods.Tell(StatusReport.Earphones(connection: .usb)), EarphoneMethods.Forget(),
    RouteMethods.Show(), RouteMethods.Try(capture: "hw:0", playback: "hw:1"), RouteMethods.Keep(trial: 1),
    RouteMethods.Back(trial: 1),
    DeviceMethods.Show(), DeviceMethods.Follow(), DeviceMethods.Return(card: "shc:/57"),
    DeviceMethods.Note(attempt: "daemon"),
    ProcedureMethods.Start(ProcedureOrder(.hearingTest)), ProcedureMethods.Start(resuming: "r"),
    ProcedureMethods.Start(resuming: "r", withoutRoom: true),
    ProcedureMethods.Answer(.heard), ProcedureMethods.Answer(.turn, -5), ProcedureMethods.Stop(),
    ProcedureMethods.List(), ProcedureMethods.List(newest: 3, before: "r"), ProcedureMethods.Show("r"),
  ]

  private static func parameters(_ text: String?) throws -> JSONValue? {
    try text.map { try JSONValue([UInt8]($0.utf8)) }
  }

  private static func again<Method: ControlMethod>(_ call: Method) throws -> String {
    let sent = try Request(line: ControlLine.request(call, identifier: 7)).call.get()
    #expect(sent.method == Method.name)
    let read = try Method(parameters: sent.parameters)
    return String(decoding: try ControlLine.request(read, identifier: 7), as: UTF8.self)
  }

  @Test(
    "four methods silence, and come before all others; seven go on after their answer; three are not noted each time"
  )
  func conduct() {
    func names(_ conduct: MethodDescription.Conduct) -> Set<String> {
      Set(Self.table.descriptions.filter { $0.conduct == conduct }.map(\.name))
    }
    #expect(names(.silencing) == ["mute", "stop", "feedback.stop", "procedure.stop"])
    #expect(Set(Self.table.silencing.map { $0.name }) == names(.silencing))
    #expect(
      names(.staying) == [
        "subscribe", "spectrum.watch", "feedback.measure", "procedure.start", "debug.begin", "sound.watch",
        "earphones.tell",
      ])
    #expect(names(.staying).allSatisfy(Self.table.isStaying) && !Self.table.isStaying("mute"))
    #expect(names(.frequent) == ["procedure.answer"])
    #expect(names(.sparing) == ["role.prove", "role.deny"])
  }

  @Test("every call comes back from its line as it was sent, and no method is left out")
  func roundTrip() throws {
    for call in Self.calls {
      let line = String(decoding: try ControlLine.request(call, identifier: 7), as: UTF8.self)
      #expect(try Self.again(call) == line)
    }
    #expect(Set(Self.calls.map { type(of: $0).name }) == Set(Self.table.descriptions.map(\.name)))
  }

  @Test("the parameters that a method describes are those that it has")
  func described() throws {
    for (name, calls) in Dictionary(grouping: Self.calls, by: { type(of: $0).name }) {
      let sent = try calls.flatMap { call -> [String] in
        let line = try ControlLine.request(call, identifier: 1)
        let parameters = try Request(line: line).call.get().parameters
        guard case .object(let members) = parameters?.content else { return [] }
        return members.map(\.key)
      }
      let described = try #require(calls.first.map { type(of: $0).description }).parameters.map(\.name)
      #expect(Set(sent) == Set(described), "\(name)")
    }
  }

  @Test("parameters that are not known are ignored, and null is as nothing")
  func unknownParameters() throws {
    #expect(throws: Never.self) {
      _ = try SoundMethods.Mute(parameters: Self.parameters(#"{"ear":"left"}"#))
      _ = try PrescriptionMethods.Card(parameters: Self.parameters(#"{"number":null}"#))
    }
  }

  @Test("a subscription has topics and an interval, with defaults for both")
  func subscription() throws {
    func read(_ text: String?) throws -> Subscription {
      try Subscription(parameters: Self.parameters(text))
    }
    #expect(try read(nil) == Subscription(to: [.state, .meters], every: 1))
    #expect(
      try read(#"{"topics":["meters"],"interval_seconds":0.05}"#)
        == Subscription(to: [.meters], every: 0.05))
  }

  @Test("a subscription's interval is the nearest of those that are granted")
  func intervals() {
    for asked in [0, -1, Double.nan] {
      #expect(Subscription(to: [.meters], every: asked).intervalSeconds == 0.05)
      #expect(SpectrumSubscription(every: asked).intervalSeconds == 0.04)
    }
    #expect(Subscription(to: [.meters], every: 1e9).intervalSeconds == 60)
    #expect(SpectrumSubscription(every: .infinity).intervalSeconds == 60)
  }

  @Test("a parameter under the name that it has in the code is not known, so that its range binds")
  func namesInCode() throws {
    let subscription = try Subscription(parameters: Self.parameters(#"{"intervalSeconds":0}"#))
    #expect(subscription == Subscription(to: [.state, .meters], every: 1))
    #expect(refusal(of: "program.volume", #"{"changeDB":1000}"#)?.message == Self.oneTurn)
    #expect(refusal(of: "stream.set", #"{"levelDB":1000}"#)?.message.hasPrefix("params: found no") == true)
    #expect(refusal(of: "stream.set", #"{"levelDB":1000,"level_db":1}"#) == nil)
  }

  private static let oneTurn =
    "params: found neither or both of change_db and reset, expected one: a number of dB, or true."
  private static let topics = #"expected a list of "state", "meters" and "prescription"."#

  @Test(
    "a parameter that is missing, of another kind or out of range is refused by name",
    arguments: [
      ("prescription.load", nil, "card: found nothing, expected a text."),
      (
        "audit.verify", #"{"head":"12"}"#,
        "head: found \"12\", expected a head as auricle audit head prints it."
      ),
      ("prescription.use", #"{"wanted":3}"#, "wanted: found a number, expected a text."),
      ("prescription.try", #"{"seconds":0}"#, "seconds: found 0, expected a whole number, 1 to 100000000."),
      (
        "prescription.try", #"{"seconds":1.5}"#,
        "seconds: found 1.5, expected a whole number, 1 to 100000000."
      ),
      ("audit.show", #"{"count":"all"}"#, "count: found a text, expected a whole number, 1 to 1000."),
      ("program.use", nil, "program: found nothing, expected a text."),
      ("program.use", #"{"program":3}"#, "program: found a number, expected a text."),
      ("program.volume", #"{"change_db":"2"}"#, "change_db: found a text, expected a number, -60 to 60."),
      ("program.volume", #"{"change_db":60.5}"#, "change_db: found 60.5, expected a number, -60 to 60."),
      ("program.tone", nil, oneTurn), ("program.tone", #"{"change_db":1,"reset":true}"#, oneTurn),
      ("program.volume", #"{"reset":false}"#, oneTurn),
      ("program.volume", #"{"change_db":1,"reset":false}"#, oneTurn),
      (
        "stream.set", nil,
        "params: found no parameter that is known, expected at least one, and one of change_db and level_db at most."
      ),
      (
        "stream.set", #"{"change_db":1,"level_db":1}"#,
        "params: found both change_db and level_db, expected at least one, and one of change_db and level_db at most."
      ),
      ("stream.set", #"{"level_db":11}"#, "level_db: found 11, expected a number, -40 to 10."),
      ("stream.set", #"{"balance_db":"left"}"#, "balance_db: found a text, expected a number, -20 to 20."),
      ("status", "[1]", "params: found a list, expected an object of named parameters."),
      ("subscribe", #"{"topics":"state"}"#, "topics: found a text, \(topics)"),
      ("subscribe", #"{"topics":["levels"]}"#, "topics: found \"levels\", \(topics)"),
      ("subscribe", #"{"topics":["state",1]}"#, "topics: found a number, \(topics)"),
      ("subscribe", #"{"topics":[]}"#, "topics: found an empty list, \(topics)"),
      (
        "subscribe", #"{"interval_seconds":0.01}"#,
        "interval_seconds: found 0.01, expected a number, 0.05 to 60."
      ),
      (
        "feedback.measure", #"{"ears":["both"]}"#,
        #"ears: found "both", expected a list of "left" and "right"."#
      ),
      (
        "feedback.keep", #"{"paths":{"schema":100}}"#,
        "paths: found something else, expected paths and delays as auricle fit feedback and doctor --loop measure them."
      ),
    ] as [(String, String?, String)])
  func wrongParameters(method: String, parameters: String?, message: String) throws {
    let failure = refusal(of: method, parameters)
    #expect(failure?.code == .invalidParameters)
    #expect(failure?.message == message)
  }

  @Test("a program that there is none is refused with the list of those that there are")
  func unknownProgram() throws {
    let message = refusal(of: "program.use", #"{"program":"jazz"}"#)?.message ?? ""
    #expect(message.hasPrefix("program: found \"jazz\", expected quiet, "))
  }

  @Test("an unknown method is refused with the list of methods and the nearest")
  func unknownMethod() throws {
    let failure = refusal(of: "mut", nil)
    #expect(failure?.code == .unknownMethod)
    let names = English.list(Self.table.descriptions.map(\.name), "or")
    #expect(failure?.message == "method: found \"mut\", expected \(names). Did you mean \"mute\"?")
  }

  @Test(
    "a method that has gone is refused by its successor",
    arguments: [
      ("feedback.borrow", "feedback.measure"), ("feedback.renew", "feedback.measure"),
      ("feedback.return", "feedback.stop"),
    ])
  func formerMethod(name: String, successor: String) {
    let failure = refusal(of: name, nil)
    #expect(failure?.code == .unknownMethod)
    #expect(
      failure?.message
        == "method: found \"\(name)\", which ended with protocol 1.2, expected \"\(successor)\": the daemon"
        + " measures feedback itself. Install auricle and auricled of the same version.")
    #expect(Self.table.descriptions.contains { $0.name == successor })
  }

  private func refusal(of method: String, _ parameters: String?) -> ControlFailure? {
    let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters ?? "{}")}"#
    do throws(ControlFailure) {
      _ = try Self.table.read(Request(line: [UInt8](line.utf8)).call.get())
      return nil
    } catch {
      return error
    }
  }
}
