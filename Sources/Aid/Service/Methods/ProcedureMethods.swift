import Acoustics
import Base
import Control
import Procedures

/// Methods of hearing tests and matches.
package enum ProcedureMethods {
  package struct Start: DaemonMethod {
    package static let description = MethodDescription(
      "procedure.start", for: [.wearer, .audiologist],
      "Begins a hearing test or a match, or goes on with one that was left: its caller is notified of it, and the aid is silent until it "
        + "ends, with a result, with its caller's connection, by procedure.stop, stop or mute, or when prescription, configuration, device or a "
        + "volume control change, or earphones are in use that 'earphones' does not allow. A role that it needs lasts as long; given back, it "
        + "ends the procedure. What was answered is kept.",
      [
        MethodParameter(
          "order", .object("a procedure with its 'name'"), isOptional: true,
          "'name' \(English.list(ProcedureOrder.Name.allCases.map(\.rawValue), "or")); 'ears' or 'ear', 'frequencies' or 'frequency', "
            + "'method', 'signal', 'trials', 'threshold', 'masking', 'highest', 'tinnitus_side', 'earphones', 'room'; left out when one is resumed"
        ),
        MethodParameter(
          "resume", .text, isOptional: true, "name of a record that was left; left out for a new one"),
        MethodParameter(
          "without_room", .boolean, isOptional: true,
          "true, beside 'resume': from here on the room is not listened to, whatever the order says"),
      ], answer: "'state'", conduct: .staying)

    package let order: ProcedureOrder?
    package let resume: String?
    package let withoutRoom: Bool?

    package init(_ order: ProcedureOrder) { (self.order, resume, withoutRoom) = (order, nil, nil) }

    /// - Parameter withoutRoom: True where the room is not listened to any longer, as without the microphone that it was begun with.
    package init(resuming record: String, withoutRoom: Bool = false) {
      (order, resume, self.withoutRoom) = (nil, record, withoutRoom ? true : nil)
    }

    package func check() throws(ControlFailure) {
      guard (order == nil) != (resume == nil) else {
        throw .parameter("order", found: order == nil ? "neither" : "both", expected: "it, or resume")
      }
      guard order == nil || withoutRoom != true else {
        throw .parameter("without_room", found: "it beside an order", expected: "an order without 'room'")
      }
      try order?.check()
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<StateAnswer> {
      if let highest = order?.highest, highest > ProcedureOrder.usualHighest,
        !peer.roles.contains(.audiologist)
      {
        throw Failure(
          Self.name, found: "tones up to \(highest.shortText) dB HL", expected: "90 dB HL at most",
          remedy: "Louder ones are the audiologist's: add --as audiologist", exit: .noPermission)
      }
      let task: ProcedureCommission.Task
      if let order { task = .new(order) } else { task = .resume(resume ?? "") }
      try state.beginProcedure(task, hearsRoom: withoutRoom != true, for: peer)
      return .now(StateAnswer(state: state.state))
    }
  }

  package struct Answer: DaemonMethod {
    package static let description = MethodDescription(
      "procedure.answer", for: [.wearer, .audiologist],
      "Hands a key to the procedure under way that the same connection began.",
      [
        MethodParameter(
          "key", .text, English.list(ProcedureKey.Name.allCases.map(\.rawValue), "or")),
        MethodParameter(
          "value", .number(-1000...1000), isOptional: true, "dB of a turn, per cent of a rating"),
      ], answer: "", conduct: .frequent)

    package let key: String
    package let value: Double?

    package init(_ key: ProcedureKey.Name, _ value: Double? = nil) {
      (self.key, self.value) = (key.rawValue, value)
    }

    package func check() throws(ControlFailure) { _ = try read() }

    private func read() throws(ControlFailure) -> ProcedureKey {
      let names = ProcedureKey.Name.allCases.map(\.rawValue)
      guard let name = ProcedureKey.Name(rawValue: key) else {
        throw .parameter("key", found: "\"\(key.prefix(32))\"", expected: English.list(names, "or"))
      }
      guard let key = ProcedureKey(name, value: value) else {
        throw .parameter("value", found: "nothing", expected: "a number")
      }
      return key
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<EmptyAnswer> {
      guard let test = state.test, case .procedure = test.task else {
        throw Failure(Self.name, found: "no procedure under way", exit: .unavailable)
      }
      guard test.caller == peer else {
        throw Failure(
          Self.name, found: "a procedure of process \(test.caller.processID)",
          expected: "one of this connection",
          exit: .noPermission)
      }
      if let key = try? read() { state.emit(.key(key)) }
      return .now(EmptyAnswer())
    }
  }

  package struct Stop: DaemonMethod {
    package static let description = MethodDescription(
      "procedure.stop", for: [.wearer, .audiologist, .operator],
      "Ends the procedure under way, faded; what was answered is kept. Does nothing while there is none.",
      answer: "'state'", conduct: .silencing)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<StateAnswer> {
      if case .procedure? = state.test?.task { state.stopTest(by: peer) }
      return .when(\.isOpened) { StateAnswer(state: $0.state) }
    }
  }

  package struct List: DaemonMethod {
    package static let description = MethodDescription(
      "procedure.list", for: [.wearer, .audiologist], "Lists the records of procedures, oldest first.",
      [
        MethodParameter(
          "newest", .whole(1...1000), isOptional: true,
          "records at most, the newest ones; 100 when left out, for which an answer has room"),
        MethodParameter("before", .text, isOptional: true, "of those that are older than this record"),
      ],
      answer:
        "'records': of each 'record', 'name', 'began_unix_seconds', 'ended_unix_seconds' and 'result' where it was finished, 'calibration_levels', which is the same where levels are, 'volumes' of a match of level where they are known, and 'pitch_at_edge' and 'uncompared_octaves' of a match of pitch; 'unreadable': names of files that are damaged; 'has_older'"
    )

    package let newest: Int?
    package let before: String?

    /// - Parameters:
    ///   - newest: Records at most; an answer has room for a hundred hearing tests.
    ///   - before: Of those that are older than this record.
    package init(newest: Int? = nil, before: String? = nil) {
      (self.newest, self.before) = (newest, before)
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<ProcedureList> {
      state.work(
        .procedures,
        { [count = newest ?? 100, before] _ in
          { $0.procedures?.page(count, before: before) ?? ProcedureFolder.Page.empty }
        }
      ) { _, page throws(Failure) in .now(ProcedureList(page)) }
    }
  }

  package struct Show: DaemonMethod {
    package static let description = MethodDescription(
      "procedure.show", for: [.wearer, .audiologist], "Gives the record of a procedure.",
      [MethodParameter("record", .text, "its name as procedure.list has it")],
      answer:
        "'beginning', and 'lines': everything that happened, in its order; where that is too long for an answer 'shortened' is true, and keys and all windows of the room but the last are left out"
    )

    package let record: String

    package init(_ record: String) { self.record = record }

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<ProcedureDetails> {
      state.work(
        .procedures,
        { [record] _ in
          { disk in
            Result { () throws(Failure) in
              guard let folder = disk.procedures else {
                throw Failure("records", found: "no state folder", exit: .unavailable)
              }
              return try folder.record(record)
            }
          }
        }
      ) { _, read throws(Failure) in
        let record = try read.get()
        return .now(ProcedureDetails(record))
      }
    }
  }
}

/// An answer that says nothing but that it was done.
package struct EmptyAnswer: Sendable, Codable, Hashable {}
