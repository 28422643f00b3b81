import HearingAid

extension RenderingResult {
  /// Names of the programs that were heard, and when each of the later ones began; nil without a program.
  var programNames: String? {
    guard let first = programs.first else { return nil }
    let rest = programs.dropFirst().map { "from \(DecibelText.seconds($0.time)) on \($0.program.name)" }
    return ([first.program.name] + rest).joined(separator: ", ")
  }
}
