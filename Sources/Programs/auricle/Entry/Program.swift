import AuricleCommands

@main enum Program {
  static func main() { Entry.run() }
}
