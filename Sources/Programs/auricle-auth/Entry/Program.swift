import ProofOfRole

@main enum Program {
  static func main() { Entry.run() }
}
