import ProcessTesting
import Testing

/// Runs the tests of a serialized suite without slots. With slots, each of its tests would wait in the queue behind all
/// other tests, so the suite would run alone at the end. See ``TestSlots``.
struct EarlyTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await TestSlots.without { try await function() }
        }
    }
}

extension Trait where Self == EarlyTrait {
    /// Starts a serialized suite at the beginning of the run.
    static var early: EarlyTrait { EarlyTrait() }
}
