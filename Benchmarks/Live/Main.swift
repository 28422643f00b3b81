import Glibc

/// Runs one loop from a device to itself for a while, so that its delay can be measured from outside:
/// `live-benchmark bare|aid DEVICE SECONDS [PERIODS]`, at 44.1 kHz in periods of 64 frames.
@main struct Main {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let seconds = Double(arguments[3]),
      let periods = arguments.count > 4 ? Int(arguments[4]) : 3, periods >= 2
    else {
      print("usage: live-benchmark bare|aid DEVICE SECONDS [PERIODS]")
      exit(64)
    }
    switch arguments[1] {
    case "bare": exit(BareLoop.run(device: arguments[2], seconds: seconds, periods: periods))
    case "aid": exit(AidLoop.run(device: arguments[2], seconds: seconds, periods: periods))
    default:
      print("usage: live-benchmark bare|aid DEVICE SECONDS [PERIODS]")
      exit(64)
    }
  }
}
