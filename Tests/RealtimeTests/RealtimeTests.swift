import Testing

@testable import Realtime
