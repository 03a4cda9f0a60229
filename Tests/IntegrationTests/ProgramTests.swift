import Testing

/// Tests of the built program. Each test has its own folder, ports and processes, so that the tests can run
/// concurrently.
@Suite("The program")
enum ProgramTests {}
