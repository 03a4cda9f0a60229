import Foundation
import Synchronization

/// What a program has written to one of its outputs so far. Tests wait for what it says, not for time to pass.
package final class Transcript: Sendable {
    private struct State {
        var bytes = Data()
        var isComplete = false
        var waiters: [Waiter] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private struct Waiter {
        let phrase: String?
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let state = Mutex(State())

    /// Everything so far.
    package var text: String { state.withLock { $0.text } }

    /// - Parameter data: what came next; empty at the end.
    func append(_ data: Data) {
        let resumed = state.withLock { state -> [(Waiter, Bool)] in
            state.bytes.append(data)
            if data.isEmpty { state.isComplete = true }
            let (waiters, text) = (state.waiters, state.text)
            state.waiters = []
            var resumed: [(Waiter, Bool)] = []
            for waiter in waiters {
                let isThere = waiter.phrase.map(text.contains) ?? state.isComplete
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

    /// Waits until the program has said a phrase.
    /// - Throws: ``Missing`` if the program ends without it.
    package func wait(for phrase: String) async throws {
        guard await isThere(phrase) else { throw Missing(phrase: phrase, text: text) }
    }

    /// Everything, once the output is closed.
    package func complete() async -> String {
        _ = await isThere(nil)
        return text
    }

    private func isThere(_ phrase: String?) async -> Bool {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Bool? in
                if let phrase, state.text.contains(phrase) { return true }
                if state.isComplete { return phrase == nil }
                state.waiters.append(Waiter(phrase: phrase, continuation: continuation))
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
