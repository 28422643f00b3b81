import Glibc

/// Kills a process that loads, accepts and reverts, again and again, and looks at the book afterwards.
///
///     book-crash-trial [kills] [seed]
///     book-crash-trial speed
@main enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "writer" {
      try Writer(folder: arguments[2], seed: UInt64(arguments[3]) ?? 0).run()
    } else if arguments.count == 2, arguments[1] == "speed" {
      try Speed().run()
    } else {
      let kills = arguments.count > 1 ? Int(arguments[1]) ?? 500 : 500
      let seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : 1
      let trial = try Trial(program: arguments[0], seed: seed)
      try trial.run(kills: kills)
      trial.report()
      exit(trial.failures.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
