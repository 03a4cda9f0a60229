/// Bounds how many tests with databases, servers and programs run at once: enough to keep two processors busy, and so few that none of
/// them waits long for its turn. All other tests run at once.
package enum TestSlots {
    /// Whether the task has a slot, or needs none.
    @TaskLocal private static var isHeld = false

    /// Runs a part of a test when there is a slot; at once if the task has one.
    package static func with<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard !isHeld else { return try await body() }
        await Queue.shared.enter()
        let result: Result<Value, any Error>
        do {
            result = .success(try await $isHeld.withValue(true) { try await body() })
        } catch {
            result = .failure(error)
        }
        await Queue.shared.leave()
        return try result.get()
    }

    /// Runs something for all tests of a suite, which would hold a slot for as long as the suite takes, or for several tests, which
    /// would wait with their slots for one more.
    package static func without<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await $isHeld.withValue(true) { try await body() }
    }

    /// Those who wait come in the order they came.
    private actor Queue {
        static let shared = Queue()

        private var free = 6
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func enter() async {
            if free > 0 {
                free -= 1
            } else {
                await withCheckedContinuation { waiting.append($0) }
            }
        }

        func leave() {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
    }
}
