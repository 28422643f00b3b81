/// Sentences of the free instruments, in English (phqscreeners.com: no permission required). Compared word for word with the copies of
/// UpToDate (graphic 95444), eMentalHealth.ca and two public repositories on 2026-11-27; the publisher's own sheets were not to be had.
public enum FreeText {
  /// Question before the items, by instrument; of the two short ones as PHQ-4 asks them together (Kroenke et al. 2009, from memory).
  public static let leads: [String: String] = [
    "phq-9": anyOf, "phq-8": anyOf, "phq-2": theFollowing, "gad-7": theFollowing, "gad-2": theFollowing,
  ]
  private static let anyOf =
    "Over the last 2 weeks, how often have you been bothered by any of the following problems?"
  private static let theFollowing =
    "Over the last 2 weeks, how often have you been bothered by the following problems?"
  /// Of answers 0 to 3.
  public static let answers = ["Not at all", "Several days", "More than half the days", "Nearly every day"]

  /// By instrument, in the order of its items.
  public static let items: [String: [String]] = [
    "phq-9": depression, "phq-8": Array(depression.prefix(8)), "phq-2": Array(depression.prefix(2)),
    "gad-7": anxiety,
    "gad-2": Array(anxiety.prefix(2)),
  ]

  private static let depression = [
    "Little interest or pleasure in doing things", "Feeling down, depressed, or hopeless",
    "Trouble falling or staying asleep, or sleeping too much", "Feeling tired or having little energy",
    "Poor appetite or overeating",
    "Feeling bad about yourself — or that you are a failure or have let yourself or your family down",
    "Trouble concentrating on things, such as reading the newspaper or watching television",
    "Moving or speaking so slowly that other people could have noticed? Or the opposite — being so fidgety or restless that you have been moving around a lot more than usual",
    "Thoughts that you would be better off dead or of hurting yourself in some way",
  ]

  private static let anxiety = [
    "Feeling nervous, anxious or on edge", "Not being able to stop or control worrying",
    "Worrying too much about different things",
    "Trouble relaxing", "Being so restless that it is hard to sit still",
    "Becoming easily annoyed or irritable",
    "Feeling afraid as if something awful might happen",
  ]
}
