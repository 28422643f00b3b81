import Testing

@testable import HearingDSP
