import Base
import Control
import Glibc

/// Accounts of the machine by the groups that would lead round a prescription.
package struct DeviceAccounts: Sendable, Equatable {
  /// Groups of which no wearer may be: they open the cards, prove a role, or make root.
  static let groups = [
    "audio", "auricle-audiologist", "auricle-developer", "root", "sudo", "wheel", "admin", "disk", "kmem",
    "shadow", "docker", "lxd", "incus-admin", "libvirt", "vboxusers",
  ]

  /// Users of the daemon's group.
  var wearers: Set<String> = []
  /// Members of each of ``groups``.
  var members: [String: Set<String>] = [:]
  /// Name of the daemon's user.
  var daemon: String?

  /// Ways round the prescription, a clause for each group.
  var faults: [String] {
    Self.groups.compactMap { group in
      var found = members[group, default: []]
      // Anybody in audio has the cards, whether or not they wear the aid.
      if group == SeatRule.group { found.remove(daemon ?? "") } else { found.formIntersection(wearers) }
      found.remove("root")
      guard !found.isEmpty else { return nil }
      return "\(English.list(found.sorted(), "and")) in the group \(group)"
    }
  }
}

extension DeviceAccounts {
  /// Of this machine.
  ///
  /// - Parameter daemonUser: Number of the daemon's user; nil: nobody is known to be a wearer.
  /// - Threads: main: getgrnam(3) and getpwent(3) keep one place.
  package init(daemonUser: UInt32?) {
    let account = daemonUser.flatMap(Accounts.user)
    let daemonGroup = account?.groupID
    daemon = account?.name
    if let daemonGroup {
      wearers = Self.members(getgrgid(daemonGroup)).union(Self.users(of: daemonGroup))
      wearers.remove(daemon ?? "")
    }
    for name in Self.groups {
      guard let group = getgrnam(name) else { continue }
      let number = group.pointee.gr_gid
      members[name] = Self.members(group).union(Self.users(of: number))
    }
  }

  private static func members(_ group: UnsafeMutablePointer<group>?) -> Set<String> {
    guard var place = group?.pointee.gr_mem else { return [] }
    var names: Set<String> = []
    while let name = place.pointee {
      names.insert(String(cString: name))
      place += 1
    }
    return names
  }

  /// Users whose own group it is.
  private static func users(of group: gid_t) -> Set<String> {
    setpwent()
    defer { endpwent() }
    var names: Set<String> = []
    while let user = getpwent() {
      if user.pointee.pw_gid == group { names.insert(String(cString: user.pointee.pw_name)) }
    }
    return names
  }
}

extension DeviceFacts {
  /// Of this machine.
  ///
  /// - Threads: main.
  package static func current(_ files: DeviceFiles = DeviceFiles()) -> DeviceFacts {
    let standing = DeviceStanding.current
    let daemon = Result { () throws(Failure) in
      let client = try ControlClient(path: DeviceGuard.socket, timeout: 2)
      let answer: DeviceAnswer
      do { answer = try JSON.value(DeviceAnswer.self, from: try client.call("device.show")) } catch {
        throw (error as? CallFailure).map {
          Failure("device.show", inWords: $0.description, exit: .unavailable)
        }
          ?? client.unreadable("device.show")
      }
      // Anew: of a socket that systemd had made, root listened before the daemon has answered.
      let user = try ControlClient(path: DeviceGuard.socket, timeout: 2).peerUserID
      return (answer: answer, user: user)
    }
    let found = try? daemon.get()
    return DeviceFacts(
      standing: standing, daemon: daemon, files: files,
      players: geteuid() == 0 ? players(except: found?.user) : nil,
      accounts: DeviceAccounts(daemonUser: standing.mark?.daemonUser ?? found?.user),
      unit: found.flatMap { try? FileContent.bytes(of: "/proc/\($0.answer.pid)/cgroup", limit: 1 << 16) }
        .map {
          String(decoding: $0, as: UTF8.self)
        })
  }

  /// Programs of other users than the daemon's that have a sound card open.
  private static func players(except user: UInt32?) -> [String] {
    Folder.names(in: "/proc").compactMap { Int32($0) }.sorted().compactMap { process in
      var status = stat()
      guard stat("/proc/\(process)", &status) == 0, status.st_uid != user else { return nil }
      let folder = "/proc/\(process)/fd"
      // By the device, not by its name, which another name space can change.
      let holds = Folder.names(in: folder).contains { SeatRule.isSound("\(folder)/\($0)") }
      guard holds else { return nil }
      let name = (try? FileContent.bytes(of: "/proc/\(process)/comm", limit: 256)).map {
        String(decoding: $0.filter { $0 >= 0x20 }, as: UTF8.self)
      }
      return "\(name ?? "a program") (PID \(process))"
    }
  }
}
