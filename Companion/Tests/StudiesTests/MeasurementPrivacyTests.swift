import Studies
import Testing

@Suite("Names in measurements") struct MeasurementPrivacyTests {
  @Test(
    "of a device the model alone is told: neither ALSA's name nor an address, as calibrations have them",
    arguments: [
      ("HDA 200", "HDA 200"), ("HDA 200 (simulated)", "HDA 200 (simulated)"),
      ("bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp (AirPods Pro)", "AirPods Pro"),
      ("bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp", nil), ("default: (USB Audio)", "USB Audio"),
      ("hw:CARD=Annas  HDA 200", "HDA 200"), ("default HDA 200", "default HDA 200"),
      ("bluez_output.00_1A_2b_33_44_55.1 (AirPods)", "… (AirPods)"), ("Sony 00-11-22-33-44-55", "Sony …"),
      ("by 00:11:22:33:44", "by 00:11:22:33:44"), (": HDA 200", ": HDA 200"), ("", nil),
    ] as [(String, String?)])
  func earphone(device: String, model: String?) {
    let record = MeasurementRecord(id: "r", device: device, calibration: "none", program: "p", report: "{}")
    #expect(record.earphone == model)
    // What was told so is told again.
    #expect(model.map { MeasurementRecord.earphone($0) } == model)
  }

  @Test(
    "a kind that is kept leaves as it is; of the words of earlier versions the subject alone does, where it names nobody",
    arguments: [
      ("hearing-test: exit status 69", "hearing-test: exit status 69"),
      ("exit status 71", "exit status 71"),
      (
        "the aid's program reports no result that can be read",
        "the aid's program reports no result that can be read"
      ),
      ("a rehearsal does not measure breath-hold 1", "a rehearsal does not measure breath-hold 1"),
      (
        "hearing-test: Anna Muster's AirPods Pro is connected by the hands-free profile",
        "hearing-test: words of the aid's, left out"
      ),
      ("Anna: exit status 69", "words of the aid's, left out"),
      ("hearing-test: exit status of Anna", "hearing-test: words of the aid's, left out"),
      ("exit status ", "words of the aid's, left out"), ("", "words of the aid's, left out"),
      ("/home/Anna Maria Muster/x: it cannot be read", "words of the aid's, left out"),
    ])
  func reasons(kept: String, leaving: String) {
    #expect(AbsenceReason.leaving(kept) == leaving)
  }

  @Test(
    "a failure's kind is its subject, where that names nobody, and its exit status",
    arguments: [
      ("room", "room: exit status 69"), ("Anna's AirPods", "exit status 69"), (nil, "exit status 69"),
    ] as [(String?, String)])
  func kinds(subject: String?, expected: String) {
    #expect(AbsenceReason.failed(subject, status: 69) == expected)
    #expect(AbsenceReason.leaving(expected) == expected)
  }
}
