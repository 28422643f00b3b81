import Base
import Studies

/// Asks somebody at a terminal whether they agree to take part: first each kind of data by itself, then the whole.
public struct ConsentDialogue {
  let person: any Asking
  /// The person's.
  let language: String

  public init(_ person: any Asking, in language: String) {
    (self.person, self.language) = (person, language)
  }

  /// Word that agrees. A yes that was meant for another question does not.
  static let word = "agree"

  /// - Returns: Nil: the person does not agree, or stopped.
  public func ask(_ form: ConsentForm, of study: Study) throws(Failure) -> Agreement? {
    person.say("\n" + ConsentText.text(form, of: study, in: language))
    var given = Set(form.kinds.filter(\.isRequired).map(\.id))
    for kind in form.kinds where !kind.isRequired {
      guard let isGiven = try tick(kind) else { return nil }
      if isGiven { given.insert(kind.id) }
    }
    person.dropTyped()
    let line = try person.ask(
      "\nType \(Self.word) to agree to what is said above; anything besides leaves it. > ")
    guard line?.trimmingSpaces.lowercased() == Self.word else { return nil }
    return try? form.agreement(giving: given)
  }

  /// - Returns: Nil: the person stopped.
  private func tick(_ kind: DataType) throws(Failure) -> Bool? {
    person.dropTyped()
    let prompt = "\nDo you give \(kind.text.text(in: language))? [yes or no; q stops] > "
    while let line = try person.ask(prompt) {
      let text = line.trimmingSpaces
      if text == "q" { return nil }
      if let answer = AnswerText.yes(text) { return answer }
      person.say("Found \"\(text)\"; expected yes or no.\n")
    }
    return nil
  }
}
