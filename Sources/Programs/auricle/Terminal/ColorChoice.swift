import Base
import Glibc

/// Choice of coloured output.
enum ColorChoice: String, Sendable, CaseIterable {
  /// On a terminal, unless the environment says otherwise.
  case auto
  case always
  case never

  /// Decides for one stream.
  ///
  /// In this order: the choice itself, `NO_COLOR` (no-color.org: set and not empty), `CLICOLOR_FORCE` (set and
  /// not `0`), `TERM=dumb`, whether the stream is a terminal.
  func isOn(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let value = environment["NO_COLOR"], !value.isEmpty { return false }
    if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
    if environment["TERM"] == "dumb" { return false }
    return isTerminal
  }

  /// Decides for standard output or standard error of this process.
  func isOn(for descriptor: Int32) -> Bool {
    isOn(environment: ProcessEnvironment.variables, isTerminal: isatty(descriptor) == 1)
  }
}
