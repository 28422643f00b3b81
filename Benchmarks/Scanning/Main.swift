import CardPictures
import Glibc

/// `scan-trial trials [PAGES] [CHARACTERS]`: the table of docs/scanning.md. `scan-trial fuzz [FILES]`: mutated files.
@main struct Main {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    let number = words.dropFirst().first.flatMap(Int.init)
    switch words.first {
    case "trials": try table(pages: number ?? 200, sizes: words.dropFirst(2).compactMap(Int.init))
    case "fuzz": Fuzz(count: number ?? 20_000).run()
    default:
      print("usage: scan-trial trials [PAGES] [CHARACTERS ...] | scan-trial fuzz [FILES]")
      exit(64)
    }
  }

  private static func table(pages: Int, sizes: [Int]) throws {
    print("| characters | correction | version | px a module | condition | read | mean ms | p99 ms |")
    print("|---:|---|---:|---:|---|---:|---:|---:|")
    var dice = Dice(seed: 1)
    for size in CardSize.all where sizes.isEmpty || sizes.contains(size.characters) {
      let symbol = try QRSymbol(text: size.text(dice: &dice), correction: size.correction)
      let module = Double(Trial.side) / Double(symbol.side)
      for condition in Condition.allCases {
        let trial = try Trial(size, condition, count: pages)
        print(
          "| \(size.characters) | \(size.correction.rawValue) | \(symbol.version) | \(fixed(module, 2)) "
            + "| \(condition.rawValue) | \(trial.read)/\(trial.tried) | \(fixed(trial.mean, 0)) "
            + "| \(fixed(trial.slowest, 0)) |")
        fflush(nil)
      }
    }
  }

  static func fixed(_ value: Double, _ places: Int) -> String {
    let factor = pow(10, Double(places))
    let whole = Int((value * factor).rounded())
    guard places > 0 else { return "\(whole)" }
    let digits = String(repeating: "0", count: places) + "\(whole)"
    let cut = digits.index(digits.endIndex, offsetBy: -places)
    let front = digits[..<cut].drop { $0 == "0" }
    return (front.isEmpty ? "0" : String(front)) + "." + digits[cut...]
  }
}
