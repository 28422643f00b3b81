/// A database that did not do what it was asked.
public enum StorageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A rule of the tables stands against it: a key that is there already, a reference to nothing, a value out of range.
  case constraint(String)
  /// There is no room left.
  case full(String)
  /// The database is gone, or was never there: nothing is known to be saved.
  case lost(String)
  /// The connection ended behind a change, before the server's reply: nobody knows whether it was saved. The caller says
  /// by which command that is seen.
  case unanswered(String)
  /// The file or the tables are not this program's, or not whole.
  case damaged(String)
  /// Somebody else holds it for longer than is waited for.
  case busy(String)
  /// The identity may not do it.
  case forbidden(String)
  /// A migration that was applied has another content now.
  case editedMigration(Int)
  /// The tables are of a later version of the program.
  case laterSchema(found: Int, known: Int)
  /// The tables are of an earlier version of the program, or not made: 0.
  case olderSchema(found: Int, known: Int)
  /// A fault of a statement, which is one of this program.
  case wrongStatement(String)

  public var description: String {
    switch self {
    case .constraint(let reason): "the database refuses it: \(reason)"
    case .full(let reason): "not saved, there is no room left: \(reason); make room and try again"
    case .lost(let reason):
      "the database cannot be reached, nothing was saved: \(reason); try again when it can"
    case .unanswered(let reason):
      "the connection ended before the server's reply, so it is not known whether this was saved: \(reason)"
    case .damaged(let reason): "the database is damaged: \(reason); put a copy of it in its place"
    case .busy(let reason): "not saved, another program holds the database: \(reason); try again"
    case .forbidden(let reason): "this is not allowed: \(reason)"
    case .editedMigration(let number):
      "migration \(number) has been changed since it was applied; put the former file back, and add another"
    case .laterSchema(let found, let known):
      "the database is of version \(found), this program knows \(known); use the newer program"
    case .olderSchema(let found, let known):
      "found \(found == 0 ? "no tables that this login sees" : "tables of version \(found)"), expected version \(known); "
        + "prepare the database: auricle study database prepare"
    case .wrongStatement(let reason): "a statement is wrong, which is a fault of this program: \(reason)"
    }
  }
}
