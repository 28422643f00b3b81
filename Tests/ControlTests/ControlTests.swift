import Testing

@testable import Control
