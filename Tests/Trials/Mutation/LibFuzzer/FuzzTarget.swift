/// A part of the program that reads what comes from outside, searched by libFuzzer.
///
/// The first byte of an input chooses the way in; the rest is what comes.
struct FuzzTarget {
  /// One way in: a kind, and the name of the material in it that inputs stand for.
  struct Way {
    let kind: Int
    let name: String
  }

  private(set) var kinds: [any MutationKind] = []
  private(set) var ways: [Way] = []

  /// Adds a kind of material.
  ///
  /// - Parameter names: Names of materials, where the kind tells them apart; each is a way of its own.
  mutating func add(_ kind: any MutationKind, names: [String] = [""]) {
    ways += names.map { Way(kind: kinds.count, name: $0) }
    kinds.append(kind)
  }

  /// Number of the way in that material of a kind takes: the one of its name, or of its name's ending.
  func way(of input: MutatedInput, in kind: Int) -> Int {
    let ending = input.name.split(separator: ".").last ?? ""
    return ways.firstIndex { $0.kind == kind && $0.name == input.name }
      ?? ways.firstIndex { $0.kind == kind && $0.name.hasSuffix("." + ending) }
      ?? ways.firstIndex { $0.kind == kind } ?? 0
  }

  /// Gives an input to the program.
  ///
  /// - Throws: ``MutationFault`` for a wrong answer; a refusal is a right one.
  mutating func read(_ input: [UInt8]) throws(MutationFault) {
    guard let first = input.first else { return }
    let way = ways[Int(first) % ways.count]
    do {
      _ = try kinds[way.kind].outcome(of: MutatedInput(name: way.name, bytes: Array(input.dropFirst())))
    } catch let fault as MutationFault {
      throw fault
    } catch {
      // The text of a refusal, too, is made without a crash, and says something.
      if "\(error)".isEmpty { throw MutationFault(text: "a refusal without words") }
    }
  }
}

/// The targets, by the word that `ONLY=` takes.
enum TargetName: String, CaseIterable {
  case card, pictures, control, configuration, audiogram

  func make(_ fixtures: Fixtures, scratch: String) throws -> FuzzTarget {
    var target = FuzzTarget()
    switch self {
    case .card: target.add(try HostileCards(), names: HostileCards.names)
    case .pictures: target.add(try Pictures(fixtures), names: Pictures.Way.allCases.map(\.rawValue))
    case .control:
      target.add(try DaemonLines(fixtures, scratch: scratch))
      target.add(try SignedCards(fixtures, scratch: scratch))
    case .configuration:
      target.add(
        try ConfigurationFiles(scratch: scratch),
        names: ["levels.toml", "files.toml", "microphone.json", "earphone.json", "audiogram.json"])
    case .audiogram:
      target.add(try AudiogramFiles(scratch: scratch), names: ["full.json", "long.csv", "no-ending"])
      target.add(try FHIRFiles(fixtures, scratch: scratch))
    }
    return target
  }
}
