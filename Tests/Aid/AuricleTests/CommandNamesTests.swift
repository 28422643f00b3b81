import ArgumentParser
import Testing

@testable import AuricleCommands

@Suite("Names of commands") struct CommandNamesTests {
  // ArgumentParser makes the name of a command that gives none from its type's, by looking for the conformances that would describe it: among the
  // thousands of this program, for each of forty commands, that was half of the time that `auricle status` took.
  @Test(
    "each command gives its name itself, so that the program starts without deriving it from its type's")
  func given() {
    var commands: [any ParsableCommand.Type] = [Main.self]
    var seen = 0
    while let command = commands.popLast() {
      #expect(command.configuration.commandName != nil, "\(command)")
      commands += command.configuration.subcommands
      seen += 1
    }
    #expect(seen > 80)
  }
}
