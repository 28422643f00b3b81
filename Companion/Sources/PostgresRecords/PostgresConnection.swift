import CPQ
import Glibc
import Records

/// One connection to a server.
///
/// - Threads: one at a time.
final class PostgresConnection: @unchecked Sendable {
  private let wire: PostgresWire
  /// SQLSTATE of the last error.
  private var lastState = ""
  private var commands = PostgresCommands()
  /// Commands that the server keeps with their plans.
  private var plans = PostgresPlans()

  /// - Parameters:
  ///   - role: Role that it takes on, one of which the login is a member.
  ///   - silence: Longest silence of the server, s, of which half is a wait for a lock of another program's; nil: no limit.
  init(_ address: String, role: String?, silence: Double? = nil) throws(StorageError) {
    // libpq's own words name the part that it does not understand, which may be one of a password.
    guard PostgresAddress(address) != nil else {
      throw .lost(
        "libpq cannot read the address; expected words such as host=/run/postgresql dbname=companion, with values that have spaces in '…'"
      )
    }
    wire = try PostgresWire(address, silence: silence)
    // Another program that holds a row is told as such, before the server counts as gone.
    let limit = silence.map { "SET lock_timeout = \(Int($0 * 500)); " } ?? ""
    // Rows are looked up by their keys: a plan for one is right for all, and is made once.
    try simple(
      limit + """
        SET client_encoding = '\(serverEncoding)'; SET client_min_messages = warning; SET standard_conforming_strings = on;
        SET bytea_output = hex; SET plan_cache_mode = force_generic_plan
        """)
    if let role { try simple("SET ROLE \(role)") }
  }

  /// False where the server has said something since it was given back, which it does when it ends. Asks the server nothing.
  var isAlive: Bool {
    var socket = pollfd(fd: PQsocket(wire.connection), events: Int16(POLLIN), revents: 0)
    return wire.isOpen && poll(&socket, 1, 0) == 0
  }

  /// True when it can be given to others: alive, and without a transaction, which is taken back where one is open.
  var isClean: Bool {
    takeBack()
    return wire.isOpen && PQtransactionStatus(wire.connection) == PQTRANS_IDLE
      && PQpipelineStatus(wire.connection) == PQ_PIPELINE_OFF
  }

  /// Encoding of the database. The connection has the same, whatever address and environment say, so that no text is converted: all are UTF-8
  /// here, and a database that was made in another encoding keeps their bytes.
  private var serverEncoding: String {
    PQparameterStatus(wire.connection, "server_encoding").map { String(cString: $0) } ?? "UTF8"
  }

  // MARK: - Statements

  struct Answer {
    let rows: [Row]
    let changed: Int
  }

  /// One statement or several without parameters.
  func simple(_ text: String) throws(StorageError) {
    try wire.send { PQsendQuery($0, text) }
    _ = try lastAnswer()
  }

  /// After an error: nothing of the transaction is kept. Where the connection is gone, the server takes it back by itself.
  func takeBack() {
    guard wire.isOpen, PQtransactionStatus(wire.connection) != PQTRANS_IDLE else { return }
    try? simple("ROLLBACK")
  }

  /// Keeps what the transaction has done.
  ///
  /// - Parameter changing: True where it has changed something.
  /// - Throws: ``StorageError/unanswered(_:)`` and others.
  func commit(changing: Bool) throws(StorageError) {
    do throws(StorageError) { try simple("COMMIT") } catch { throw changing ? ofChange(error) : error }
  }

  /// The error of a request that changes something: where the server may have done it before the connection was lost,
  /// nobody knows.
  private func ofChange(_ error: StorageError) -> StorageError {
    guard case .lost(let reason) = error, wire.wasSent, !wire.isOpen else { return error }
    return .unanswered(reason)
  }

  func run(
    _ statement: Statement, _ parameters: [String: Value], _ session: Session
  ) throws(StorageError) -> Answer {
    try answer(to: command(statement, parameters, session))
  }

  func command(
    _ statement: Statement, _ parameters: [String: Value], _ session: Session
  ) throws(StorageError) -> PostgresCommand {
    try commands.command(statement, parameters, session)
  }

  private func answer(to command: PostgresCommand) throws(StorageError) -> Answer {
    try wire.send { Self.request(command, on: $0) }
    return try lastAnswer()
  }

