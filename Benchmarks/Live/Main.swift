import Glibc

/// Runs one loop from a device to itself for a while, so that its delay can be measured from outside:
/// `live-benchmark bare|aid|watched DEVICE SECONDS [PERIODS]`, at 44.1 kHz in periods of 64 frames;
/// `watched` is the aid while somebody looks at its spectra.
@main struct Main {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let seconds = Double(arguments[3]),
      let periods = arguments.count > 4 ? Int(arguments[4]) : 3, periods >= 2
    else {
      print("usage: live-benchmark bare|aid|watched DEVICE SECONDS [PERIODS]")
      exit(64)
    }
    switch arguments[1] {
    case "bare": exit(BareLoop.run(device: arguments[2], seconds: seconds, periods: periods))
    case "aid", "watched":
      exit(
        AidLoop.run(
          device: arguments[2], seconds: seconds, periods: periods, isWatched: arguments[1] == "watched"))
    default:
      print("usage: live-benchmark bare|aid|watched DEVICE SECONDS [PERIODS]")
      exit(64)
    }
  }
}
