import Base
import Book
import Control
import Glibc
import Prescriptions

/// Mark of a machine that a clinic has handed out: a file that root alone can change and everybody may read.
///
/// Its place is fixed: no variable, option or configuration leads to another one. Every program that would make sound
/// by itself, or take a clinic or a prescription into a book, looks at it first.
package struct DeviceMark: Sendable, Hashable {
  package static let path = StandardPaths.deviceMark
  /// Permissions of the file.
  static let mode: UInt32 = 0o644

  package let clinic: ClinicIdentity
  package let device: DeviceNumber
  /// Moment of the hand-over.
  package let since: Instant
  /// Number of the user who handed it over.
  package let by: UInt32
  /// Number of the user whose daemon is the system's: the only one that plays.
  package let daemonUser: UInt32

  package init(
    clinic: ClinicIdentity, device: DeviceNumber, since: Instant, by: UInt32, daemonUser: UInt32
  ) {
    (self.clinic, self.device, self.since) = (clinic, device, since)
    (self.by, self.daemonUser) = (by, daemonUser)
  }

  package var handOver: HandOver { HandOver(clinic: clinic, device: device) }
}

extension DeviceMark {
  /// As it lies in the file.
  private struct Content: Codable {
    var schema = 100
    /// For people: the key alone tells the clinic.
    let clinic: String
    let key: String
    /// The clinic's own card, with its key.
    let card: String
    let device: String
    let handedOverUnixSeconds: Double
    let byUser: UInt32
    let daemonUser: UInt32
  }

  var bytes: [UInt8] {
    let content = Content(
      clinic: clinic.name, key: clinic.fingerprint.grouped, card: clinic.cardText, device: device.text,
      handedOverUnixSeconds: Double(since.seconds), byUser: by, daemonUser: daemonUser)
    // Its numbers are whole.
    return ((try? JSON.bytes(content)) ?? []) + [UInt8(ascii: "\n")]
  }

  /// Nil when it is not such a text.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(bytes), let content = try? JSON.value(Content.self, from: value),
      content.schema / 100 == 1, let device = DeviceNumber(content.device),
      let card = try? CardText(reading: content.card), let clinic = try? ClinicIdentity(reading: card),
      let seconds = Int(exactly: content.handedOverUnixSeconds),
      Instant.writable.contains(Instant(seconds: seconds))
    else { return nil }
    self.init(
      clinic: clinic, device: device, since: Instant(seconds: seconds), by: content.byUser,
      daemonUser: content.daemonUser)
  }
}

/// Owner of a machine, by its mark.
package enum DeviceStanding: Sendable {
  /// Nobody's but its owner's.
  case own
  case clinics(DeviceMark)
  /// There is a mark that says nothing, or anybody could have written it: it counts as one, and nothing but the system's
  /// daemon plays.
  case unclear(Failure)

  /// Of this machine.
  package static var current: DeviceStanding { DeviceStanding(markedBy: DeviceMark.path) }

  /// - Parameter owner: User whom the file has to belong to; root but for tests.
  init(markedBy path: String, owner: uid_t = 0) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      self =
        errno == ENOENT || errno == ENOTDIR
        ? .own : .unclear(Self.failure(path, "that it cannot be looked at: \(SystemError.last.words)"))
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == owner, status.st_mode & 0o022 == 0 else {
      let found =
        status.st_mode & S_IFMT != S_IFREG
        ? "something that is not a file"
        : "user \(status.st_uid) and mode \(String(status.st_mode & 0o7777, radix: 8))"
      self = .unclear(Self.failure(path, found))
      return
    }
    do throws(Failure) {
      // A clinic's card has 1,000 bytes.
      let bytes = try FileContent.bytes(of: path, limit: 1 << 16)
      self = DeviceMark(bytes).map { .clinics($0) } ?? .unclear(Self.failure(path, "a damaged file"))
    } catch { self = .unclear(error) }
  }

  private static func failure(_ path: String, _ found: String) -> Failure {
    Failure(
      path, found: found, expected: "the mark of a clinic's device, of root and mode 644",
      remedy: "Root hands it over again: auricle device hand-over CLINIC", exit: .configuration)
  }

  /// Fault of the mark for the system's daemon; nil: none, or there is no mark.
  ///
  /// - Parameter user: Number of that daemon's user; nil: nobody can tell it.
  func trouble(for user: UInt32?) -> Failure? {
    switch self {
    case .own: return nil
    case .unclear(let failure): return failure
    case .clinics(let mark):
      guard let user, user != mark.daemonUser else { return nil }
      return Failure(
        DeviceMark.path, found: "user \(mark.daemonUser), to whom alone the sound cards are open",
        expected: "user \(user), as whom the system's daemon runs",
        remedy: "Root hands it over again: auricle device hand-over CLINIC", exit: .configuration)
    }
  }

  package var mark: DeviceMark? { if case .clinics(let mark) = self { mark } else { nil } }

  /// Name of the clinic; nil: it is its owner's.
  package var clinicName: String? {
    switch self {
    case .own: nil
    case .clinics(let mark): mark.clinic.name
    case .unclear: "a clinic"
    }
  }
}
