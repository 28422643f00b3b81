import Control
import Testing

/// A configuration from text, as if it stood in `folder/auricle.toml`.
func loaded(_ text: String, folder: String = "/nowhere") throws -> LoadedConfiguration {
  try Configuration.reading([UInt8](text.utf8), file: folder + "/auricle.toml")
}
