import Base
import CLinux
import Glibc

/// Sound cards of a clinic's device, closed to whoever sits at the machine: udev's rule for those that come, and the nodes
/// that are there.
///
/// The seat's user gets a card's nodes by the tag `uaccess` (70-uaccess.rules of systemd, applied by 73-seat-late.rules), as
/// an access control list. A node then belongs to the daemon's user, and no group counts: a program that was made setgid by a
/// former member of the group audio, or a session that began when its user was one, would open it for ever. The rule is
/// a file of its own, no link to one of the package: it stays when the package goes, and with it the cards stay closed.
package enum SeatRule {
  package static let path = "/etc/udev/rules.d/72-auricle-clinic.rules"
  /// Group of the cards of a machine that is no clinic's device.
  static let group = "audio"
  /// Major numbers of sound cards and of the Open Sound System's devices.
  static let majors: Set<UInt64> = [alsa, 14]
  private static let alsa: UInt64 = 116
  /// Minor numbers of ALSA's sequencer and timer, which play nothing (include/sound/minors.h of Linux).
  private static let silent: Set<UInt64> = [1, 33]
  private static let attribute = "system.posix_acl_access"

  /// `:=` is final: no rule behind it opens a node again.
  ///
  /// - Parameter user: Number of the daemon's user.
  static func text(for user: UInt32) -> String {
    """
    # This machine is a clinic's hearing aid: its sound cards are the system daemon's alone, whoever sits at the machine.
    # Made by `auricle device hand-over`, taken away by `auricle device return`; see auricle(1).
    SUBSYSTEM!="sound", GOTO="auricle_clinic_end"
    ACTION=="remove", GOTO="auricle_clinic_end"
    TAG-="uaccess", OWNER:="\(user)", GROUP:="root", MODE:="0600"
    LABEL="auricle_clinic_end"

    """
  }

  /// Has udev read its rules anew and apply them to the sound cards; nothing where no udev runs.
  ///
  /// - Throws: ``Failure`` when it does not.
  static func apply() throws(Failure) {
    let programs = ["/usr/bin/udevadm", "/bin/udevadm", "/sbin/udevadm"]
    guard access("/run/udev/control", F_OK) == 0,
      let program = programs.first(where: { (path: String) in access(path, X_OK) == 0 })
    else { return }
    // Sound cards alone; that each is done is waited for.
    try run(program, ["control", "--reload"])
    try run(program, ["trigger", "--action=change", "--subsystem-match=sound"])
    try run(program, ["settle", "--timeout=10"])
  }

  private static func run(_ program: String, _ words: [String]) throws(Failure) {
    let streams = [
      ProgramLaunch.Stream.file("/dev/null", flags: O_RDONLY), .descriptor(STDERR_FILENO),
      .descriptor(STDERR_FILENO),
    ]
    let process = try rethrowing(
      { (error: SystemError) in
        Failure(program, inWords: "It cannot be started: \(error.words)", exit: .system)
      }, try ProgramLaunch.start(program, words, streams: streams))
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard ProcessEnding(status: status) == .exit(0) else {
      throw Failure(
        "udevadm \(words[0])", found: "that it failed", expected: "that udev applies its rules",
        remedy: "Look with: journalctl -u systemd-udevd", exit: .system)
    }
  }

  // MARK: - Nodes

  /// Nodes of sound cards in a folder, in order, and those of the Open Sound System beside it. Without the sequencer and the
  /// timer, which play nothing: logind gives them to a seat by a list of its own.
  static func nodes(in folder: String) -> [String] {
    let cards = files(in: folder).filter { !["seq", "timer"].contains(FilePath.name(of: $0)) }
    return cards + files(in: FilePath.folder(of: folder)).filter { isSound($0) }
  }

  private static func files(in folder: String) -> [String] {
    Folder.names(in: folder).sorted().map { "\(folder)/\($0)" }.filter { path in
      var status = stat()
      return lstat(path, &status) == 0 && ![S_IFDIR, S_IFLNK].contains(status.st_mode & S_IFMT)
    }
  }

  /// True of a file that is a sound card's device, whatever its name; links are followed, those of /proc too.
  static func isSound(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
      && isSound(number: UInt64(status.st_rdev))
  }

  /// The same by the device's number.
  static func isSound(number: UInt64) -> Bool {
    // glibc's dev_t: the major number in bits 8 to 19 and from 44 on, the minor one in 0 to 7 and 20 to 43 (makedev(3)).
    let (major, minor) = (number >> 8 & 0xfff, number & 0xff | number >> 12 & 0xfff00)
    return majors.contains(major) && !(major == alsa && silent.contains(minor))
  }

  /// Why others than root and the daemon's user may use a node, a clause; nil: they may not.
  static func opening(of node: String, for user: UInt32) -> String? {
    var status = stat()
    guard lstat(node, &status) == 0 else { return nil }
    if clinux_attribute_length(node, attribute) > 0 { return "an access control list, as the seat's" }
    if status.st_mode & 0o077 != 0 { return "mode \(String(status.st_mode & 0o777, radix: 8))" }
    return [0, user].contains(status.st_uid) ? nil : "user \(status.st_uid) as its owner"
  }

  /// Closes a node that is there: removing the tag takes no access back that was given (systemd's builtin only adds).
  static func close(_ node: String, for user: UInt32) throws(Failure) {
    clinux_remove_attribute(node, attribute)
    try give(node, to: user, group: 0, mode: 0o600)
  }

  /// Opens it to the group of the cards again, as udev's own rules do.
  static func open(_ node: String) throws(Failure) {
    try give(node, to: 0, group: Accounts.group(named: group) ?? 0, mode: 0o660)
  }

  private static func give(_ node: String, to user: uid_t, group: gid_t, mode: mode_t) throws(Failure) {
    guard chown(node, user, group) == 0, chmod(node, mode) == 0 else {
      throw Failure(node, inWords: "Its access cannot be changed: \(SystemError.last.words)", exit: .system)
    }
  }
}
