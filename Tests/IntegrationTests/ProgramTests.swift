import Testing

/// Tests of the built program. One after the other: each starts processes, and a machine with two cores has its hands
/// full with one of them.
@Suite("The program", .serialized)
enum ProgramTests {}
