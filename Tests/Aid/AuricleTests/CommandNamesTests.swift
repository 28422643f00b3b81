import ArgumentParser
import Testing

@testable import AuricleCommands

@Suite("Names of commands") struct CommandNamesTests {
  // A command without a name has it made from its type's by ArgumentParser, which searches the program's thousands of conformances
  // five times for it. For forty commands that was more than half of the time of `auricle status`.
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
