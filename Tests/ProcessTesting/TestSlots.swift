/// Limits the number of concurrent tests with databases, servers and programs. The limit keeps two processors busy
/// without long waiting times. All other tests run concurrently.
package enum TestSlots {
    /// True if the task has a slot or needs none.
    @TaskLocal private static var isHeld = false

    /// Runs a part of a test as soon as a slot is free, or at once if the task has a slot.
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

    /// Runs a closure that needs no slot. Use it for shared work: the server of a suite, which would occupy a slot as
    /// long as the suite runs, or a sample for several tests, which already occupy slots while they wait.
    package static func without<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await $isHeld.withValue(true) { try await body() }
    }

    /// A queue in which waiting tasks continue in order of arrival.
    private actor Queue {
        static let shared = Queue()

        private var free = 4
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
