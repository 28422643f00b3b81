import Testing

@testable import HearingAid
