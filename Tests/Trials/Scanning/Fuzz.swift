import Base
import Glibc
import Paper
import PaperTesting

/// Reads files that were damaged on purpose, and reports what it cost.
struct Fuzz {
  let count: Int

  func run() {
    var dice = SeededNumbers(seed: 20_000)
    let originals = Self.originals(&dice)
    var outcomes: [String: Int] = [:]
    var slowest = Duration.zero
    for n in 0..<count {
      var bytes = originals[n % originals.count]
      Self.mutate(&bytes, &dice)
      let start = ProcessorClock.now
      let outcome: String
      do {
        outcome = try PictureReader.texts(in: bytes).isEmpty ? "nothing" : "read"
      } catch {
        outcome = "\(error)".prefix { $0 != "(" && $0 != ";" && $0 != "." }.description
      }
      let time = ProcessorClock.now - start
      slowest = max(slowest, time)
      outcomes[outcome, default: 0] += 1
    }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    print(
      "files=\(count) crashes=0 slowest=\(Int(slowest / .milliseconds(1)))ms peak=\(usage.ru_maxrss / 1024)MB"
    )
    for (outcome, number) in outcomes.sorted(by: { $0.value > $1.value }).prefix(12) {
      print("\(number)\t\(outcome)")
    }
  }

  /// Small files, so that most mutations fall on something that matters: whole and cropped cards, PNG and JPEG.
  static func originals(_ dice: inout SeededNumbers) -> [[UInt8]] {
    var files: [[UInt8]] = []
    for characters in [40, 300] {
      let text = CardSize(characters: characters, correction: .low).text(dice: &dice)
      guard let symbol = try? QRSymbol(text: text) else { continue }
      let picture = symbol.raster(width: (symbol.side + 8) * 3)
      files += [picture.png(), picture.jpeg(quality: 80), picture.jpeg(quality: 30)]
      files.append(picture.noisy(sigma: 20, dice: &dice).png())
    }
    return files
  }

  /// Changes, repeats, removes or cuts off some bytes; a header's more often than their share.
  static func mutate(_ bytes: inout [UInt8], _ dice: inout SeededNumbers) {
    for _ in 0..<Int.random(in: 1...8, using: &dice) where bytes.count > 16 {
      let range = Bool.random(using: &dice) ? 0..<min(700, bytes.count) : 0..<bytes.count
      let place = Int.random(in: range, using: &dice)
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
      case 1: bytes[place] = .random(in: 0...255, using: &dice)
      case 2: bytes[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &dice)!
      case 3: bytes.insert(.random(in: 0...255, using: &dice), at: place)
      case 4: bytes.remove(at: place)
      case 5:
        let piece = bytes[place..<min(bytes.count, place + Int.random(in: 1...64, using: &dice))]
        bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count, using: &dice))
      case 6:
        for k in place..<min(bytes.count, place + 4) { bytes[k] = .random(in: 0...255, using: &dice) }
      default:
        if Int.random(in: 0..<4, using: &dice) == 0 { bytes.removeLast(bytes.count - place) }
      }
    }
    if Bool.random(using: &dice) { PNGChecksums.repair(&bytes) }
  }
}
