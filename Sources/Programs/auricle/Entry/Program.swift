import AuricleCommands
import AuricledCommand
// Nothing is called: what is linked leaves 34 MB out.
import CNoLanguageData
import DesktopCommand
import Glibc

/// One file under three names, because the libraries that all need are most of it: `auricle`, the command line, `auricled`, the daemon,
/// and `auricle-desktop`, its notices on the desktop.
@main enum Program {
  static func main() {
    let words = CommandLine.arguments
    // Swift's runtime finds them by /proc/self/maps. A command that is not known must not end well, nor a daemon be another program.
    guard !words.isEmpty else {
      let text = "auricle: The words of the command line cannot be read (/proc/self/maps). Try again.\n"
      write(STDERR_FILENO, text, text.utf8.count)
      // EX_OSERR.
      exit(71)
    }
    switch words[0].split(separator: "/").last.map(String.init) {
    case DaemonEntry.name: DaemonEntry.run()
    case DesktopEntry.name: DesktopEntry.run()
    default: Entry.run()
    }
  }
}
