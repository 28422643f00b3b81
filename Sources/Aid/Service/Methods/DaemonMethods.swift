import Control

extension MethodTable {
  /// Every method of the control protocol.
  package static let daemon: MethodTable = {
    var table = MethodTable()
    for method in SoundMethods.all + ReportMethods.all { table.register(method) }
    for method in SubscriptionMethods.all { table.register(method) }
    for method in PrescriptionMethods.all + TrustMethods.all + BookMethods.all { table.register(method) }
    for method in ProgramMethods.all + FeedbackMethods.all { table.register(method) }
    return table
  }()
}
