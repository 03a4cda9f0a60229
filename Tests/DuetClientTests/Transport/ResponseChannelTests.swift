import Foundation
import HTTPTypes
import Testing

@testable import DuetClient

@Suite("The channel between an HTTP library and the reader of a response")
struct ResponseChannelTests {
    /// The owner of the channel. It sends no requests.
    private struct Owner: HTTPTransport {
        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            throw TransportError(.cannotConnect)
        }
    }

    private let channel = ResponseChannel(timeout: .seconds(300), owner: Owner())
    private let part = Data(repeating: 0x20, count: 64 * 1024)

    /// Reads the rest of the response.
    /// - Returns: The number of bytes.
    private func rest() async throws(TransportError) -> Int {
        var count = 0
        while let element = try await channel.next() {
            if case .bytes(let data) = element { count += data.count }
        }
        return count
    }

    @Test("The HTTP library pauses at 256 KiB of unread data and resumes after the next read")
    func backPressure() async throws {
        let resumed = Counter()
        for _ in 0..<3 { channel.receive(.bytes(part)) { resumed.increment() } }
        #expect(resumed.value == 3)
        channel.receive(.bytes(part)) { resumed.increment() }
        #expect(resumed.value == 3)
        _ = try await channel.next()
        #expect(resumed.value == 4)
    }

    @Test("Data that arrives before an error is delivered before the error")
    func errorAfterParts() async throws {
        channel.receive(.bytes(part)) {}
        channel.finish(TransportError(.connectionLost))
        _ = try await channel.next()
        let error = await #expect(throws: TransportError.self) { try await channel.next() }
        #expect(error?.code == .connectionLost)
    }

    @Test("Abandoning the response resumes a paused HTTP library and cancels the request")
    func abandoned() async throws {
        let (resumed, cancelled) = (Counter(), Counter())
        channel.onCancel { cancelled.increment() }
        for _ in 0..<4 { channel.receive(.bytes(part)) { resumed.increment() } }
        #expect(resumed.value == 3)
        channel.abandon(TransportError(.cancelled))
        #expect(resumed.value == 4 && cancelled.value == 1)
        let error = await #expect(throws: TransportError.self) { try await channel.next() }
        #expect(error?.code == .cancelled)
    }

    @Test("A request that starts after the reader has abandoned the response is canceled")
    func abandonedEarly() {
        let cancelled = Counter()
        channel.abandon(TransportError(.cancelled))
        channel.onCancel { cancelled.increment() }
        #expect(cancelled.value == 1)
    }

    @Test("Abandoning the response does not cancel a request that has ended")
    func ended() async throws {
        let cancelled = Counter()
        channel.onCancel { cancelled.increment() }
        channel.receive(.bytes(part)) {}
        channel.finish()
        channel.abandon(TransportError(.cancelled))
        #expect(cancelled.value == 0)
        #expect(try await rest() == part.count)
    }

    @Test("All parts are delivered if the HTTP library writes and the reader reads at the same time")
    func order() async throws {
        let channel = channel
        let count = 2000
        async let sum = rest()
        for index in 0..<count {
            await withCheckedContinuation { continuation in
                channel.receive(.bytes(Data(repeating: 1, count: index))) { continuation.resume() }
            }
        }
        channel.finish()
        #expect(try await sum == count * (count - 1) / 2)
    }
}
