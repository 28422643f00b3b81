import ArgumentParser
import Clinic
import Control

/// Which clinic's key is meant.
struct ClinicOption: ParsableArguments {
  @Option(
    name: .customLong("clinic"),
    help: ArgumentHelp(
      "Folder of the clinic's key, instead of ~/.local/share/auricle/clinic.", valueName: "folder"),
    completion: .directory)
  var path: String?

  var folder: ClinicFolder {
    path.map(ClinicFolder.init(path:)) ?? ClinicFolder(environment: ProcessEnvironment.variables)
  }
}
