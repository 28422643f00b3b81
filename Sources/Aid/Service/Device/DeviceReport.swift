import Base
import Control
import Glibc
import Prescriptions

/// Owner of this device, and protections that keep its wearer's account to the prescription, as `auricle device --json` prints it.
package struct DeviceReport: Sendable, Codable, Equatable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package private(set) var schema = 100
  /// Nil: it belongs to no clinic.
  package let clinic: String?
  /// Fingerprint of the clinic's key, in groups.
  package let key: String?
  /// Number of the hand-over, which a return pass names.
  package let device: String?
  /// s since 1970-01-01 UTC.
  package let handedOverUnixSeconds: Double?
  /// Number of the user who handed it over.
  package let byUser: UInt32?
  /// True when a pass has ended the hand-over, and the machine was not given back whole.
  package let isReturned: Bool
  /// Each was looked at, none is taken for granted; empty on an owner's device.
  package let protections: [Protection]

  package var isWhole: Bool { protections.allSatisfy(\.holds) }

  /// One way round the prescription that is closed, or is not.
  package struct Protection: Sendable, Codable, Hashable {
    package let name: String
    package let holds: Bool
    /// State found, a clause.
    package let found: String
    /// A sentence; nil where it holds.
    package let remedy: String?

    init(_ name: String, _ fault: String?, holding found: String, remedy: String) {
      self.name = name
      holds = fault == nil
      self.found = fault ?? found
      self.remedy = fault == nil ? nil : remedy
    }
  }
}

/// Everything that the protections of a clinic's device are judged by.
package struct DeviceFacts: Sendable {
  var standing: DeviceStanding
  /// The system daemon's own answer, and the user whom it runs as; or why there is none.
  var daemon: Result<(answer: DeviceAnswer, user: UInt32?), Failure>
  var files: DeviceFiles
  /// Programs of other users that have a sound card open, `pipewire (PID 812)`; nil: this user may not look.
  var players: [String]?
  var accounts: DeviceAccounts
  /// Control group of the daemon, of /proc/PID/cgroup; nil: it cannot be read.
  var unit: String?
}

extension DeviceReport {
  package init(_ facts: DeviceFacts) {
    let answer = try? facts.daemon.get().answer
    let mark = facts.standing.mark
    let clinic = facts.standing.clinicName ?? answer?.clinic
    self.init(
      clinic: clinic, key: mark?.clinic.fingerprint.grouped ?? answer?.key,
      device: mark?.device.text ?? answer?.device,
      handedOverUnixSeconds: mark.map { Double($0.since.seconds) }, byUser: mark?.by,
      isReturned: answer?.isReturned ?? false,
      protections: clinic == nil
        ? []
        : [
          facts.markProtection, facts.daemonProtection, facts.unitProtection,
          facts.configurationProtection, facts.ruleProtection, facts.cardProtection,
          facts.playerProtection, facts.accountProtection,
        ].compactMap(\.self))
  }
}

extension DeviceFacts {
  private typealias Protection = DeviceReport.Protection
  private static let again =
    "Hand it over again, which adds what is missing: auricle device hand-over CLINIC"

  fileprivate var markProtection: DeviceReport.Protection {
    let fault: String? =
      switch standing {
      case .own: "no mark, although the prescription book is a clinic's"
      case .clinics: nil
      case .unclear(let failure): failure.message
      }
    return Protection("mark of the machine", fault, holding: files.mark, remedy: Self.again)
  }

  fileprivate var daemonProtection: DeviceReport.Protection {
    let name = "system's daemon"
    let found: (answer: DeviceAnswer, user: UInt32?)
    do throws(Failure) { found = try daemon.get() } catch {
      return Protection(
        name, "none that answers: \(error.message)", holding: "",
        remedy: "Start it: systemctl start auricled")
    }
    let fault: String? =
      if let mark = standing.mark, found.user != mark.daemonUser {
        "one of user \(found.user.map(String.init) ?? "unknown"), expected user \(mark.daemonUser)"
      } else if found.answer.isReturned {
        "a pass that has ended the hand-over"
      } else if !found.answer.isFollowed {
        "a prescription book that does not follow the mark"
      } else if found.answer.wearerIsOperator {
        "the wearer as its operator"
      } else { nil }
    return Protection(
      name, fault, holding: "follows the mark, process \(found.answer.pid)",
      remedy: found.answer.isReturned ? "Finish the return: auricle device return" : Self.again)
  }

