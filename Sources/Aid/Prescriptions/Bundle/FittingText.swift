import Acoustics
import Base
import Fitting

/// How the fitting is done, as one line: the value of the DeviceRequest's parameter.
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
/// as `%3B`; after `tables` it names the tool that the targets come from. `rows` are those of ``NumberRows``.
/// There is one text for each fitting, and no other is read.
///
/// `quiet;NAL-RP-compressive 3 1.8;adaptation 0.8;ceiling 105;volume -10 5;tone -3 3`
struct FittingText: Equatable {
  let environment: ListeningEnvironment
  let plan: FittingPlan
  let adjustment: PatientAdjustment
  /// Length of the trial, s after issue.
  let trial: Int?

  enum Field: String, CaseIterable {
    case adaptation, ceiling, volume, tone, trial
    case targetsLeft = "targets-left"
    case targetsRight = "targets-right"
    case tuningLeft = "tuning-left"
    case tuningRight = "tuning-right"
    case loweringLeft = "lowering-left"
    case loweringRight = "lowering-right"
    case tinnitusLeft = "tinnitus-left"
    case tinnitusRight = "tinnitus-right"

    static func targets(_ ear: Ear) -> Field { ear == .left ? .targetsLeft : .targetsRight }
    static func tuning(_ ear: Ear) -> Field { ear == .left ? .tuningLeft : .tuningRight }
    static func lowering(_ ear: Ear) -> Field { ear == .left ? .loweringLeft : .loweringRight }
    static func tinnitus(_ ear: Ear) -> Field { ear == .left ? .tinnitusLeft : .tinnitusRight }
  }

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
    func add(_ field: Field, _ numbers: Double...) {
      parts.append(([field.rawValue] + numbers.map(NumberText.exact)).joined(separator: " "))
    }
    func add(_ field: Field, range: ClosedRange<Double>) {
      if range != 0...0 { add(field, range.lowerBound, range.upperBound) }
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
      for ear in Ear.allCases {
        parts.append(Field.targets(ear).rawValue + " " + NumberRows.text(NumberRows.rows(tables[ear])))
      }
    }
    for ear in Ear.allCases where !plan.fineTuning[ear].points.isEmpty {
      let rows = NumberRows.rows(plan.fineTuning[ear])
      parts.append(Field.tuning(ear).rawValue + " " + NumberRows.text(rows))
    }
    for ear in Ear.allCases {
      if let lowering = plan.lowering[ear] { add(.lowering(ear), lowering.cutoff, lowering.ratio) }
    }
    for ear in Ear.allCases {
      if let sound = plan.tinnitusSound[ear] {
        parts.append(Field.tinnitus(ear).rawValue + " " + SoundText.text(sound))
      }
    }
    return parts.joined(separator: ";")
  }

  private static func escaped(_ words: String) -> String {
    var text = ""
    for scalar in words.unicodeScalars {
      switch scalar {
      case "%": text += "%25"
      case ";": text += "%3B"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
