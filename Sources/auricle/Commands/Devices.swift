import ArgumentParser
import AudioIO
import Control
import Daemon

/// `auricle devices`: the sound devices of this machine; needs no daemon.
struct Devices: Verb {
  static let configuration = CommandConfiguration(
    abstract: "List the sound devices, with the names to write into the configuration.")

  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let report = DevicesReport(DeviceList.all())
    if form.json {
      print(try json(report))
    } else {
      print(DevicesText(report, style: form.style).text, terminator: "")
    }
    return .done
  }
}
