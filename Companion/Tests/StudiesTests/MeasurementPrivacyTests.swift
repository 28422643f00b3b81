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
      ("hw:CARD=PCH (Maker: HD 600)", "Maker: HD 600"), ("maker: HD 600", "maker: HD 600"),
      ("Maker:X HD 600", "Maker:X HD 600"), ("hw:1 (hw:0 (HDA 200))", "HDA 200"), ("Annas: (HD)", "HD"),
      // One word with a colon may be ALSA's name, which the aid writes alone where it has no other.
      ("hw:CARD=X (A:1)", nil), ("Annas:1", nil), ("Annas:", nil),
    ] as [(String, String?)])
  func earphone(device: String, model: String?) {
    let record = MeasurementRecord(id: "r", device: device, calibration: "none", program: "p", report: "{}")
    #expect(record.earphone == model)
    // A record that is kept so leaves as it is.
    let kept = MeasurementRecord.earphone(device)
    #expect(kept == (model ?? "") && MeasurementRecord.earphone(kept) == kept)
  }

  @Test(
    "of a device of up to 1000 bytes the model is told, and of a longer one none, however many names are before it"
  )
  func longDevices() {
    let name = String(repeating: "x", count: 1000)
    let pairs: [(String, String)] = [
      (String(repeating: "a:b ", count: 200) + "(HDA 200)", "HDA 200"), (name, name), (name + "x", ""),
      (String(repeating: "a:b ", count: 20_000) + "HDA 200", ""),
    ]
    for (device, model) in pairs {
      #expect(MeasurementRecord.earphone(device) == model, "\(device.utf8.count) bytes")
    }
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
