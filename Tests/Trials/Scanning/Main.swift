import Base
import Glibc
import Paper

/// `scan-trial trials [PAGES] [CHARACTERS ...]`: the table of docs/scanning.md.
/// `scan-trial sheet [PAGES] FILE.png`: the same with a page that was drawn elsewhere.
/// `scan-trial hostile [ROUNDS]`: pages that cost much to look through; exit status 1 when one takes more than a second.
/// `scan-trial fuzz [FILES]`: mutated files.
@main struct Main {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    let number = words.dropFirst().first.flatMap(Int.init)
    switch words.first {
    case "trials": try table(pages: number ?? 200, sizes: words.dropFirst(2).compactMap(Int.init))
    case "sheet": try sheet(pages: number ?? 200, path: words.last ?? "")
    case "hostile": if !HostilePages.run(rounds: max(1, number ?? 5)) { exit(EXIT_FAILURE) }
    case "fuzz": Fuzz(count: number ?? 20_000).run()
    default:
      print(
        "usage: scan-trial trials [PAGES] [CHARACTERS ...] | scan-trial sheet [PAGES] FILE.png"
          + " | scan-trial hostile [ROUNDS] | scan-trial fuzz [FILES]"
      )
      exit(64)
    }
  }

  private static func table(pages: Int, sizes: [Int]) throws {
    print("| characters | correction | version | px a module | condition | read | mean ms | p99 ms |")
    print("|---:|---|---:|---:|---|---:|---:|---:|")
    var dice = SeededNumbers(seed: 1)
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

  private static func sheet(pages: Int, path: String) throws {
    let page = try PictureReader.picture(png: bytes(of: path))
    let texts = PictureReader.texts(in: page)
    print(
      "\(page.width) by \(page.height) pixels, \(texts.count) code(s) of \(texts.map(\.count)) characters")
    print("| condition | read | mean ms | p99 ms |")
    print("|---|---:|---:|---:|")
    for condition in Condition.allCases where condition != .two {
      let trial = try Trial(page, bearing: texts, condition, count: pages)
      print(
        "| \(condition.rawValue) | \(trial.read)/\(trial.tried) | \(fixed(trial.mean, 0)) "
          + "| \(fixed(trial.slowest, 0)) |")
      fflush(nil)
    }
  }

  private static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: PictureReader.mostBytes)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
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
