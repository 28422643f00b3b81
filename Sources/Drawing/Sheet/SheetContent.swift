public import Acoustics

/// All that a prescription's printed page says, as ready text and plain numbers.
///
/// Every text is one line of any length; the page wraps it and, at the end of its room, shortens it.
public struct SheetContent: Sendable, Equatable {
  /// Name of the clinic.
  public var clinic: String
  /// How to reach the clinic, a telephone number for instance; nil: the clinic's name stands in its place.
  public var contact: String?
  public var prescriber: String
  public var patientName: String
  /// Date, such as "12 March 1956".
  public var birthDate: String
  /// The clinic's or the patient's own number for the person.
  public var reference: String?
  /// Where the prescription is to be worn, such as "conversation in noise".
  public var environment: String
  public var serial: Int
  /// Serial of the prescription that this one replaces.
  public var supersedes: Int?
  /// Date.
  public var issued: String
  /// Date after which it cannot be loaded; nil: does not expire.
  public var expires: String?
  /// Date or moment at which the trial ends; nil: no trial.
  public var trialUntil: String?
  public var audiograms: Binaural<Audiogram?>
  /// Rule and version, or the source of explicit targets, such as "NAL-RP, version 1".
  public var targetSource: String
  /// One line for each thing tuned; none: as the rule or table says.
  public var fineTuning: [String]
  /// One line for each ear in which high sounds are moved; none: nothing is.
  public var lowering: [String]
  /// One line for each ear in which a sound for tinnitus is added; none: nothing is.
  public var tinnitusSound: [String]
  /// Share of the gain that a new user begins with, such as "80 % of the gain"; nil: all of it.
  public var adaptation: String?
  /// How far the patient may turn volume and tone; nil: not at all.
  public var volume: String?
  public var tone: String?
  public var targets: Binaural<[GainTarget]>
  public var code: CodeModules
  /// Fingerprint of the clinic's key in groups, as people compare it.
  public var keyFingerprint: String
  /// What the audiologist was shown about the audiogram before signing, one line each.
  public var findings: [String]

  /// - Parameters: As the properties of the same names.
  public init(
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
