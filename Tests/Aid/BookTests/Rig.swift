import Acoustics
import Base
import CommonTesting
import Fitting
import Glibc
import Prescriptions
import PrescriptionsTesting
import Sealing
import Synchronization

@testable import Book

/// Two clocks that stand still until they are told.
final class ScriptedClock: Sendable {
  private let times: Mutex<(wall: Int, running: Int)>

  /// Seconds that pass after so many more looks at the wall clock.
  private let pending = Mutex<(looks: Int, seconds: Int)?>(nil)

  init(_ wall: Instant) { times = Mutex((wall.seconds, 1000)) }

  var clock: BookClock {
    BookClock(wall: { self.look() }, running: { self.times.withLock(\.running) })
  }

  private func look() -> Instant {
    let seconds = pending.withLock { pending in
      guard let (looks, seconds) = pending else { return 0 }
      pending = looks > 1 ? (looks - 1, seconds) : nil
      return looks > 1 ? 0 : seconds
    }
    pass(seconds)
    return Instant(seconds: times.withLock(\.wall))
  }

  /// Time passes between two looks.
  func pass(_ seconds: Int, beforeLook looks: Int) { pending.withLock { $0 = (looks, seconds) } }

  /// Time passes.
  func pass(_ seconds: Int) {
    times.withLock {
      $0.wall += seconds
      $0.running += seconds
    }
  }

  /// Somebody sets the clock.
  func set(_ wall: Instant) { times.withLock { $0.wall = wall.seconds } }
}

/// A device with its book, and clinics that sign cards for it.
final class Rig {
  /// 2026-03-01T12:00:00Z.
  static let noon = Instant(seconds: 1_772_366_400)
  static let day = 86_400
  static let key = made { try SealingKey(bytes: Array(0..<32)) }
  static let otherKey = made { try SealingKey(bytes: Array(32..<64)) }
  static let clinic = made { try ClinicKey(new: "Clinic North", created: noon + -30 * day) }
  static let otherClinic = made { try ClinicKey(new: "Clinic South", created: noon + -30 * day) }
  static let ada = made {
    try Patient(
      givenName: "Ada", familyName: "Example", birthDate: CalendarDate(year: 1950, month: 1, day: 2)!)
  }
  static let ben = made {
    try Patient(
      givenName: "Ben", familyName: "Example", birthDate: CalendarDate(year: 1950, month: 1, day: 2)!)
  }
  /// What these tests stand on; without it none of them says anything.
  private static func made<Value>(_ make: () throws -> Value) -> Value {
    do { return try make() } catch { preconditionFailure("\(error)") }
  }

  static let person = Actor(channel: .socket, userID: 1000, processID: 42)

  let folder: TemporaryFolder
  let clock = ScriptedClock(Rig.noon)
  var path: String { folder.path + "/book" }
  var database: String { path + "/book.sqlite" }

  /// Place in memory, where there is one, for tests of which the disk is no part: a book waits for it at every deed.
  static let memory = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp"

  init(in place: String = "/tmp") { folder = TemporaryFolder(in: place) }

  /// A book that trusts ``clinic``.
  func book() throws -> PrescriptionBook {
    let book = try reopened()
    try book.enrol(Rig.clinic.identity, by: Rig.person)
    return book
  }

  func reopened(_ key: SealingKey = Rig.key) throws -> PrescriptionBook {
    try PrescriptionBook(at: path, key: key, clock: clock.clock)
  }

  static func prescription(
    _ serial: Int, _ environment: ListeningEnvironment = .quiet, patient: Patient = ada,
    supersedes: Int? = nil, issued: Instant = noon, expires: Instant? = nil, trialEnds: Instant? = nil,
    wearerMayAccept: Bool = true, audiogram: StandardAudiogram = .n3, clinic: String = "Clinic North",
    prescriber: String = "Dr. Vera Ohr"
  ) throws -> Prescription {
    try Prescription(
      serial: serial, supersedes: supersedes, patient: patient,
      prescriber: Prescriber(name: prescriber, clinic: clinic), environment: environment,
      audiograms: Binaural(both: audiogram.audiogram), plan: FittingPlan(target: .rule(.nalRP)),
      issued: issued, expires: expires, trialEnds: trialEnds,
      wearerMayAccept: wearerMayAccept && trialEnds != nil)
  }

  static func card(
    _ serial: Int, _ environment: ListeningEnvironment = .quiet, by clinic: ClinicKey = clinic,
    patient: Patient = ada, supersedes: Int? = nil, issued: Instant = noon, expires: Instant? = nil,
    trialEnds: Instant? = nil, wearerMayAccept: Bool = true, audiogram: StandardAudiogram = .n3,
    prescriber: String = "Dr. Vera Ohr"
  ) throws -> String {
    try clinic.quickCard(
      prescription(
        serial, environment, patient: patient, supersedes: supersedes, issued: issued, expires: expires,
        trialEnds: trialEnds, wearerMayAccept: wearerMayAccept, audiogram: audiogram,
        clinic: clinic.identity.name, prescriber: prescriber)
    ).text
  }

  static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: String, at offset: Int? = nil) {
    guard let file = fopen(path, offset == nil ? "wb" : "r+b") else { return }
    defer { fclose(file) }
    fseek(file, offset ?? 0, SEEK_SET)
    fwrite(bytes, 1, bytes.count, file)
    chmod(path, 0o600)
  }

  static func mode(of path: String) -> UInt32 {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }
}

/// The device's way: a card's text is verified once, and what was verified is loaded or used.
extension PrescriptionBook {
  @discardableResult func load(_ text: String, by actor: Actor) throws -> BookEntry {
    guard case .prescription(let card) = try read(text, by: actor) else { throw OtherKind() }
    return try load(card, by: actor)
  }

  func rebind(_ text: String, by actor: Actor) throws {
    guard case .bindingPass(let pass) = try read(text, by: actor) else { throw OtherKind() }
    try rebind(pass, by: actor)
  }

  func openDeveloperMode(_ text: String, by actor: Actor) throws -> Instant {
    guard case .developerPass(let pass) = try read(text, by: actor) else { throw OtherKind() }
    return try openDeveloperMode(pass, by: actor)
  }

  struct OtherKind: Error {}
}
