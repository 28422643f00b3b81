import Acoustics
import Base

/// All that a prescription's printed page says, as ready text and plain numbers.
///
/// Every text is one line of any length; the page wraps it and, at the end of its room, shortens it.
package struct SheetContent: Sendable, Equatable {
  /// Name of the clinic.
  package var clinic: String
  /// How to reach the clinic, a telephone number for instance; nil: the clinic's name stands in its place.
  package var contact: String?
  package var prescriber: String
  package var patientName: String
  /// Date, such as "12 March 1956".
  package var birthDate: String
  /// The clinic's or the patient's own number for the person.
  package var reference: String?
  /// Where the prescription is to be worn, such as "conversation in noise".
  package var environment: String
  package var serial: Int
  /// Serial of the prescription that this one replaces.
  package var supersedes: Int?
  /// Date.
  package var issued: String
  /// Date after which it cannot be loaded; nil: does not expire.
  package var expires: String?
  /// Date or moment at which the trial ends; nil: no trial.
  package var trialUntil: String?
  package var audiograms: Binaural<Audiogram?>
  /// Rule and version, or the source of explicit targets, such as "NAL-RP, version 1".
  package var targetSource: String
  /// One line for each thing tuned; none: as the rule or table says.
  package var fineTuning: [String]
  /// One line for each ear in which high sounds are moved; none: nothing is.
  package var lowering: [String]
  /// One line for each ear in which a sound for tinnitus is added; none: nothing is.
  package var tinnitusSound: [String]
  /// Share of the gain that a new user begins with, such as "80 % of the gain"; nil: all of it.
  package var adaptation: String?
  /// How far the patient may turn volume and tone; nil: not at all.
  package var volume: String?
  package var tone: String?
  package var targets: Binaural<[GainTarget]>
  package var code: CodeModules
  /// Fingerprint of the clinic's key in groups, as people compare it.
  package var keyFingerprint: String
  /// What the audiologist was shown about the audiogram before signing, one line each.
  package var findings: [String]

  /// - Parameters: As the properties of the same names.
  package init(
    clinic: String, contact: String? = nil, prescriber: String, patientName: String, birthDate: String,
    reference: String? = nil, environment: String, serial: Int, supersedes: Int? = nil, issued: String,
    expires: String? = nil, trialUntil: String? = nil, audiograms: Binaural<Audiogram?>,
    targetSource: String, fineTuning: [String] = [], lowering: [String] = [], tinnitusSound: [String] = [],
    adaptation: String? = nil, volume: String? = nil, tone: String? = nil, targets: Binaural<[GainTarget]>,
    code: CodeModules, keyFingerprint: String,
    findings: [String] = []
  ) {
    self.clinic = clinic
    self.contact = contact
    self.prescriber = prescriber
    self.patientName = patientName
    self.birthDate = birthDate
    self.reference = reference
    self.environment = environment
    self.serial = serial
    self.supersedes = supersedes
    self.issued = issued
    self.expires = expires
    self.trialUntil = trialUntil
    self.audiograms = audiograms
    self.targetSource = targetSource
    self.fineTuning = fineTuning
    self.lowering = lowering
    self.tinnitusSound = tinnitusSound
    self.adaptation = adaptation
    self.volume = volume
    self.tone = tone
    self.targets = targets
    self.code = code
    self.keyFingerprint = keyFingerprint
    self.findings = findings
  }
}

/// All that a clinic's printed public card says, as ready text.
package struct ClinicCardContent: Sendable, Equatable {
  /// Name of the clinic.
  package var clinic: String
  /// How to reach the clinic.
  package var contact: String?
  /// Address of the clinic's pages.
  package var url: String?
  /// Date after which cards signed with the key are refused; nil: none.
  package var validUntil: String?
  /// Fingerprint of the clinic's key in groups parted by spaces, as people compare it.
  package var keyFingerprint: String
  package var code: CodeModules

  package init(
    clinic: String, contact: String? = nil, url: String? = nil, validUntil: String? = nil,
    keyFingerprint: String, code: CodeModules
  ) {
    self.clinic = clinic
    self.contact = contact
    self.url = url
    self.validUntil = validUntil
    self.keyFingerprint = keyFingerprint
    self.code = code
  }
}

/// What is wanted of an ear at one frequency.
package struct GainTarget: Sendable, Equatable {
  /// Hz.
  package var frequency: Double
  /// Insertion gain for speech at 50 dB SPL, dB.
  package var soft: Double
  /// Insertion gain for speech at 65 dB SPL, dB.
  package var ordinary: Double
  /// Insertion gain for speech at 80 dB SPL, dB.
  package var loud: Double
  /// Greatest output, dB SPL; nil where none is stated.
  package var maximumOutput: Double?

  package init(
    frequency: Double, soft: Double, ordinary: Double, loud: Double, maximumOutput: Double? = nil
  ) {
    self.frequency = frequency
    self.soft = soft
    self.ordinary = ordinary
    self.loud = loud
    self.maximumOutput = maximumOutput
  }

  var isFinite: Bool {
    [frequency, soft, ordinary, loud, maximumOutput ?? 0].allSatisfy(\.isFinite) && frequency > 0
  }
}

/// Why something given does not make a printed page.
package enum SheetError: Error, Equatable {
  /// No QR symbol has that many modules from edge to edge.
  case codeSide(Int)
  /// Modules that do not fill the symbol.
  case moduleCount(found: Int, expected: Int)
  /// Outside ``PrescriptionSheet/codeWidths``, or not a number; mm.
  case codeWidth(Double)
  /// More frequencies than a page's table has rows.
  case tooManyTargets(Ear, found: Int)
  /// A target that is not a finite number, or whose frequency is not above the one before it; Hz.
  case unusableTarget(Ear, frequency: Double)
}

extension SheetError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .codeSide(let side):
      "QR symbol of \(side) modules from edge to edge: expected 21, 25, 29 and so on to 177"
    case .moduleCount(let found, let expected):
      "QR symbol with \(found) modules: expected \(expected) of them"
    case .codeWidth(let width):
      "QR symbol \(width.shortText) mm wide: expected 60 to 90 mm"
    case .tooManyTargets(let ear, let found):
      "\(found) frequencies in the \(ear) ear's targets: a page has room for "
        + "\(PrescriptionSheet.greatestTargetCount)"
    case .unusableTarget(let ear, let frequency):
      "\(ear) ear's target at \(frequency.shortText) Hz: expected finite numbers at increasing frequencies"
    }
  }
}
