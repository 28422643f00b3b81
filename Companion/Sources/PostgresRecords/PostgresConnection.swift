import CPQ
import Glibc
import Records

/// One connection of libpq.
///
/// - Threads: one at a time.
final class PostgresConnection: @unchecked Sendable {
  private let connection: OpaquePointer?
  /// SQLSTATE of the last error.
  private var lastState = ""
  private var commands = PostgresCommands()
  /// Commands that the server keeps with their plans.
  private var plans = PostgresPlans()

  /// - Parameter role: Role that it takes on, one of which the login is a member.
  init(_ address: String, role: String?) throws(StorageError) {
    // libpq's own words name the part that it does not understand, which may be one of a password.
    guard PostgresAddress(address) != nil else {
      throw .lost(
        "libpq cannot read the address; expected words such as host=/run/postgresql dbname=companion, with values that have spaces in '…'"
      )
    }
    connection = PQconnectdb(address)
    guard PQstatus(connection) == CONNECTION_OK else { throw .lost(words) }
    // Rows are looked up by their keys: a plan for one is right for all, and is made once.
    try simple(
      """
      SET client_encoding = '\(serverEncoding)'; SET client_min_messages = warning; SET standard_conforming_strings = on;
      SET bytea_output = hex; SET plan_cache_mode = force_generic_plan
      """)
    if let role { try simple("SET ROLE \(role)") }
  }

  deinit { PQfinish(connection) }

  /// False where the server has said something since it was given back, which it does when it ends. Asks the server nothing.
  var isAlive: Bool {
    var socket = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
    return PQstatus(connection) == CONNECTION_OK && poll(&socket, 1, 0) == 0
  }

  /// True when it can be given to others: alive, and without a transaction, which is taken back where one is open.
  var isClean: Bool {
    if PQtransactionStatus(connection) != PQTRANS_IDLE { takeBack() }
    return PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_IDLE
      && PQpipelineStatus(connection) == PQ_PIPELINE_OFF
  }

  /// Encoding of the database. The connection has the same, whatever address and environment say, so that no text is converted: all are UTF-8
  /// here, and a database that was made in another encoding keeps their bytes.
  private var serverEncoding: String {
    PQparameterStatus(connection, "server_encoding").map { String(cString: $0) } ?? "UTF8"
  }

  private var words: String {
    String(cString: PQerrorMessage(connection)).split(whereSeparator: \.isNewline).joined(separator: "; ")
  }

  // MARK: - Statements

  struct Answer {
    let rows: [Row]
    let changed: Int
  }

  /// One statement or several without parameters.
  func simple(_ text: String) throws(StorageError) { _ = try answer(PQexec(connection, text)) }

  /// After an error: nothing of the transaction is kept. Where the connection is gone, the server takes it back by itself.
  func takeBack() {
    guard PQtransactionStatus(connection) != PQTRANS_IDLE else { return }
    PQclear(PQexec(connection, "ROLLBACK"))
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
    let parameters = command.parameters
    return try answer(
      parameters.withPointers { pointers in
        if let plan = command.plan {
          PQexecPrepared(connection, plan, parameters.count, pointers, nil, nil, 0)
        } else {
          PQexecParams(connection, command.text, parameters.count, parameters.types, pointers, nil, nil, 0)
        }
      })
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
      let result = PQprepare(connection, plan.name, command.text, Int32(types.count), types)
      defer { PQclear(result) }
      // Somebody before on this connection of a pool's: the name is a hash of the statement.
      let isThere = PostgresFault.state(of: result) == PostgresPlans.isThereAlready
      guard PQresultStatus(result) == PGRES_COMMAND_OK || isThere else { return command }
      plans.keep(command.text, types)
    }
    var planned = command
    planned.plan = plan.name
    return planned
  }

  /// True after an error for a plan that is not there or not right any longer; no plan is asked for from then on.
  func givesPlansUp() -> Bool { plans.givesUp(after: lastState) }

  /// Sends several statements at once (libpq's pipeline); what follows one that fails is not done.
  ///
  /// - Returns: Their answers, in their order.
  /// - Throws: The first error.
  @discardableResult func inOneRoundTrip(_ commands: [PostgresCommand]) throws(StorageError) -> [Answer] {
    if commands.count == 1 { return [try answer(to: commands[0])] }
    guard PQenterPipelineMode(connection) == 1 else { throw .lost(words) }
    defer { PQexitPipelineMode(connection) }
    for command in commands {
      guard queue(command) else { throw .lost(words) }
    }
    guard PQpipelineSync(connection) == 1 else { throw .lost(words) }
    return try answersOfPipeline()
  }

  private func queue(_ command: PostgresCommand) -> Bool {
    let parameters = command.parameters
    return parameters.withPointers { pointers in
      if let plan = command.plan {
        return PQsendQueryPrepared(connection, plan, parameters.count, pointers, nil, nil, 0) == 1
      }
      return PQsendQueryParams(
        connection, command.text, parameters.count, parameters.types, pointers, nil, nil, 0) == 1
    }
  }

  /// Results up to the pipeline's end.
  private func answersOfPipeline() throws(StorageError) -> [Answer] {
    var answers: [Answer] = []
    var failure: StorageError?
    while true {
      guard let result = PQgetResult(connection) else {
        // The end of one statement's results; without a connection there is no other.
        if PQstatus(connection) != CONNECTION_OK { throw .lost(words) }
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

  /// Takes a result apart and frees it.
  private func answer(_ result: OpaquePointer?) throws(StorageError) -> Answer {
    guard let result else { throw .lost(words) }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      return Answer(rows: PostgresRows.of(result), changed: Int(String(cString: PQcmdTuples(result))) ?? 0)
    default:
      // Those that a failed one aborts have none.
      let state = PostgresFault.state(of: result)
      if !state.isEmpty { lastState = state }
      throw PostgresFault.of(result, isConnected: PQstatus(connection) == CONNECTION_OK, words)
    }
  }
}
