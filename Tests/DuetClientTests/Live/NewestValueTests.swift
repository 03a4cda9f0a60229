import Testing

@testable import DuetClient

@Suite("The newest value")
struct NewestValueTests {
    @Test("A slow reader skips to the last value, and receives it before the end")
    func skips() async throws {
        let values = NewestValue<Int, TransportError>()
        for value in 1...3 { values.put(value) }
        #expect(try await values.next() == 3)
        values.put(4)
        values.finish(TransportError(.timedOut))
        values.put(5)
        #expect(try await values.next() == 4)
        let error = await #expect(throws: TransportError.self) { try await values.next() }
        #expect(error?.code == .timedOut)
    }

    @Test("A waiting reader receives a value at once, and ends when its task is canceled")
    func waits() async {
        let values = NewestValue<Int, Never>()
        let reading = Signal()
        let task = Task {
            reading.set()
            return [await values.next(), await values.next(), await values.next()]
        }
        await reading.wait()
        values.put(1)
        task.cancel()
        let read = await task.value
        #expect(read == [1, nil, nil] || read == [nil, 1, nil])
    }
}
