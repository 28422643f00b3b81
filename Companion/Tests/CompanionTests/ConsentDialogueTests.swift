import Base
import Studies
import Testing

@testable import Companion

@Suite("Consent at a terminal") struct ConsentDialogueTests {
  private static func ask(_ lines: String...) throws -> (Agreement?, String) {
    let script = Script(lines)
    let bundle = try SiteStudy().bundle()
    let form = try #require(bundle.consentForm(in: "en"))
    return (try ConsentDialogue(script, in: "en").ask(form, of: bundle.study), script.text)
  }

  @Test("who asks, the text, its time and each kind of data are read before anything is agreed to")
  func read() throws {
    let (agreement, said) = try Self.ask("perhaps", "no", "agree")
    for words in [
      "Site, version 1.0.0", "Asked by A University; Ida, ida@example.org", "Five minutes, 3 days",
      "We ask for your answers.", "answers: Your answers (needed)", "sound: Sound (as you like)",
      "Do you give Sound?", "Found \"perhaps\"; expected yes or no.",
    ] { #expect(said.contains(words), "\(words)") }
    #expect(agreement?.ticks.map(\.isGiven) == [true, false])
  }

  @Test(
    "yes to all is no agreement, nor is silence, the end of the lines or q",
    arguments: [["yes", "yes"], ["yes", ""], ["yes"], [], ["q"], ["yes", "agree to nothing"]])
  func not(lines: [String]) throws {
    let script = Script(lines)
    let bundle = try SiteStudy().bundle()
    let form = try #require(bundle.consentForm(in: "en"))
    #expect(try ConsentDialogue(script, in: "en").ask(form, of: bundle.study) == nil)
  }

  @Test(
    "a script names the text and each kind; another text, a word for all and a needed kind that is missing are refused"
  )
  func named() throws {
    let form = try #require(try SiteStudy().bundle().consentForm(in: "en"))
    let name = String(form.sha256.prefix(12))
    let agreement = try NamedConsent(text: name, giving: ["answers"]).agreement(to: form)
    #expect(agreement.ticks.map(\.isGiven) == [true, false])
    for (text, kinds) in [
      ("yes", ["answers"]), (String(repeating: "0", count: 64), ["answers"]), (name, []),
      (name, ["sound"]), (name, ["answers", "all"]),
    ] {
      #expect(throws: Failure.self) { try NamedConsent(text: text, giving: kinds).agreement(to: form) }
    }
  }
}
