import ArgumentParser
import Base
import Control
import Glibc
import Prescriptions
import Service

/// `auricle device`: whose device this is.
struct Device: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Show whose device this is, hand it over to a clinic, or return it.",
    discussion: """
      On a clinic's device no way leads its wearer's account round that clinic's prescription. It is always the system's \
      daemon that is meant.
      """, subcommands: [Show.self, HandOver.self, Return.self], defaultSubcommand: Show.self)

  /// `auricle device show`, and `auricle device` alone.
  struct Show: Verb {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show whose device this is and which protections hold.",
      discussion: "Everybody may ask. Exits with 1 when a protection of a clinic's device does not hold.")

    @OptionGroup var form: AnswerOptions

    func answer() throws -> ExitStatus {
      let report = DeviceReport(.current())
      return try show(
        report, DeviceText(report: report, style: form.style).text, exit: report.isWhole ? .done : .no)
    }
  }

  /// The daemon, and nothing but root.
  fileprivate static func client(_ verb: String) throws(Failure) -> ControlClient {
    guard geteuid() == 0 else {
      throw Failure(
        "auricle device \(verb)", found: "user \(geteuid())", expected: "root, who runs the machine",
        remedy: "With sudo, or by whoever has it.", exit: .noPermission)
    }
    do throws(Failure) { return try ControlClient(path: DeviceGuard.socket) } catch {
      guard error.exitStatus == .unavailable else { throw error }
      throw Failure(
        "auricle device \(verb)", found: "no system's daemon that answers on \(DeviceGuard.socket)",
        expected: "one, which keeps the prescription book", remedy: "Start it: systemctl start auricled",
        exit: .unavailable)
    }
  }

  /// Has the daemon follow the mark.
  fileprivate static func follow(_ client: ControlClient) throws(Failure) {
    try client.ask(DeviceMethods.Follow())
  }
}

extension Device {
  /// `auricle device hand-over`.
  struct HandOver: Verb {
    static let configuration = CommandConfiguration(
      commandName: "hand-over", abstract: "Make this machine a clinic's device.",
      discussion: """
        From then on the sound cards are the system daemon's alone, and the wearer's account hears what that clinic has \
        prescribed and nothing else. PipeWire and PulseAudio lose the cards too: music, calls and films of this machine are \
        silent on them. Undone by a pass of that clinic: auricle device return. Called again for the same clinic it adds \
        what is missing.
        EXAMPLE: sudo auricle device hand-over 'City Hearing Clinic'
        """)

    @Argument(
      help: .init(
        "A trusted clinic's name, or the beginning of its key's fingerprint.", valueName: "clinic"))
    var clinic: String

    @Flag(name: .shortAndLong, help: "Hand it over without a question.") var yes = false

    @OptionGroup var form: AnswerOptions

    func answer() throws -> ExitStatus {
      let client = try Device.client("hand-over")
      let chosen = try chosenClinic(client)
      let standing = try client.ask(DeviceMethods.Show())
      // Anew: of a socket that systemd had made, root listened before the daemon has answered.
      guard let user = try Device.client("hand-over").peerUserID else {
        throw Failure("device", inWords: "The system does not tell whose daemon listens", exit: .system)
      }
      let mark = try mark(of: chosen, user, standing)
      var files = DeviceFiles()
      if let file = standing.configurationFile { files.configuration = file }
      try ask(mark, files)
      try DeviceTransfer(files) { () throws(Failure) in try Device.follow(client) }.handOver(mark)
      let report = DeviceReport(.current(files))
      let end = Self.end(of: chosen).map { $0 + "\n" } ?? ""
      let words =
        "This device belongs to \(chosen.name) from now on. Its number, for a return pass: \(mark.device)\n\(end)"
        + "Restart the machine: programs that already had a sound card open keep it until then.\n"
        + (report.isWhole
          ? "" : "Not everything holds yet; see what is marked no, and then: auricle device\n")
        + DeviceText(report: report, style: form.style).text
      return try show(report, words, exit: report.isWhole ? .done : .no)
    }

    /// The mark to be: the one that stands, where it is this clinic's, for the user whose daemon answers. Where it says nothing any more,
    /// the book has its number, for which the clinic signs a return pass.
    private func mark(
      of clinic: ClinicIdentity, _ user: UInt32, _ standing: DeviceAnswer
    ) throws(Failure) -> DeviceMark {
      if let mark = DeviceStanding.current.mark {
        guard mark.clinic.fingerprint == clinic.fingerprint else {
          // The device is a key's, and the name does not tell the two apart.
          let isNamesake = mark.clinic.name == clinic.name
          let key = isNamesake ? ", by its key \(mark.clinic.fingerprint.grouped)" : ""
          let owner = isNamesake ? "key" : "clinic"
          let after = isNamesake ? ", and then handed over to the other one" : ""
          throw Failure(
            "device", found: "that it belongs to \(mark.clinic.name)\(key)",
            expected: "a device of no clinic",
            remedy: "It is returned with a pass of that \(owner): auricle device return PASS\(after)",
            exit: .noPermission)
        }
        return DeviceMark(
          clinic: mark.clinic, device: mark.device, since: mark.since, by: mark.by, daemonUser: user)
      }
      let isSame = standing.key == clinic.fingerprint.grouped
      let former = isSame ? standing.device.flatMap { DeviceNumber($0) } : nil
      return DeviceMark(
        clinic: clinic, device: former ?? .drawn, since: .now, by: Self.person, daemonUser: user)
    }

