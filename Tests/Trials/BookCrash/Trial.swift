import Book
import CommonTesting
import Glibc
import Prescriptions
import Sealing

/// The process that kills and looks.
final class Trial {
  /// Kills after which a new book is begun: opening verifies every card again and would grow slow.
  static let killsPerBook = 10

  let program: String
  private var random: SeededGenerator
  private(set) var failures: [String] = []
  private var deeds = 0
  private var killedOpening = 0
  private var killedBetween = 0
  private var keptInFlight = 0
  private var droppedInFlight = 0
  private var kills = 0

  init(program: String, seed: UInt64) throws {
    self.program = program
    random = SeededGenerator(seed)
  }

  func run(kills count: Int) throws {
    var folder = ""
    var model = Model()
    for round in 0..<count {
      if round % Self.killsPerBook == 0 {
        if !folder.isEmpty { Self.remove(folder) }
        folder = try begin()
        model = Model()
      }
      let lines = try killedWriter(in: folder, isFirst: round % Self.killsPerBook == 0)
      kills += 1
      do {
        model = try look(at: folder, model, lines, round)
      } catch {
        failures.append("round \(round), in \(folder): \(error)")
        return
      }
    }
    Self.remove(folder)
  }

  /// A folder with cards. The book is begun by a writer that is killed.
  private func begin() throws -> String {
    var template = Array("/tmp/auricle-crash-XXXXXX".utf8CString)
    mkdtemp(&template)
    let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    try Cards.make(300, in: folder)
    return folder
  }

  /// Starts a writer, kills it at a random instant, and gives the lines it said.
  private func killedWriter(in folder: String, isFirst: Bool) throws -> [Substring] {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    let words = [program, "writer", folder, String(random.next())]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) }
    arguments.append(nil)
    var process: pid_t = 0
    posix_spawn(&process, program, &actions, nil, &arguments, environ)
    posix_spawn_file_actions_destroy(&actions)
    for argument in arguments { free(argument) }
    close(ends[1])
    defer { close(ends[0]) }

    var said: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    // The first of each book dies while the book is made or opened, the others within the first deeds.
    if !isFirst {
      while !said.contains(10), case let count = read(ends[0], &chunk, chunk.count), count > 0 {
        said += chunk[..<count]
      }
    }
    usleep(UInt32.random(in: 0...60_000, using: &random))
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    while case let count = read(ends[0], &chunk, chunk.count), count > 0 { said += chunk[..<count] }
    if status & 0x7F != SIGKILL { failures.append("the writer ended by itself, status \(status)") }
    return String(decoding: said, as: UTF8.self).split(separator: "\n")
  }

  /// Opens the book and holds it against the two states that are allowed.
  private func look(
    at folder: String, _ former: Model, _ lines: [Substring], _ round: Int
  ) throws -> Model {
    var model = former
    var begun: Deed?
    for line in lines {
      if line.hasPrefix("begin ") { begun = Deed(line.dropFirst(6)) }
      if line == "done", let deed = begun {
        model = model.after(deed)
        begun = nil
        deeds += 1
      }
    }
    let book = try PrescriptionBook(at: folder + "/book", key: try SealingKey(bytes: Writer.key))
    try book.verifyAudit()
    if !book.notices.isEmpty { failures.append("round \(round): \(book.notices)") }
    let state = book.state
    func serial(_ number: Int) -> Int { state.entry(number)?.prescription.serial ?? 0 }
    let found = Model(
      final: (state.lines[.quiet] ?? []).map(serial), trial: (state.trials[.quiet]?.entry).map(serial),
      count: state.entries.count)
    if found == model {
      if begun != nil {
        droppedInFlight += 1
      } else if lines.isEmpty {
        killedOpening += 1
      } else {
        killedBetween += 1
      }
    } else if let begun, found == model.after(begun) {
      keptInFlight += 1
    } else {
      failures.append(
        "round \(round): found \(found), expected \(model), begun \(begun?.text ?? "nothing")")
    }
    let worn = state.inForce?.prescription.serial
    if worn != found.trial ?? found.final.last { failures.append("round \(round): \(worn ?? 0) is worn") }
    return found
  }

  func report() {
    for failure in failures.prefix(20) { print("FAILED \(failure)") }
    print(
      "\(kills) kills, \(deeds) deeds told as done: \(killedOpening) while opening, \(killedBetween) between two"
        + " deeds, \(droppedInFlight + keptInFlight) within one (\(droppedInFlight) left nothing of it,"
        + " \(keptInFlight) all of it); \(failures.count) failures")
  }

  static func remove(_ folder: String) {
    for file in ["book.sqlite", "book.sqlite-wal", "book.head", "book.lock"] {
      unlink(folder + "/book/" + file)
    }
    rmdir(folder + "/book")
    unlink(folder + "/cards")
    rmdir(folder)
  }
}
