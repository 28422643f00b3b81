/// One way from outside into the program, with valid material to begin from.
protocol MutationKind {
  var shelf: MaterialShelf { get }
  /// What becomes of material as it is: a trial whose valid material is refused would try nothing.
  static var good: Set<String> { get }
  /// Gives a case to the program as it would come.
  ///
  /// - Returns: What became of it, a few words.
  /// - Throws: ``MutationFault`` for a wrong answer; every other error is a refusal.
  mutating func outcome(of input: MutatedInput) throws -> String
}

/// Something that may not happen, although the process lives.
struct MutationFault: Error {
  let text: String
}

/// The kinds, by the word that the command line takes.
enum KindName: String, CaseIterable {
  case cards, fhir, audiograms, book, configurations, sounds, state, control

  /// - Parameters:
  ///   - fixtures: Valid material.
  ///   - scratch: A folder of this process alone.
  func make(_ fixtures: Fixtures, scratch: String) throws -> any MutationKind {
    switch self {
    case .cards: try SignedCards(fixtures, scratch: scratch)
    case .fhir: try FHIRFiles(fixtures, scratch: scratch)
    case .audiograms: try AudiogramFiles(scratch: scratch)
    case .book: try BookPages(fixtures, scratch: scratch)
    case .configurations: try ConfigurationFiles(scratch: scratch)
    case .sounds: try SoundFiles(scratch: scratch)
    case .state: try StateFiles(fixtures, scratch: scratch)
    case .control: try ControlLines(fixtures, scratch: scratch)
    }
  }
}

/// What a trial goes through: cases by number.
protocol TrialCases {
  /// Numbers of a trial of about `count` cases.
  func numbers(_ count: Int) -> [Int]
  func input(_ number: Int, seed: UInt64) -> MutatedInput
  mutating func outcome(of input: MutatedInput) throws -> String
  /// - Throws: ``MutationFault`` when valid material is refused.
  mutating func check() throws
}

/// The cases of a kind.
struct KindCases: TrialCases {
  private var kind: any MutationKind

  init(_ kind: any MutationKind) { self.kind = kind }

  mutating func check() throws {
    for input in kind.shelf.unchanged {
      let found = try outcome(of: input)
      guard type(of: kind).good.contains(found) else {
        throw MutationFault(text: "\(input.name), which is valid: \(found)")
      }
    }
  }

  func numbers(_ count: Int) -> [Int] { kind.shelf.numbers(count) }
  func input(_ number: Int, seed: UInt64) -> MutatedInput { kind.shelf.input(number, seed: seed) }

  mutating func outcome(of input: MutatedInput) throws -> String {
    do {
      return try kind.outcome(of: input)
    } catch let fault as MutationFault {
      throw fault
    } catch {
      // Its text too must be made without a crash.
      return "\(error)".isEmpty ? "refused without words" : "refused"
    }
  }
}
