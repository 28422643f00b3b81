import ArgumentParser
import AuricleClient
import Base
import Control
import Glibc
import Service

/// A role that is proved before a command asks the daemon.
enum ProvenRole: String, ExpressibleByArgument, CaseIterable {
  case audiologist, developer

  /// Has the connection given the role: by an open pass at once, otherwise by the password, which auricle-auth asks for.
  ///
  /// - Throws: ``Failure``: ``ExitStatus/noPermission`` when it is refused, ``ExitStatus/unavailable`` without
  ///   auricle-auth.
  func prove(to client: ControlClient) throws(Failure) {
    let role = Role(rawValue: rawValue) ?? .developer
    guard let challenge = try client.ask(RoleMethods.Begin(role)).challenge else { return }
    let proof = RoleProof(try Self.place(for: client))
    let terminal = TerminalLine(of: "role \(rawValue)")
    _ = try proof.prove(
      challenge: challenge, role: rawValue,
      ask: { (prompt, isShown) throws(Failure) in try terminal.ask(prompt, isShown: isShown) },
      tell: { text, _ in StandardError.write(text + "\n") })
  }

  /// Place of the proof: the session's auricle-auth proves nothing to a clinic's aid, whose user is not its operator.
  private static func place(for client: ControlClient) throws(Failure) -> RoleProof.Place {
    let paths = StandardPaths.current
    let usual = paths.proofPlace(ofDaemonAt: client.path) { access($0, F_OK) == 0 }
    let systems = paths.proofPlace(ofDaemonAt: client.path) { _ in false }
    if usual == systems { return usual }
    return try client.ask(DeviceMethods.Show()).wearerIsOperator ? usual : systems
  }
}
