import Glibc

/// Runs one loop from a device to itself for a while, so that its delay can be measured from outside:
/// `live-benchmark bare|silent|aid|watched DEVICE SECONDS [PERIODS [PERIOD [RATE]]]`, by default 3 periods of 64 frames at 44.1 kHz;
/// `silent` is the bare loop that plays silence, in whatever format a card takes; `watched` the aid while somebody looks at its
/// spectra.
@main struct Main {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2, let request = LoopRequest(arguments.dropFirst(2)) else { wrongUse() }
    switch arguments[1] {
    case "bare", "silent": exit(BareLoop.run(request, isHeard: arguments[1] == "bare"))
    case "aid", "watched": exit(AidLoop.run(request, isWatched: arguments[1] == "watched"))
    default: wrongUse()
    }
  }

  private static func wrongUse() -> Never {
    print("usage: live-benchmark bare|silent|aid|watched DEVICE SECONDS [PERIODS [PERIOD [RATE]]]")
    exit(64)
  }
}
