/// What the audit trail says was done.
public enum AuditAction: String, Sendable, Hashable, CaseIterable {
  case loaded
  case selected
  case used
  case trialBegan = "trial-began"
  case timePassed = "time-passed"
  case accepted
  case reverted
  case enrolled
  case revoked
  case rebound
  case developerModeOpened = "developer-mode-opened"
  case developerModeClosed = "developer-mode-closed"
  case clockCorrected = "clock-corrected"
  case backedUp = "backed-up"
  case restored
  /// Damage that was found on opening.
  case found
  case refused
}
