import AuricleCommands
import AuricledCommand
// Nothing is called: what is linked leaves 34 MB out.
import CNoLanguageData
import DesktopCommand

/// One file under three names, because the libraries that all need are most of it: `auricle`, the command line, `auricled`, the daemon,
/// and `auricle-desktop`, its notices on the desktop.
@main enum Program {
  static func main() {
    let name = CommandLine.arguments.first?.split(separator: "/").last
    switch name.map(String.init) {
    case DaemonEntry.name: DaemonEntry.run()
    case DesktopEntry.name: DesktopEntry.run()
    default: Entry.run()
    }
  }
}
