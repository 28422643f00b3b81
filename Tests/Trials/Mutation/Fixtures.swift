import CommonTesting
import Control
import Crypto
import Glibc
import Prescriptions
import Service

/// A folder of valid material: a clinic's cards, a state folder with everything that a daemon keeps, one in which
/// nobody but the clinic is known, and one as a killed daemon leaves it.
struct Fixtures {
  /// Where folders of trials are made: in memory, where there is such a place.
  static let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

  /// Files of a state folder by name, those of the book with their folder.
  typealias State = [String: [UInt8]]

  let folder: String
  let clinic: ClinicKey
  let now: Instant
  /// Signed contents, unpacked: prescriptions and passes.
  let contents: [(name: String, bytes: [UInt8])]
  /// A device that has been in use.
  let used: State
  /// A device that trusts the clinic and has no prescription yet.
  let enrolled: State
  /// As ``used``, its daemon killed before it could close the book.
  let killed: State

  /// Material that ``init(making:)`` made.
  init(_ folder: String) throws {
    guard let seconds = Int(String(decoding: Self.bytes(of: folder + "/now"), as: UTF8.self)) else {
      throw MutationFault(text: "\(folder) holds no material")
    }
    now = Instant(seconds: seconds)
    clinic = try Self.clinic(now)
    contents = TemporaryFolder.names(in: folder).filter { $0.hasPrefix("content-") }.map {
      (String($0.dropFirst("content-".count)), Self.bytes(of: "\(folder)/\($0)"))
    }
    used = Self.state(in: folder + "/used")
    enrolled = Self.state(in: folder + "/enrolled")
    killed = Self.state(in: folder + "/killed")
    self.folder = folder
  }

  /// Makes the material in an empty folder.
  init(making folder: String) throws {
    umask(0o077)
    let now = Instant(seconds: time(nil))
    Self.write(Array("\(now.seconds)".utf8), to: folder + "/now")
    let cards = try SampleCards(try Self.clinic(now), at: now)
    for (name, card) in cards.all { Self.write(try card.content(), to: "\(folder)/content-\(name)") }
    try SampleState(in: folder + "/enrolled", cards).enrol()
    try SampleState(in: folder + "/used", cards).use(killedAt: folder + "/killed")
    try self.init(folder)
  }

  /// The same key each time, so that a case found in one run is one in the next.
  private static func clinic(_ now: Instant) throws -> ClinicKey {
    let key = try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32))
    return try ClinicKey(
      new: "Hörhaus", url: "https://hoerhaus.example", created: now + -30 * 86_400, key: key)
  }

  /// A folder of this process alone.
  func scratch(_ name: String) throws -> String {
    let path = "\(folder)/scratch-\(name)-\(getpid())"
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw MutationFault(text: "\(path) cannot be made")
    }
    return path
  }

  // MARK: - State folders

  /// Paths of a daemon whose state lies in a folder. By a relative one it would take the machine's own state.
  static func paths(_ folder: String) -> StandardPaths {
    precondition(folder.hasPrefix("/"), "expected an absolute path of a folder, found \(folder)")
    return StandardPaths(
      environment: ["STATE_DIRECTORY": folder, "RUNTIME_DIRECTORY": folder], userID: geteuid())
  }

  private static let bookFolder = "book"

  static func state(in folder: String) -> State {
    var state: State = [:]
    for place in ["", bookFolder + "/"] {
      for name in TemporaryFolder.names(in: "\(folder)/\(place)") where name != bookFolder {
        state[place + name] = bytes(of: "\(folder)/\(place)\(name)")
      }
    }
    return state
  }

  /// Makes a folder hold these files and no others.
  static func lay(_ state: State, at folder: String) {
    mkdir(folder, 0o700)
    mkdir("\(folder)/\(bookFolder)", 0o700)
    for place in ["", bookFolder + "/"] {
      for name in TemporaryFolder.names(in: "\(folder)/\(place)") where state[place + name] == nil {
        unlink("\(folder)/\(place)\(name)")
      }
    }
    for (name, bytes) in state { write(bytes, to: "\(folder)/\(name)") }
  }

  // MARK: - Files

  static func bytes(of path: String) -> [UInt8] {
    guard let stream = fopen(path, "r") else { return [] }
    defer { fclose(stream) }
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { result += chunk[..<count] }
    return result
  }

  /// Writes a file that did not exist, so that nobody's lock or mapping is on it.
  static func write(_ bytes: [UInt8], to path: String) {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return perror(path) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return perror(path) }
      rest = rest.dropFirst(count)
    }
  }
}
