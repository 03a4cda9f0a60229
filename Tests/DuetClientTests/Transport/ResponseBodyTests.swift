import DuetClient
import Foundation
import Synchronization
import Testing

@Suite("Bodies of responses")
struct ResponseBodyTests {
    /// A body of the two parts `ab` and `cdef`.
    private func body() -> ResponseBody {
        let parts = Mutex(["cdef", "ab"])
        return ResponseBody { () throws(TransportError) in parts.withLock { $0.popLast() }.map { Data($0.utf8) } }
    }

    @Test("A body as long as the limit is collected whole")
    func withinLimit() async throws {
        #expect(try await body().collect(upTo: 6) == Data("abcdef".utf8))
    }

    @Test("A body beyond the limit is refused")
    func beyondLimit() async throws {
        let error = await #expect(throws: TransportError.self) { try await body().collect(upTo: 5) }
        #expect(error?.code == .tooLarge)
    }
}
