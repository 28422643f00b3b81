import AuricleCommands
import AuricledCommand
// Nothing is called: what is linked leaves 34 MB out.
import CNoLanguageData

/// One file under two names, because the libraries that both need are most of it: `auricle`, the command line, and
/// `auricled`, the daemon.
@main enum Program {
  static func main() {
    let name = CommandLine.arguments.first?.split(separator: "/").last
    if name.map(String.init) == DaemonEntry.name { DaemonEntry.run() } else { Entry.run() }
  }
}
