import Acoustics
import Base
import Fitting

/// The fitting as one line: the value of the DeviceRequest's parameter.
///
/// A coded FHIR parameter for each number would say the same in five times the bytes.
///
///     fitting     = environment ";" target *(";" field)
///     environment = "quiet" / "conversation-in-noise" / "music" / "outdoors" / "other " words
///     target      = identifier " " version [" " ratio] / "tables " words
///     field       = "adaptation " number               ; share of the gain; absent: 1
///                 / "ceiling " number                  ; dB SPL; always there
///                 / "volume " number " " number        ; dB, lowest and highest; absent: none
///                 / "tone " number " " number          ; dB, likewise
///                 / "trial " number                    ; s after issue; absent: final
///                 / ("targets-" / "tuning-") ("left" / "right") " " rows
///                 / "lowering-" ("left" / "right") " " number " " number   ; Hz, ratio; absent: none
///                 / "tinnitus-" ("left" / "right") " " sound               ; absent: none
///     sound       = "broadband " number                                   ; dB SPL
///                 / ("band " / "notched ") number " " number " " number    ; Hz, octaves, dB SPL
///
/// Fields come in this order, each at most once. `words` is the clinic's own text with `%` as `%25` and `;`
/// as `%3B`; after `tables` it names the tool that the targets come from. `rows` are those of
/// ``NumberRows``. There is one text for each fitting, and no other is read.
///
/// `quiet;NAL-RP-compressive 3 1.8;adaptation 0.8;ceiling 105;volume -10 5;tone -3 3`
struct FittingText: Equatable {
  let environment: ListeningEnvironment
  let plan: FittingPlan
  let adjustment: PatientAdjustment
  /// Length of the trial, s after issue.
  let trial: Int?

  enum Field: String {
    case adaptation, ceiling, volume, tone, trial
    case targets, tuning, lowering, tinnitus
  }

  /// Name of a field of one ear.
  static func name(_ field: Field, _ ear: Ear) -> String { "\(field.rawValue)-\(ear.rawValue)" }

  static let tables = "tables"
  static let other = "other"
}

extension FittingText {
  init(_ prescription: Prescription) {
    environment = prescription.environment
    plan = prescription.plan
    adjustment = prescription.adjustment
    trial = prescription.trialEnds.map { $0 - prescription.issued }
  }

  var text: String {
    var parts: [String] = []
    func add(_ name: String, _ text: String) { parts.append(name + " " + text) }
    func add(_ field: Field, _ numbers: Double...) {
      add(field.rawValue, numbers.map(NumberText.exact).joined(separator: " "))
    }
    func add(_ field: Field, range: ClosedRange<Double>) {
      if range != 0...0 { add(field, range.lowerBound, range.upperBound) }
    }
    func addEars<Value>(_ field: Field, _ values: Binaural<Value>, _ text: (Value) -> String?) {
      for ear in Ear.allCases { if let text = text(values[ear]) { add(Self.name(field, ear), text) } }
    }
    if case .other(let words) = environment {
      parts.append(Self.other + " " + Self.escaped(words))
    } else {
      parts.append(environment.word)
    }
    switch plan.target {
    case .rule(let rule):
      let ratio: [Double] = rule.compressionRatio.map { [$0] } ?? []
      let words = [rule.identifier, "\(rule.version)"] + ratio.map(NumberText.exact)
      parts.append(words.joined(separator: " "))
    case .tables(_, let source): parts.append(Self.tables + " " + Self.escaped(source))
    }
    if plan.adaptation != 1 { add(.adaptation, plan.adaptation) }
    add(.ceiling, plan.outputCeiling.decibels)
    add(.volume, range: adjustment.volume)
    add(.tone, range: adjustment.tone)
    if let trial { add(.trial, Double(trial)) }
    if case .tables(let tables, _) = plan.target {
      addEars(.targets, tables) { NumberRows.text(NumberRows.rows($0)) }
    }
    addEars(.tuning, plan.fineTuning) {
      $0.points.isEmpty ? nil : NumberRows.text(NumberRows.rows($0))
    }
    addEars(.lowering, plan.lowering) {
      $0.map { NumberText.exact($0.cutoff) + " " + NumberText.exact($0.ratio) }
    }
    addEars(.tinnitus, plan.tinnitusSound) { $0.map(SoundText.text) }
    return parts.joined(separator: ";")
  }

  private static func escaped(_ words: String) -> String {
    words.replacing("%", with: "%25").replacing(";", with: "%3B")
  }
}
