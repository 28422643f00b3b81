import Base
import Control
import Glibc
import Prescriptions

/// Files of a machine that a hand-over changes; other ones only for tests.
package struct DeviceFiles: Sendable {
  package var mark = DeviceMark.path
  package var rule = SeatRule.path
  /// Folder of the sound cards' nodes.
  package var nodes = "/dev/snd"
  /// Configuration of the system's daemon.
  package var configuration = "/etc/auricle/auricle.toml"
  /// Folder above which nobody's folders are looked at.
  var top = "/"
  /// User to whom all of them have to belong.
  package var owner: uid_t = 0

  package init() {}
}

/// Hand-over of a machine to a clinic, and its return, step by step.
///
/// Each step can be repeated. The mark is the first to come and the last to go: from the moment it stands, everybody goes by
/// it, and a hand-over that was killed is told by the steps that are missing (``DeviceReport``) and goes on when it is called
/// again. A step that fails takes the former ones back, but where that hand-over stands already, whatever user it was for.
///
/// - Threads: control.
package struct DeviceTransfer {
  /// Part of a hand-over, in order.
  package enum Step: CaseIterable, Sendable {
    /// The machine's mark.
    case mark
    /// udev's rule for cards that come.
    case rule
    /// `control.owner = "clinic"`.
    case configuration
    /// The cards that are there.
    case cards
    /// The daemon follows the mark and notes that in its book.
    case daemon
  }

  let files: DeviceFiles
  /// Has udev apply its rules.
  let applyRules: () throws(Failure) -> Void
  /// Has the system's daemon follow the mark.
  let follow: () throws(Failure) -> Void

  package init(
    _ files: DeviceFiles, applyRules: @escaping () throws(Failure) -> Void = SeatRule.apply,
    follow: @escaping () throws(Failure) -> Void
  ) {
    (self.files, self.applyRules, self.follow) = (files, applyRules, follow)
  }

  /// Makes the machine the clinic's of a mark: all of it or nothing.
  ///
  /// - Throws: ``Failure`` of the step that failed; what could not be taken back is said.
  package func handOver(_ mark: DeviceMark) throws(Failure) {
    let standing = DeviceStanding(markedBy: files.mark, owner: files.owner)
    let isResumed = standing.mark?.handOver == mark.handOver
    var done: [Step: FormerFile?] = [:]
    for step in Step.allCases {
      do throws(Failure) {
        done.updateValue(try formerFile(of: step), forKey: step)
        try carryOut(step, mark)
      } catch {
        // The steps of an earlier call stay for the next one.
        guard !isResumed else { throw error }
        throw takeBack(done, error, from: standing)
      }
    }
  }

  /// Makes the machine its owner's again, once the daemon has taken the pass.
  ///
  /// - Throws: ``Failure`` of the step that failed; called again, it goes on.
  package func giveBack() throws(Failure) {
    for step in Self.wayBack { try undo(step) }
  }

  /// Steps in the order in which they are taken back: the cards once their rule is gone, and the daemon looks once the mark is.
  private static let wayBack = [Step.configuration, .rule, .cards, .mark, .daemon]

  /// Takes steps back: files are then as they were before.
  ///
  /// - Parameter standing: Owner of the machine before: the cards of a clinic's, by whatever mark, are not opened.
  private func takeBack(
    _ steps: [Step: FormerFile?], _ failure: Failure, from standing: DeviceStanding
  ) -> Failure {
    var left: [String] = []
    let areClosed = standing.clinicName != nil && steps.keys.contains(.cards)
    for step in Self.wayBack {
      guard let former = steps[step], step != .cards || !areClosed else { continue }
      do throws(Failure) {
        if let former { try putBack(former) } else { try undo(step) }
      } catch { left.append(error.message) }
    }
    let unchanged =
      areClosed ? "Nothing was changed but the sound cards, which stay closed." : "Nothing was changed."
    let outcome =
      left.isEmpty ? unchanged : "This could not be taken back: " + left.joined(separator: " ")
    let words = failure.message.dropFirst(failure.subject.count + 2)
    return Failure(failure.subject, inWords: String(words), remedy: outcome, exit: failure.exitStatus)
  }

  // MARK: - Former files

  /// A file as it was before a step.
  private struct FormerFile {
    let path: String
    /// Nil: there was none.
    let content: [UInt8]?
    /// Permissions.
    let mode: UInt32
  }

  /// Greatest size of a file that a step changes, bytes.
  private static let limit = Configuration.maximumFileSize

  /// The file that a step is about to change; nil: it changes none.
  private func formerFile(of step: Step) throws(Failure) -> FormerFile? {
    let path: String
    switch step {
    case .mark: path = files.mark
    case .rule: path = files.rule
    case .configuration: path = files.configuration
    case .cards, .daemon: return nil
    }
    do throws(Failure) {
      let content = try FileContent.bytes(of: path, limit: Self.limit)
      var status = stat()
      stat(path, &status)
      return FormerFile(path: path, content: content, mode: status.st_mode & 0o777)
    } catch {
      guard error.exitStatus == .noInput else { throw error }
      return FormerFile(path: path, content: nil, mode: 0)
    }
  }

  private func putBack(_ former: FormerFile) throws(Failure) {
    guard let content = former.content else { return try remove(former.path) }
    let present = try? FileContent.bytes(of: former.path, limit: Self.limit)
    guard present != content else { return }
    do throws(SystemError) {
      try WholeFile.output(content, to: former.path, mode: former.mode, exactly: true)
    } catch { throw .writing(former.path, error) }
  }

  // MARK: - Steps

  func carryOut(_ step: Step, _ mark: DeviceMark) throws(Failure) {
    switch step {
    case .mark: try write(mark.bytes, to: files.mark)
    case .rule: try write(Array(SeatRule.text(for: mark.daemonUser).utf8), to: files.rule)
    case .configuration:
      try change { (file) throws(Failure) in
        try file.set("control.owner", to: "clinic", from: nil, subject: "control.owner")
      }
    case .cards:
      try applyRules()
      for node in SeatRule.nodes(in: files.nodes) {
        guard SeatRule.opening(of: node, for: mark.daemonUser) != nil else { continue }
        try SeatRule.close(node, for: mark.daemonUser)
      }
    case .daemon: try follow()
    }
  }

  func undo(_ step: Step) throws(Failure) {
    switch step {
    case .mark: try remove(files.mark)
    case .rule: try remove(files.rule)
    case .configuration:
      guard access(files.configuration, F_OK) == 0 else { return }
      try change { (file) throws(Failure) in try file.unset("control.owner", subject: "control.owner") }
    case .cards:
      for node in SeatRule.nodes(in: files.nodes) { try SeatRule.open(node) }
      // Which gives the seat's user the cards again.
      try applyRules()
    case .daemon: try follow()
    }
  }

  /// Writes a file that everybody may read, in a folder that everybody may look into.
  private func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    do throws(SystemError) {
      try Folder.make(FilePath.folder(of: path), mode: 0o755)
      try WholeFile.write(bytes, to: path, mode: DeviceMark.mode)
    } catch { throw .writing(path, error) }
  }

  private func remove(_ path: String) throws(Failure) {
    guard unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else {
      return WholeFile.synchronize(folder: FilePath.folder(of: path))
    }
    throw Failure(path, inWords: "It cannot be removed: \(SystemError.last.words)", exit: .cannotCreate)
  }

  private func change(_ change: (inout ConfigurationFile) throws(Failure) -> Void) throws(Failure) {
    let isNew = access(files.configuration, F_OK) != 0
    do throws(ConfigurationFailures) {
      // Named as it is: nothing of the environment leads elsewhere. A file that is not there yet begins empty.
      if isNew { try begin() }
      var file = try ConfigurationFile(ConfigurationSearch(explicit: files.configuration, environment: [:]))
      do throws(Failure) { try change(&file) } catch { throw ConfigurationFailures(failures: [error]) }
      try file.save()
    } catch { throw error.joined }
  }

  private func begin() throws(ConfigurationFailures) {
    do throws(Failure) { try write([], to: files.configuration) } catch {
      throw ConfigurationFailures(failures: [error])
    }
  }
}
