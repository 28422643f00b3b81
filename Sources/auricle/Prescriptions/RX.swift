import ArgumentParser

/// `auricle rx`: prescriptions.
struct RX: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rx",
    abstract: "Prescriptions: made by the audiologist, scanned and heard by the patient.",
    groupedSubcommands: [
      CommandGroup(
        name: "For the patient",
        subcommands: [
          ScanPrescription.self, ListPrescriptions.self, UsePrescription.self, TryPrescription.self,
          AcceptPrescription.self, RevertPrescription.self,
        ]),
      CommandGroup(
        name: "For the audiologist", subcommands: [MakePrescription.self, SheetPrescription.self]),
      CommandGroup(name: "For both", subcommands: [ShowPrescription.self, ExportPrescription.self]),
    ])
}
