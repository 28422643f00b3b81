import Studies

/// Everything that a person reads before they agree to take part, in words.
public enum ConsentText {
  /// - Parameter language: The person's.
  public static func text(_ form: ConsentForm, of study: Study, in language: String) -> String {
    var lines = ["\(study.title.text(in: language)), version \(study.version)"]
    lines += [asker(study)].compactMap(\.self)
    let time = "\(study.commitment.text.text(in: language)), \(study.dayCount) days"
    lines += [
      "", study.purpose.text(in: language), time, "", form.text.trimmingSpaces, "", "Kinds of data:",
    ]
    lines += form.kinds.map { kind in
      "  \(kind.id): \(kind.text.text(in: language)) (\(kind.isRequired ? "needed" : "as you like"))"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func asker(_ study: Study) -> String? {
    let person = study.investigator.map { person in
      ([person.name] + [person.email, person.phone].compactMap(\.self)).joined(separator: ", ")
    }
    let parts = [study.institution, person].compactMap(\.self)
    return parts.isEmpty ? nil : "Asked by " + parts.joined(separator: "; ")
  }
}
