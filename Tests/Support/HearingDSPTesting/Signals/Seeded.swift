import CommonTesting

/// Random numbers that are the same in each run.
typealias Seeded = SeededGenerator
