extension Instrument {
  /// Line of the published forms, from memory.
  private static let phqAuthors =
    "Developed by Drs. Robert L. Spitzer, Janet B.W. Williams, Kurt Kroenke and colleagues, with an educational grant from Pfizer Inc. No permission required to reproduce, translate, display or distribute."

  /// Up to two missing items count as the mean of the others: from memory, Kroenke & Spitzer's instruction manual.
  private static let mostMissing = 2

  public static let phq9 = summed(
    "phq-9", "PHQ-9", .free, by: phqAuthors, source: "Kroenke, Spitzer & Williams 2001", 9, 0...3,
    bands: [
      Band(0, "minimal"), Band(5, "mild"), Band(10, "moderate"), Band(15, "moderately severe"),
      Band(20, "severe"),
    ],
    prorating: mostMissing)

  /// Without the item on self-harm, for studies that nobody attends to.
  public static let phq8 = summed(
    "phq-8", "PHQ-8", .free, by: phqAuthors, source: "Kroenke et al. 2009", 8, 0...3,
    bands: [
      Band(0, "minimal"), Band(5, "mild"), Band(10, "moderate"), Band(15, "moderately severe"),
      Band(20, "severe"),
    ],
    prorating: mostMissing)

  public static let phq2 = summed(
    "phq-2", "PHQ-2", .free, by: phqAuthors, source: "Kroenke, Spitzer & Williams 2003", 2, 0...3,
    bands: [Band(0, "negative"), Band(3, "positive")])

  public static let gad7 = summed(
    "gad-7", "GAD-7", .free, by: phqAuthors, source: "Spitzer et al. 2006", 7, 0...3,
    bands: [Band(0, "minimal"), Band(5, "mild"), Band(10, "moderate"), Band(15, "severe")],
    prorating: mostMissing)

  public static let gad2 = summed(
    "gad-2", "GAD-2", .free, by: phqAuthors, source: "Kroenke et al. 2007", 2, 0...3,
    bands: [Band(0, "negative"), Band(3, "positive")])

  /// The item of PHQ-9 on self-harm: any answer above 0 leads to help, whatever the score.
  public static let selfHarmItem = "9"
}
