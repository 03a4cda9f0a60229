import DuetClient
import Foundation
import Synchronization
import Testing

@Suite("Response bodies")
struct ResponseBodyTests {
    /// Returns a body with the two parts `ab` and `cdef`.
    private func body() -> ResponseBody {
        let parts = Mutex(["cdef", "ab"])
        return ResponseBody { () throws(TransportError) in parts.withLock { $0.popLast() }.map { Data($0.utf8) } }
    }

    @Test("A body of the maximum size is collected completely")
    func withinLimit() async throws {
        #expect(try await body().collect(upTo: 6) == Data("abcdef".utf8))
    }

    @Test("A body above the size limit is rejected")
    func beyondLimit() async throws {
        let error = await #expect(throws: TransportError.self) { try await body().collect(upTo: 5) }
        #expect(error?.code == .tooLarge)
    }
}
