import Foundation
import Synchronization

/// The text that a program has written to one of its outputs so far. Tests wait for a text instead of a time.
package final class Transcript: Sendable {
    private struct State {
        var bytes = Data()
        var isComplete = false
        var waiters: [Waiter] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private struct Waiter {
        /// Returns true for the expected text. `nil` waits for the complete output.
        let condition: (@Sendable (String) -> Bool)?
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let state = Mutex(State())

    /// The text so far.
    package var text: String { state.withLock { $0.text } }

    /// - Parameter data: The next bytes. Empty at the end.
    func append(_ data: Data) {
        let resumed = state.withLock { state -> [(Waiter, Bool)] in
            state.bytes.append(data)
            if data.isEmpty { state.isComplete = true }
            let (waiters, text) = (state.waiters, state.text)
            state.waiters = []
            var resumed: [(Waiter, Bool)] = []
            for waiter in waiters {
                let isThere = waiter.condition.map { $0(text) } ?? state.isComplete
                if isThere || state.isComplete {
                    resumed.append((waiter, isThere))
                } else {
                    state.waiters.append(waiter)
                }
            }
            return resumed
        }
        for (waiter, isThere) in resumed { waiter.continuation.resume(returning: isThere) }
    }

    /// Waits until the program has written a phrase.
    /// - Throws: ``Missing`` if the program ends without the phrase.
    package func wait(for phrase: String) async throws {
        guard await isThere({ $0.contains(phrase) }) else { throw Missing(phrase: phrase, text: text) }
    }

    /// Waits until the output of the program meets a condition.
    /// - Parameter wanted: The condition in words.
    /// - Throws: ``Missing`` if the program ends before the condition is true.
    package func wait(for wanted: String, until condition: @escaping @Sendable (String) -> Bool) async throws {
        guard await isThere(condition) else { throw Missing(phrase: wanted, text: text) }
    }

    /// Returns the complete text after the output is closed.
    package func complete() async -> String {
        _ = await isThere(nil)
        return text
    }

    private func isThere(_ condition: (@Sendable (String) -> Bool)?) async -> Bool {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Bool? in
                if let condition, condition(state.text) { return true }
                if state.isComplete { return condition == nil }
                state.waiters.append(Waiter(condition: condition, continuation: continuation))
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    package struct Missing: Error, CustomStringConvertible {
        package let phrase: String
        package let text: String

        package init(phrase: String, text: String) {
            self.phrase = phrase
            self.text = text
        }

        package var description: String { "the program ended without \"\(phrase)\"; it said: \(text)" }
    }
}