  fileprivate var unitProtection: DeviceReport.Protection? {
    guard (try? daemon.get()) != nil else { return nil }
    let isUnit = unit?.contains("/auricled.service") == true
    return Protection(
      "system's service", isUnit ? nil : "a daemon that systemd did not start as auricled.service",
      holding: "auricled.service",
      remedy: "End it and start the service, also at every boot: systemctl enable --now auricled")
  }

  fileprivate var configurationProtection: DeviceReport.Protection {
    let file = (try? daemon.get().answer.configurationFile) ?? files.configuration
    let search = ConfigurationSearch(explicit: file, environment: [:])
    let fault: String? =
      if let reason = changeableWithFolders(file) {
        reason
      } else if case .success(let loaded) = search.load() {
        // A calibration turned down makes everything louder.
        [loaded.configuration.calibration.earphone.file, loaded.configuration.calibration.microphone.file]
          .compactMap(\.self).lazy.compactMap(changeableWithFolders).first
          ?? (loaded.configuration.control.owner == .clinic
            ? nil : "control.owner = \"wearer\" in \(file); the mark counts")
      } else { "a file that cannot be read: \(file)" }
    return Protection(
      "configuration", fault, holding: "\(file), root's, control.owner = \"clinic\"",
      remedy:
        "Make it, its calibrations and the folders above root's (chown root, chmod go-w), and set its key: auricle config set --config \(file) control.owner=clinic"
    )
  }

  /// The same of a file and all folders above it, in any of which it could be replaced.
  private func changeableWithFolders(_ file: String) -> String? {
    var path = file
    while true {
      if let reason = changeable(path) { return reason }
      if path == files.top || path == "/" || path == "." { return nil }
      path = FilePath.folder(of: path)
    }
  }

  /// Why others than root may change a file, a clause; nil: they may not.
  private func changeable(_ path: String) -> String? {
    guard let trust = FileTrust(of: path) else { return "no \(path)" }
    let isRoots = trust.owner == files.owner && trust.mode & 0o022 == 0
    return isRoots
      ? nil : "\(path) of user \(trust.owner), mode \(String(trust.mode & 0o7777, radix: 8))"
  }

  /// Number of the user to whom the cards belong.
  private var daemonUser: UInt32 { standing.mark?.daemonUser ?? (try? daemon.get())?.user ?? 0 }

  fileprivate var ruleProtection: DeviceReport.Protection {
    let bytes = try? FileContent.bytes(of: files.rule, limit: 1 << 16)
    let fault =
      bytes == nil
      ? "none in place"
      : bytes.map { $0 == Array(SeatRule.text(for: daemonUser).utf8) } == true
        ? changeable(files.rule) : "another text than this version writes"
    return Protection(
      "udev's rule for sound cards", fault, holding: files.rule, remedy: Self.again)
  }

  fileprivate var cardProtection: DeviceReport.Protection {
    let open = SeatRule.nodes(in: files.nodes).compactMap { node in
      SeatRule.opening(of: node, for: daemonUser).map { "\(node) (\($0))" }
    }
    return Protection(
      "sound cards", open.isEmpty ? nil : "open to others: \(English.list(open, "and"))",
      holding: "for root and the daemon's user alone", remedy: Self.again)
  }

  fileprivate var playerProtection: DeviceReport.Protection? {
    players.map { players in
      Protection(
        "other programs", players.isEmpty ? nil : "with a card still open: \(English.list(players, "and"))",
        holding: "none has a card open",
        remedy: "They keep it until they end: end them, or restart the machine.")
    }
  }

  fileprivate var accountProtection: DeviceReport.Protection {
    Protection(
      "accounts", accounts.faults.isEmpty ? nil : English.list(accounts.faults, "and"),
      holding: "no other user in \(SeatRule.group), no wearer with another role",
      remedy: "Take them out: gpasswd --delete USER GROUP; after that they log in again.")
  }
}