    /// The user who has asked: behind sudo the person, not root.
    private static var person: UInt32 {
      ProcessEnvironment.variables["SUDO_UID"].flatMap { UInt32($0) } ?? getuid()
    }

    /// The clinic that is meant, among those that are trusted.
    private func chosenClinic(_ client: ControlClient) throws(Failure) -> ClinicIdentity {
      let now = Instant.now
      let trusted = try client.ask(TrustMethods.List()).clinics.filter { $0.revokedUnixSeconds == nil }
        .compactMap { clinic in
          (try? CardText(reading: clinic.card)).flatMap { try? ClinicIdentity(reading: $0) }
        }
      let wanted = FingerprintText(clinic)
      let named = trusted.filter { $0.name == clinic }
      let found = named.isEmpty ? trusted.filter { wanted.begins($0.fingerprint) } : named
      guard found.count == 1, let only = found.first else {
        let list = trusted.map { "\($0.name) (\($0.fingerprint.grouped.prefix(19)))" }
        throw Failure(
          "clinic",
          found: "\(found.isEmpty ? "none" : "\(found.count)") of that name or key: \"\(clinic)\"",
          expected: list.isEmpty
            ? "a trusted clinic; there is none" : "one of \(English.list(list, "and"))",
          remedy: list.isEmpty
            ? "Trust it first: auricle trust add CARD" : "Give more of its key's fingerprint.",
          exit: .usage)
      }
      if let end = only.validUntil, end <= now {
        throw Failure(
          "clinic", found: "a key of \(only.name) that ended on \(end.localText)",
          expected: "one that can sign",
          remedy: "Nobody could sign the pass that returns the device. Ask the clinic for its new card.",
          exit: .noPermission)
      }
      return only
    }

    /// Whole sentences on the end of a clinic's key; nil: it has none.
    private static func end(of clinic: ClinicIdentity) -> String? {
      clinic.validUntil.map {
        "The clinic's key ends on \($0.localText), and after that nobody can sign such a pass. Before that day the device is"
          + " returned, and handed over to the clinic's new key."
      }
    }

    private func ask(_ mark: DeviceMark, _ files: DeviceFiles) throws(Failure) {
      guard !yes else { return }
      StandardError.write(
        """
        Clinic       \(mark.clinic.name)
        Fingerprint  \(mark.clinic.fingerprint.grouped)
        This machine becomes that clinic's device:
        - The sound cards are the hearing aid's alone (\(files.rule)). Music, calls and films of this machine,
          through PipeWire or PulseAudio, are silent on them.
        - Only that clinic's prescriptions are in force; every other clinic is trusted no longer.
        - The wearer's account cannot change configuration, clinics, devices or the clock (control.owner in
          \(files.configuration)).
        - Only a pass that the clinic signs undoes it: \(files.mark)

        """)
      if let end = Self.end(of: mark.clinic) { StandardError.write("- \(end)\n") }
      try Confirmation.ask(
        "Hand this device over?", for: "device", instead: "Look at auricle device, then give --yes.",
        refused: "Nothing was changed.")
    }
  }

  /// `auricle device return`.
  struct Return: Verb {
    static let configuration = CommandConfiguration(
      commandName: "return",
      abstract: "Make a clinic's device its owner's again, by a pass of that clinic.",
      discussion: """
        The clinic signs the pass for the number that auricle device shows: auricle clinic pass return --device NUMBER. A \
        return that was interrupted goes on without it.
        EXAMPLE: sudo auricle device return pass.png
        """)

    @Argument(help: .file("The pass: a picture, PDF or text; - for standard input."), completion: .file())
    var pass: String?

    @OptionGroup var form: JSONOption

    func answer() throws -> ExitStatus {
      let client = try Device.client("return")
      let standing = try client.ask(DeviceMethods.Show())
      try Self.check(standing)
      var message = "The return goes on."
      if !standing.isReturned {
        guard let pass else {
          throw Failure(
            "pass", found: "none", expected: "the clinic's return pass",
            remedy:
              "The clinic makes one: auricle clinic pass return --device \(standing.device ?? "NUMBER")",
            exit: .usage)
        }
        let card = try CardPlace(named: pass).text()
        message = try client.ask(DeviceMethods.Return(card: card)).message
      }
      var files = DeviceFiles()
      if let file = standing.configurationFile { files.configuration = file }
      try DeviceTransfer(files) { () throws(Failure) in try Device.follow(client) }.giveBack()
      return try show(
        DoneReport(
          message: message,
          notes: ["It is its owner's: whoever sits at it has its sound cards again."]))
    }

    /// Refuses where there is nothing to return, before a pass is asked for that no clinic could make.
    static func check(_ standing: DeviceAnswer) throws(Failure) {
      guard standing.clinic == nil, !standing.isReturned else { return }
      throw Failure(
        "device", inWords: "It belongs to no clinic: there is nothing to return", exit: .usage)
    }
  }
}
