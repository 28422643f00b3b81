import Acoustics
import Base
import Control
import Service

/// One line of `auricle debug`.
enum DebugLine {
  case set(DebugMethods.Set)
  case stage(DebugMethods.Stage)
  case compare(DebugMethods.Compare)
  case show
  /// s.
  case wait(Double)
  case help
  case end

  /// Every line, for people.
  static let all = """
    set threshold right 2000 +5   threshold of an ear at a frequency, dB; off: as measured
    set attack 10ms               release, compression-ratio, noise-reduction, impulse-softening,
                                  wind-relief, expansion, binaural-link likewise; off: as before
    stage noise-reduction off     impulse-softening, wind-relief, expansion, feedback-canceller,
                                  frequency-lowering, tinnitus-sound, compression, slow-average,
                                  binaural-link likewise; on: as before
    compare                       as prescribed and as changed in turn, equally loud
    show                          everything that is changed
    wait 3s                       lets time pass
    end                           ends debug mode
    """

  /// Longest wait, s.
  private static let longestWait = 600.0

  /// Nil for an empty line and a comment.
  ///
  /// - Throws: ``Failure`` for a line that is not understood.
  init?(_ line: String) throws(Failure) {
    let words = line.prefix { $0 != "#" }.split { $0.isWhitespace }.map(String.init)
    guard let verb = words.first else { return nil }
    let rest = Array(words.dropFirst())
    switch (verb, rest.count) {
    case ("set", 4) where rest[0] == DebugMethods.Set.threshold:
      guard let ear = Ear(rawValue: rest[1]) else {
        throw Self.failure("ear", found: rest[1], expected: "left or right")
      }
      let frequency = try Self.number("frequency", rest[2], Quantity.frequency)
      let change = try Self.value("threshold", rest[3])
      self = .set(try Self.checked(DebugMethods.Set(rest[0], to: change, ear: ear, at: frequency)))
    case ("set", 2) where rest[0] != DebugMethods.Set.threshold:
      self = .set(try Self.checked(DebugMethods.Set(rest[0], to: try Self.value(rest[0], rest[1]))))
    case ("stage", 2):
      guard ["on", "off"].contains(rest[1]) else {
        throw Self.failure(rest[0], found: rest[1], expected: "on or off")
      }
      self = .stage(try Self.checked(DebugMethods.Stage(rest[0], on: rest[1] == "on")))
    case ("compare", 0...1): self = .compare(try Self.checked(DebugMethods.Compare(rest.first)))
    case ("show", 0): self = .show
    case ("wait", 1):
      let time = try Self.number("wait", rest[0], .time)
      guard 0...Self.longestWait ~= time else {
        throw Self.failure("wait", found: rest[0], expected: "0 to 600 s")
      }
      self = .wait(time)
    case ("help", 0), ("?", 0): self = .help
    case ("end", 0), ("quit", 0): self = .end
    default:
      throw Failure(
        "auricle debug", found: PrintableText.short(line),
        expected: "set, stage, compare, show, wait, help or end with what belongs to it",
        remedy: "All of them: help", exit: .usage)
    }
  }

  /// A method whose words are known.
  private static func checked<Method: ControlMethod>(_ method: Method) throws(Failure) -> Method {
    do throws(ControlFailure) { try method.check() } catch {
      throw Failure("auricle debug", inWords: String(error.message.dropLast()), exit: .usage)
    }
    return method
  }

  /// A value, or nil for `off`.
  private static func value(_ name: String, _ text: String) throws(Failure) -> Double? {
    if text == "off" { return nil }
    let isTime = ["attack", "release"].contains(name)
    return try number(
      name, text, isTime ? .time : name == "compression-ratio" ? .ratio : .soundPressureLevel)
  }

  private static func number(
    _ name: String, _ text: String, _ quantity: Quantity
  ) throws(Failure) -> Double {
    guard let value = quantity.value(of: text) else {
      let unit =
        quantity == .soundPressureLevel ? " in dB" : quantity.unit.isEmpty ? "" : " in \(quantity.unit)"
      throw failure(name, found: PrintableText.short(text), expected: "a number\(unit), or off")
    }
    return value
  }

  private static func failure(_ subject: String, found: String, expected: String) -> Failure {
    Failure(subject, found: found, expected: expected, exit: .usage)
  }
}
