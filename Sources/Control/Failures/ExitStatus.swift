/// How a command ended, as the number its caller sees.
///
/// Values above 1 are those of sysexits.h, so that a service manager can tell what trying again would
/// help (`temporary`) from what it would not (`configuration`); 128 + n is a shell's word for signal n.
public enum ExitStatus: Int32, Sendable, Codable, CaseIterable {
  /// Done.
  case done = 0
  /// The question was answered, and the answer is no.
  case no = 1
  /// The command line is wrong (EX_USAGE).
  case usage = 64
  /// A file's content is wrong, an audiogram's for instance (EX_DATAERR).
  case badData = 65
  /// A file that was named is not there (EX_NOINPUT).
  case noInput = 66
  /// The daemon does not answer (EX_UNAVAILABLE).
  case unavailable = 69
  /// A fault of this program (EX_SOFTWARE).
  case software = 70
  /// The system refused something it normally grants (EX_OSERR).
  case system = 71
  /// An output file cannot be made (EX_CANTCREAT).
  case cannotCreate = 73
  /// Reading, writing or sound failed on the way (EX_IOERR).
  case inputOutput = 74
  /// Busy or absent at the moment; trying again can help (EX_TEMPFAIL).
  case temporary = 75
  /// The daemon speaks another version of the protocol (EX_PROTOCOL).
  case protocolMismatch = 76
  /// Not allowed (EX_NOPERM).
  case noPermission = 77
  /// The configuration is wrong; starting again does not help (EX_CONFIG).
  case configuration = 78
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143
}
