import Fitting
import Prescriptions

/// Words of the patient's page: short sentences, one action a step, for a person who has never typed a command.
struct PatientInstructions {
  private let report: PrescriptionReport
  private let isSigned: Bool

  private var prescription: Prescription { report.prescription }

  /// - Parameter isSigned: False: nobody known has signed the card, and nothing tells how to load it.
  init(_ report: PrescriptionReport, isSigned: Bool = true) {
    (self.report, self.isSigned) = (report, isSigned)
  }

  /// Heading of ``firstTime``.
  var heading: String { isSigned ? "The first time" : "Do not load this code" }

  /// Steps from the computer to the first sound, in order; of a card that nobody known has signed those to another page.
  var firstTime: [String] {
    guard isSigned else {
      return [
        "*Nobody knows who made this code.* It can be another person's, or altered. Do not use it.",
        "*Ask your clinic for a page of its own.* Or trust your clinic with `auricle trust add` and its card, compare the "
          + "long number with the one that your clinic gave you, and make this page again.",
      ]
    }
    return [
      "*Take the headphones off.* Lay them on the table.",
      "*Open the window for commands.* Hold down the keys Ctrl and Alt, and press T. If no window opens, look "
        + "for the program called Terminal. Type each command as it is printed here. Then press Enter.",
      "*Trust your clinic.* You do this only once. Type `auricle trust add` and hold the clinic's card before the "
        + "camera. A long number appears. Compare it with the number that your clinic gave you. If every part is "
        + "the same, type y and press Enter. If not, stop and call your clinic.",
      "*Load your prescription.* Type `auricle rx scan` and hold the code on this page before the camera.",
      "*Check that it is yours.* The computer shows \(mark). If \(isSame), type y and press Enter. If not, type n.",
      // Levels hold for the card's volume as it was at the calibration or at the setup, and while the aid has the card the computer's
      // keys turn another device: the aid's own commands turn it.
      "*Prepare the computer, once.* If nobody has, type `auricle setup`. Then leave its volume alone.",
      // Not sealed by an ear they whistle at a gain that was tested in it.
      "*Start the hearing aid.* Type `auricle start`. Hold the headphones near your ears; they may whistle there. "
        + "Is it comfortable? Put them on. If not, type `auricle stop` and call your clinic.",
    ]
  }

  /// Commands of an ordinary day, and the limits of what the patient can change; none for a card that nobody known has signed.
  var everyDay: [String] {
    guard isSigned else { return [] }
    return [
      "*On and off:* Type `auricle start`. To end, type `auricle stop`.",
      [volume, tone].compactMap(\.self).joined(separator: " "), limit,
      "*Was your former prescription better?* Type `auricle rx revert`. You hear it again.",
    ] + (prescription.wearerMayAccept ? [acceptance] : [])
  }

  /// Findings that a physician should see before an aid is used, first those that 21 CFR 801.422 names.
  static let referrals: [AudiogramReview.Finding.Kind] = [.airBoneGap, .asymmetry]

  /// Dangers, and the way out of each.
  var warnings: [String] {
    let isReferred = report.findings.contains {
      Self.referrals.contains($0.kind) && $0.severity == .caution
    }
    let referral = "*See a doctor before you begin.* Take page 2 along. It tells the doctor why."
    return (isReferred ? [referral] : []) + [
      "*Too loud? Does it whistle?* Take the headphones off. Type `auricle mute`. `auricle unmute` brings the sound "
        + "back.",
      "*No sound?* Look at the plugs. Then type `auricle doctor`. It tells you what is missing.",
      "*Pain, dizziness, or a sudden loss of hearing?* Take the headphones off. See a doctor the same day.",
    ]
  }

  var privacy: [String] {
    let content = prescription.patient.birthDate == nil ? "" : "your name, date of birth and "
    let seal =
      isSigned
      ? "*Nobody can change it.* The clinic has signed it. Your hearing aid refuses a page that was altered."
      : "*Not verified.* Your hearing aid refuses it until a clinic that it trusts has signed it."
    return [
      "*Keep this page as you keep a letter from your doctor.* Its code contains \(content)your hearing test.",
      seal,
    ]
  }

  /// Marks by which the patient knows the own prescription.
  private var mark: String {
    prescription.patient.birthDate == nil ? "a reference" : "a name and a date of birth"
  }

  private var isSame: String {
    prescription.patient.birthDate == nil ? "it is the one on this page" : "they are yours"
  }

  private var volume: String {
    let range = prescription.adjustment.volume
    let (down, up) = ("`auricle volume down`", "`auricle volume up`")
    func decibels(_ value: Double) -> String { "\(abs(value).shortText) dB" }
    return switch (range.lowerBound < 0, range.upperBound > 0) {
    case (true, true):
      "*Softer or louder:* Type \(down) or \(up). You can go \(decibels(range.lowerBound)) down and "
        + "\(decibels(range.upperBound)) up."
    case (true, false):
      "*Softer:* Type \(down). \(up) takes you back. It gets no louder than your clinic has set it."
    case (false, true):
      "*Louder:* Type \(up). \(down) takes you back. It gets no softer than your clinic has set it."
    case (false, false):
      "*Volume:* Your clinic has set it. You cannot change it. `auricle mute` makes it silent."
    }
  }

  /// Nil where it cannot be turned.
  private var tone: String? {
    let range = prescription.adjustment.tone
    let (bright, soft) = ("`auricle tone bright`", "`auricle tone soft`")
    return switch (range.lowerBound < 0, range.upperBound > 0) {
    case (true, true): "*Tone:* Type \(bright) or \(soft)."
    case (true, false): "*Tone:* Type \(soft). \(bright) takes you back."
    case (false, true): "*Tone:* Type \(bright). \(soft) takes you back."
    case (false, false): nil
    }
  }

  private var acceptance: String {
    "*Is the new one better?* Type `auricle rx accept`. It stays beyond the trial."
  }

  /// The limit is a number of dB SPL for earphones that were measured, through the volume controls as they stood then: levels of a data
  /// sheet or a profile may be off by 10 dB, and no controls are kept with them.
  private var limit: String {
    "*Greatest loudness:* It never plays above \(prescription.plan.outputCeiling.decibels.shortText) dB SPL if the headphones were "
      + "measured, with the computer's volume as it was then. Otherwise this is a guess. Do loud sounds hurt? Tell your clinic."
  }
}
