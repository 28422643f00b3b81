import Almanac
import Base
import Foundation
import Glibc

/// Everything that a program finds around it: time, zone, language, and numbers that nobody has drawn before. A test or a rehearsal has its own.
public struct Surroundings: Sendable {
  public var now: @Sendable () -> Instant
  /// Name of the zone in which the person is; empty where the machine's has no name.
  public var zone: String
  public var zones: any ZoneSource
  /// Language tag.
  public var language: String
  /// An id that is unique among all, of letters, digits and `-`.
  public var newID: @Sendable () -> String
  /// Reason why ``zone`` is empty, for whoever needs one.
  private var zoneFailure: Failure?

  public init(
    now: @escaping @Sendable () -> Instant, zone: String, zones: any ZoneSource, language: String,
    newID: @escaping @Sendable () -> String
  ) {
    (self.now, self.zone, self.zones, self.language, self.newID) = (now, zone, zones, language, newID)
  }

  /// The machine's.
  ///
  /// `COMPANION_CLOCK`, a moment such as `2026-03-29T07:00:00Z`, takes the place of the clock: for scripts that answer a day at once.
  ///
  /// - Throws: ``Failure`` where that is no moment. A machine's zone that has no name fails where somebody
  ///   needs it (``presentZone()``), which whoever reads alerts or prepares a database does not.
  public static func system(_ variables: [String: String]) throws(Failure) -> Surroundings {
    try system(variables, machine: "/etc/localtime", note: "/etc/timezone")
  }

  /// - Parameters:
  ///   - machine: The machine's file.
  ///   - note: The file with its name.
  static func system(
    _ variables: [String: String], machine: String, note: String
  ) throws(Failure) -> Surroundings {
    var now: @Sendable () -> Instant = { Instant(milliseconds: Int(SystemTime.wall * 1000)) }
    if let text = variables["COMPANION_CLOCK"] {
      guard let fixed = Instant(text) else {
        throw Failure(
          "COMPANION_CLOCK", found: "\"\(text)\"", expected: "a moment such as 2026-03-29T07:00:00Z",
          exit: .usage)
      }
      now = { fixed }
    }
    var surroundings = Surroundings(
      now: now, zone: "", zones: ZoneFolder(), language: language(variables),
      newID: { UUID().uuidString.lowercased() })
    do throws(Failure) {
      surroundings.zone = try zoneName(variables, machine: machine, note: note)
    } catch { surroundings.zoneFailure = error }
    return surroundings
  }

  /// The zone in which the person is.
  ///
  /// - Throws: ``Failure`` where the machine's has no name, or the system does not know it.
  public func presentZone() throws(Failure) -> Zone {
    if zone.isEmpty, let zoneFailure { throw zoneFailure }
    do throws(ZoneError) { return try zones.zone(zone) } catch {
      throw Failure(zone, inWords: "\(error)", exit: .configuration)
    }
  }

  /// The zone of TZ, or that to which the machine's file leads; UTC where there is no such file.
  ///
  /// A zone's file that was copied there has no name; Debian writes the name into another file.
  ///
  /// - Parameters:
  ///   - machine: The machine's file.
  ///   - note: The file with its name.
  /// - Throws: ``Failure`` where the machine has a zone that nothing names.
  static func zoneName(
    _ variables: [String: String], machine: String, note: String
  ) throws(Failure) -> String {
    let own = variables["TZ"] ?? ""
    let name = own.hasPrefix(":") ? String(own.dropFirst()) : own
    guard name.isEmpty || name.hasPrefix("/") else { return name }
    if let found = zoneName(ofFile: name.isEmpty ? machine : name) { return found }
    // Another file is told as it is, and refused.
    guard name.isEmpty || name == machine else { return name }
    var status = stat()
    guard lstat(machine, &status) == 0 else { return "Etc/UTC" }
    let noted = zoneName(notedIn: note)
    guard noted.isEmpty else { return noted }
    throw Failure(
      machine, found: "a file that does not tell the name of its zone, and no name in \(note)",
      expected: "a link into /usr/share/zoneinfo", remedy: "Set TZ, such as TZ=Europe/Berlin.",
      exit: .configuration)
  }

  /// First line of a file; empty where there is no such file.
  private static func zoneName(notedIn path: String) -> String {
    guard let bytes = try? FileContent.bytes(of: path, limit: 4096) else { return "" }
    return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }).trimmingSpaces
  }

  /// Most links from a file to another that are followed, as Linux does (path_resolution(7)).
  private static let mostLinks = 40

  /// Name of the zone whose file lies at a path, or is linked there; nil where no folder says it.
  private static func zoneName(ofFile path: String) -> String? {
    var place = path
    for _ in 0...mostLinks {
      if let folder = place.range(of: "zoneinfo/") { return String(place[folder.upperBound...]) }
      guard let target = Folder.target(ofLink: place) else { return nil }
      place = target.hasPrefix("/") ? target : FilePath.folder(of: place) + "/" + target
    }
    return nil
  }

  /// `de-AT` of `de_AT.UTF-8`; English where there is none.
  private static func language(_ variables: [String: String]) -> String {
    let text =
      ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
    let tag = text.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 }
    return tag.isEmpty || tag == Array("C") || tag == Array("POSIX") ? "en" : String(tag)
  }
}
