import ArgumentParser
import Base
import Control
import Engine
import Service

/// `auricle stream`: calls and music from another program.
struct StreamCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "stream",
    abstract:
      "Hear calls and music from another program through the prescription, or show what is heard of them.",
    discussion: """
      on begins with silence and rises; off is kept until it is turned on again. up and down are 2 dB; a number is \
      the level in dB: at 0, sound of −20 dB FS is heard as speech at 65 dB SPL is. Where the prescription does not \
      let volume be turned up, 0 is the highest. balance takes away from one ear: 3 makes the left one 3 dB softer, \
      -3 the right one. While there is sound, the microphones are lowered by stream.microphones of the \
      configuration. The device is device.stream; auricle(1) says how to make one.

      EXAMPLE: auricle stream on
      EXAMPLE: auricle stream -6
      EXAMPLE: auricle stream balance 3
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: .init(
      "on, off, up, down, reset, a level in dB such as -6, or balance and a number.", valueName: "change"),
    completion: .list(["on", "off", "up", "down", "reset", "balance"]))
  var change: [String] = []

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    // Words that are not understood are refused with and without a daemon.
    let call = try StreamWords(change).call
    let client = try options.socket.client()
    guard var answer = if let call { try client.ask(call) } else { try present(client) } else {
      return try show(
        DoneReport(
          message:
            "Stream: none. device.stream of the configuration names no device; how to make one: auricle(1), under stream."
        ))
    }
    var lines = [answer.message]
    if answer.stream.state == .waiting, let reason = answer.stream.reason {
      lines.append("It waits: \(reason).")
    }
    if answer.state?.isMuted == true {
      lines.append("Muted. Sound again with: auricle unmute")
    } else if answer.stream.state != .off, let state = answer.state, state.name != .running {
      lines.append("No sound is playing; it is heard after: auricle start")
    }
    answer.state = nil
    return try show(answer, lines.joined(separator: "\n"))
  }

  /// The stream now; nil: the configuration names no device.
  private func present(_ client: ControlClient) throws(Failure) -> StreamAnswer? {
    let status = try client.ask(ReportMethods.Status())
    guard let stream = status.stream else { return nil }
    return StreamAnswer(message: "Stream: \(StreamText.line(stream)).", stream: stream, state: status.state)
  }
}

/// Words of a command line about a stream.
struct StreamWords {
  /// Request to the daemon; nil: nothing is written.
  let call: StreamMethods.Set?

  /// - Throws: ``Failure`` with ``ExitStatus/usage``.
  init(_ given: [String]) throws(Failure) {
    // As other commands take it: what follows is no option.
    let words = given.first == "--" ? Array(given.dropFirst()) : given
    switch words {
    case []: call = nil
    case ["on"]: call = StreamMethods.Set(on: true)
    case ["off"]: call = StreamMethods.Set(on: false)
    case ["up"]: call = StreamMethods.Set(changeDB: StreamingSettings.step)
    case ["down"]: call = StreamMethods.Set(changeDB: -StreamingSettings.step)
    case ["reset"]: call = StreamMethods.Set(levelDB: 0, balanceDB: 0)
    default:
      let isBalance = words.first == "balance"
      let range = isBalance ? StreamingSettings.balances : StreamingSettings.levels
      guard words.count == (isBalance ? 2 : 1), let word = words.last, let value = Self.number(word),
        range.contains(value)
      else { throw Self.failure(words) }
      call = isBalance ? StreamMethods.Set(balanceDB: value) : StreamMethods.Set(levelDB: value)
    }
  }

  /// A number of dB in digits with one point: anything else that Swift reads, such as hexadecimal, is a slip of the finger.
  private static func number(_ word: String) -> Double? {
    let digits = word.drop { "+-−".contains($0) }
    guard word.count - digits.count <= 1, digits.allSatisfy({ "0123456789.".contains($0) }),
      let value = Double(digits)
    else { return nil }
    return word.hasPrefix("-") || word.hasPrefix("−") ? -value : value
  }

  private static func failure(_ words: [String]) -> Failure {
    let (levels, balances) = (StreamingSettings.levels, StreamingSettings.balances)
    func range(_ range: ClosedRange<Double>) -> String {
      "\(NumberText.exact(range.lowerBound)) to \(NumberText.exact(range.upperBound))"
    }
    return Failure(
      "stream", found: words.joined(separator: " "),
      expected:
        "on, off, up, down, reset, a level of \(range(levels)) dB, or balance and \(range(balances)) dB",
      remedy: "For instance: auricle stream on", exit: .usage)
  }
}
