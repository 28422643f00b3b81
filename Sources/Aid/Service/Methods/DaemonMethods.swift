extension MethodTable {
  /// Every method of the control protocol.
  package static let daemon = MethodTable([
    SoundMethods.Start.self, SoundMethods.Stop.self, SoundMethods.Mute.self, SoundMethods.Unmute.self,
    SoundMethods.Reload.self, RouteMethods.Show.self, RouteMethods.Try.self, RouteMethods.Keep.self,
    RouteMethods.Back.self, SoundMethods.Shutdown.self, ReportMethods.Status.self,
    ReportMethods.Devices.self, ReportMethods.Version.self, Subscription.self,
    SpectrumSubscription.self, Unsubscription.self,
    PrescriptionMethods.Look.self, PrescriptionMethods.Load.self, PrescriptionMethods.List.self,
    PrescriptionMethods.Card.self, PrescriptionMethods.Export.self, PrescriptionMethods.Use.self,
    PrescriptionMethods.Try.self,
    PrescriptionMethods.Accept.self, PrescriptionMethods.Revert.self, TrustMethods.Add.self,
    TrustMethods.Revoke.self, TrustMethods.List.self, BookMethods.ShowAudit.self,
    BookMethods.VerifyAudit.self, BookMethods.AcceptDamage.self, BookMethods.BackUp.self,
    BookMethods.CorrectClock.self, ProgramMethods.List.self, ProgramMethods.Use.self,
    ProgramMethods.Volume.self, ProgramMethods.Tone.self, StreamMethods.Set.self,
    FeedbackMethods.Measure.self, FeedbackMethods.Stop.self, FeedbackMethods.Keep.self,
    FeedbackMethods.Clear.self, RoleMethods.Begin.self, RoleMethods.Prove.self, RoleMethods.Deny.self,
    RoleMethods.End.self, DebugMethods.Begin.self, DebugMethods.Set.self, DebugMethods.Stage.self,
    DebugMethods.Show.self, DebugMethods.Compare.self, DebugMethods.End.self,
    RecordingMethods.Allow.self, RecordingMethods.Forbid.self,
    RecordingMethods.Watch.self, EarphoneMethods.Tell.self, EarphoneMethods.Forget.self,
    ProcedureMethods.Start.self, ProcedureMethods.Answer.self, ProcedureMethods.Stop.self,
    ProcedureMethods.List.self, ProcedureMethods.Show.self,
    DeviceMethods.Show.self, DeviceMethods.Follow.self, DeviceMethods.Return.self, DeviceMethods.Note.self,
  ])
}
