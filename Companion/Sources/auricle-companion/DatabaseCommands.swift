import ArgumentParser
import Base
import Companion

/// `auricle study database`.
struct DatabaseCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database", abstract: "The database of a site: its tables, and who may do what in it.",
    subcommands: [PrepareDatabase.self])
}

/// `auricle study database prepare`.
struct PrepareDatabase: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare", abstract: "Make roles, rights and tables, or bring them to their newest form.",
    discussion: """
      Once as the server's administrator, after an upgrade as auricle_migrate, or as the administrator again where it brings another role. \
      auricle_owner and auricle_verbs own and cannot log in; people are served as \
      auricle_participant (own rows), auricle_staff (who takes part, alerts) and auricle_export (data sets). How they log in is set \
      on the server. Repeated, it changes nothing. A person's file needs none of it.
      """)

  @OptionGroup var common: CommonOptions

  func run() throws {
    let place = try common.place()
    let done = try place.prepare(at: Surroundings.system(ProcessEnvironment.variables).now())
    common.show(
      ["schema": 100, "place": .text(place.words), "done": .array(done.map { .text($0) })],
      done.isEmpty ? "\(place.words): \(place.preparedWords).\n" : done.map { $0 + "\n" }.joined())
  }
}
