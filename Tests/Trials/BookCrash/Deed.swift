/// What the writer does, as it tells the trial before and after.
enum Deed: Equatable {
  case final(serial: Int)
  case trial(serial: Int)
  case accept
  case revert

  var text: String {
    switch self {
    case .final(let serial): "final \(serial)"
    case .trial(let serial): "trial \(serial)"
    case .accept: "accept"
    case .revert: "revert"
    }
  }

  init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ")
    switch (words.first, words.count) {
    case ("final", 2): self = .final(serial: Int(words[1]) ?? 0)
    case ("trial", 2): self = .trial(serial: Int(words[1]) ?? 0)
    case ("accept", 1): self = .accept
    case ("revert", 1): self = .revert
    default: return nil
    }
  }
}

/// What should be in the book, told from the deeds alone.
struct Model: Equatable {
  /// Serials that were final, newest last.
  var final: [Int] = []
  var trial: Int?
  /// Serials in the book.
  var count = 0

  func after(_ deed: Deed) -> Model {
    var next = self
    switch deed {
    case .final(let serial):
      next.final.append(serial)
      next.trial = nil
      next.count += 1
    case .trial(let serial):
      next.trial = serial
      next.count += 1
    case .accept:
      if let trial { next.final.append(trial) }
      next.trial = nil
    case .revert:
      if trial != nil { next.trial = nil } else { next.final.removeLast() }
    }
    return next
  }
}