  /// The same command by its plan, which the server keeps from its second use on: an answer's takes longer to make than to run.
  ///
  /// Called outside of a transaction. A server that keeps none, such as a pool in front of it that changes connections between transactions, is
  /// asked without from then on.
  func planned(_ command: PostgresCommand) -> PostgresCommand {
    lastState = ""
    let types = command.parameters.types
    guard let plan = plans.plan(of: command.text, types) else { return command }
    if !plan.isKept {
      // Somebody before on this connection of a pool's: the name is a hash of the statement.
      guard prepare(command, named: plan.name) || lastState == PostgresPlans.isThereAlready else {
        lastState = ""
        return command
      }
      lastState = ""
      plans.keep(command.text, types)
    }
    var planned = command
    planned.plan = plan.name
    return planned
  }

  /// - Returns: False after an error, whose state is then ``lastState``.
  private func prepare(_ command: PostgresCommand, named name: String) -> Bool {
    let types = command.parameters.types
    do throws(StorageError) {
      try wire.send { PQsendPrepare($0, name, command.text, Int32(types.count), types) }
      _ = try lastAnswer()
      return true
    } catch { return false }
  }

  /// True after an error for a plan that is not there or not right any longer; no plan is asked for from then on.
  func givesPlansUp() -> Bool { plans.givesUp(after: lastState) }

  /// Sends several statements at once (libpq's pipeline); what follows one that fails is not done.
  ///
  /// - Parameter changing: True for one transaction that may change something.
  /// - Returns: Their answers, in their order.
  /// - Throws: The first error; ``StorageError/unanswered(_:)`` of a change.
  @discardableResult func inOneRoundTrip(
    _ commands: [PostgresCommand], changing: Bool = false
  ) throws(StorageError) -> [Answer] {
    do throws(StorageError) {
      if commands.count == 1 { return [try answer(to: commands[0])] }
      return try answersInPipeline(commands)
    } catch { throw changing ? ofChange(error) : error }
  }

  private func answersInPipeline(_ commands: [PostgresCommand]) throws(StorageError) -> [Answer] {
    try wire.send { PQenterPipelineMode($0) }
    defer { PQexitPipelineMode(wire.connection) }
    for command in commands { try wire.send { Self.request(command, on: $0) } }
    try wire.send { PQpipelineSync($0) }
    return try answersOfPipeline()
  }

  /// libpq's request for a statement; 1 where it was taken.
  private static func request(_ command: PostgresCommand, on connection: OpaquePointer?) -> Int32 {
    let parameters = command.parameters
    return parameters.withPointers { pointers in
      if let plan = command.plan {
        return PQsendQueryPrepared(connection, plan, parameters.count, pointers, nil, nil, 0)
      }
      return PQsendQueryParams(
        connection, command.text, parameters.count, parameters.types, pointers, nil, nil, 0)
    }
  }

  /// Results up to the pipeline's end.
  private func answersOfPipeline() throws(StorageError) -> [Answer] {
    var answers: [Answer] = []
    var failure: StorageError?
    while true {
      guard let result = try wire.result() else {
        // The end of one statement's results; without a connection there is no other.
        guard wire.isOpen else { throw .lost(wire.words) }
        continue
      }
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
        PQclear(result)
        break
      }
      do throws(StorageError) { answers.append(try answer(result)) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return answers
  }

  /// The last answer to what was sent outside of a pipeline.
  ///
  /// - Throws: The first error.
  private func lastAnswer() throws(StorageError) -> Answer {
    var last: Answer?
    var failure: StorageError?
    while let result = try wire.result() {
      do throws(StorageError) { last = try answer(result) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    guard let last else { throw .lost(wire.words) }
    return last
  }

  /// Takes a result apart and frees it.
  private func answer(_ result: OpaquePointer) throws(StorageError) -> Answer {
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      return Answer(rows: PostgresRows.of(result), changed: Int(String(cString: PQcmdTuples(result))) ?? 0)
    default:
      // Those that a failed one aborts have none.
      let state = PostgresFault.state(of: result)
      if !state.isEmpty { lastState = state }
      throw PostgresFault.of(result, isConnected: wire.isOpen, wire.words)
    }
  }
}
