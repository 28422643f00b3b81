import Base
import Procedures
import Service

/// The screen of a procedure: large, with one thing to do, how far it is and how long it may still take. It tells nothing from which an
/// answer could be guessed.
struct ProcedureScreen {
  private let title: String
  private let began = SystemTime.monotonic
  /// Share that was done when it began: of a procedure that is gone on with not 0; nil: not told yet.
  private var firstShare: Double?
  /// A sentence below what is shown, and when it goes, monotonic s.
  private var message: (text: String, until: Double)?

  /// Time that a message stays, s; own choice: long enough to be read, sounds go on meanwhile.
  private static let messageLength = 4.0

  init(title: String) { self.title = title }

  /// Takes note of the share that is done when the procedure begins, by its first news.
  mutating func begin(at share: Double) { firstShare = firstShare ?? share }

  /// Says something below what is shown, for a while.
  mutating func say(_ text: String) {
    message = (text, SystemTime.monotonic + Self.messageLength)
  }

  /// The screen with the escape sequences that put it in the place of the one before.
  ///
  /// - Parameter typed: Digits of a rating so far.
  func drawing(_ notice: ProcedureNotice, typed: String, size: TerminalSize) -> String {
    // Home, each line with its rest erased, and all below (ECMA-48: CUP, EL, ED).
    "\u{1B}[H" + lines(notice, typed: typed, size: size).map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
  }

  /// The same as lines.
  func lines(_ notice: ProcedureNotice, typed: String, size: TerminalSize) -> [String] {
    var lines = ["", "  " + title + (notice.trial.map { Self.words($0, notice.question) } ?? ""), ""]
    lines += instruction(notice, typed: typed).map { "  " + $0 }
    lines += ["", "  " + progress(notice.share), ""]
    if let room = notice.room { lines += ["  " + Self.words(room), ""] }
    if let note = notice.note { lines += ["  " + note, ""] }
    if let message, SystemTime.monotonic < message.until { lines += ["  " + message.text, ""] }
    lines.append("  p pause   q leave; what was answered is kept")
    // A narrow window gets more lines; a low one loses those between, and one that is both the ends.
    let broken = lines.flatMap { Self.broken($0, at: size.columns) }
    if broken.count(where: { !$0.isEmpty }) < size.rows { lines = broken }
    if lines.count >= size.rows { lines.removeAll(where: \.isEmpty) }
    return lines.prefix(max(1, size.rows - 1)).map { String($0.prefix(size.columns)) }
  }

  /// A line that is too long for a window as several of its words, each as far to the right as it begins.
  private static func broken(_ line: String, at columns: Int) -> [String] {
    let margin = String(line.prefix { $0 == " " })
    guard line.count > columns, columns > margin.count else { return [line] }
    return English.lines(line, of: columns - margin.count).map { margin + $0 }
  }

  /// Keys that a question takes, a sentence: for somebody who has pressed another one.
  static func keys(_ notice: ProcedureNotice) -> String {
    guard notice.phase == .sounding || notice.phase == .asking else { return "No key is waited for yet." }
    return switch notice.question {
    case .detection: "Only the SPACE BAR counts."
    case .adjustment: "Keys that count: ↑ or +, ↓ or -, Page ↑ or *, Page ↓ or /, and ENTER."
    case .comparison: "Keys that count: 1, 2 and SPACE."
    case .presence: "Keys that count: y and n."
    case .balance: "Keys that count: s or ↓, l or ↑, ENTER and SPACE."
    case .rating: "Keys that count: digits, BACKSPACE and ENTER."
    case .likeness: "Keys that count: digits, BACKSPACE, ENTER and SPACE."
    case .listening, nil: "No key is waited for yet."
    }
  }

  /// ", trial 2 of 3".
  private static func words(_ trial: ProcedureTrial, _ question: ProcedureStep.Question?) -> String {
    let noun =
      switch question {
      case .comparison: "comparison"
      case .rating, .likeness: "rating"
      default: "trial"
      }
    return ", \(noun) \(trial.number)" + (trial.count.map { " of \($0)" } ?? "")
  }

  private func instruction(_ notice: ProcedureNotice, typed: String) -> [String] {
    switch notice.phase {
    case .paused: return ["Paused.", "", "Any key goes on."]
    case .waitingForQuiet:
      guard notice.room?.level != nil else {
        return [
          "Listening to the room …", "",
          "If this stays, the microphone delivers no sound: q, and go on without it by --no-room.",
        ]
      }
      return ["The room is not quiet enough yet.", "", "It goes on by itself as soon as it is."]
    case .sounding, .asking, .finished, .broken: break
    }
    switch notice.question {
    case .detection:
      return [
        "Press the SPACE BAR as soon as you hear a tone,", "also when it is very soft.", "", "Listen …",
      ]
    case .adjustment:
      return [
        "Make the tone as loud as your tinnitus.", "", "  ↑ louder      ↓ softer        by a little",
        "  Page ↑        Page ↓          by more", "", "ENTER when it is as loud.",
      ]
    case .comparison:
      return [
        "Which tone is more like your tinnitus?", "",
        "  1  the first      2  the second      SPACE  both again",
        "", notice.phase == .sounding ? "Tone \(notice.sound ?? 1) …" : "Your answer?",
      ]
    case .presence:
      return [
        "Listen for your tinnitus beside the noise.", "", "  y  I still hear it      n  I do not hear it",
      ]
    case .rating:
      return [
        "How loud is your tinnitus now, in per cent of the usual?", "",
        "  0 gone    100 as usual    more than 100 louder", "", "\(typed)_   then ENTER",
      ]
    case .balance:
      return [
        "Is the tone softer or louder than your tinnitus?", "",
        "  s  softer      l  louder      ENTER  as loud      SPACE  once more",
      ]
    case .likeness:
      return [
        "How much is the sound like your tinnitus?", "",
        "  0 not at all    100 just like it    SPACE  once more", "",
        "\(typed)_   then ENTER",
      ]
    case .listening: return ["Listen to the noise. It lasts a minute."]
    case nil: return ["…"]
    }
  }

  private func progress(_ share: Double) -> String {
    let filled = Int(min(max(share, 0), 1) * 40)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 40 - filled)
    let left = Self.timeLeft(share, since: firstShare ?? 0, after: SystemTime.monotonic - began)
    return "[\(bar)]" + (left.map { "  about \(($0 / 60).rounded(.up).shortText) min left" } ?? "")
  }

  /// Time that the rest takes at the pace so far, s; nil: nothing is left, or too little was done.
  ///
  /// - Parameters:
  ///   - share: Done, 0…1.
  ///   - first: Share that was done when it began.
  ///   - elapsed: Time since then, s.
  static func timeLeft(_ share: Double, since first: Double, after elapsed: Double) -> Double? {
    // Before a tenth is done an estimate is worth nothing.
    guard share - first > 0.1, share < 1 else { return nil }
    return elapsed * (1 - share) / (share - first)
  }

  private static func words(_ room: ProcedureNotice.Room) -> String {
    let level = room.level.map { "\($0.rounded().shortText) dB(A)" } ?? "no sound from the microphone"
    return "Room: \(level); it must be below \(room.threshold.shortText) dB(A)."
  }
}
