import Control

extension MethodTable {
  /// Every method of the control protocol.
  package static let daemon: MethodTable = {
    var table = MethodTable()
    let methods: [[any ControlMethod.Type]] = [
      SoundMethods.all, ReportMethods.all, [Subscription.self, Unsubscription.self],
      PrescriptionMethods.all, TrustMethods.all, BookMethods.all, ProgramMethods.all, FeedbackMethods.all,
    ]
    for method in methods.joined() { table.register(method) }
    return table
  }()
}
