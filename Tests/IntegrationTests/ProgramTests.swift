import Testing

/// Tests of the built program. Each has a folder, ports and processes of its own, so that they can run at once.
@Suite("The program")
enum ProgramTests {}
