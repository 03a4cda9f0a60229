import DuetClient
import DuetClientPublishers
import Synchronization
import Testing

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

@Suite("Demand of a subscriber")
struct DemandTests {
    /// Compares the demand of a subscriber with the number of elements that the publisher requests.
    private final class Balance: Sendable {
        private let state = Mutex((demanded: 0, asked: 0, isExceeded: false))

        var isExceeded: Bool { state.withLock(\.isExceeded) }
        func demand(_ count: Int) { state.withLock { $0.demanded += count } }
        func ask() -> Int {
            state.withLock { state in
                state.asked += 1
                state.isExceeded = state.isExceeded || state.asked > state.demanded
                return state.asked
            }
        }
    }

    /// Returns endless results. The data of each result is the number of elements that were requested so far.
    private func numbers(_ balance: Balance) -> GraphQLResults<Int> {
        GraphQLResults {
            { () async throws(GraphQLClientError) in GraphQLResult(data: balance.ask()) }
        }
    }

    /// Returns the values of a stream as results.
    private func results(of values: AsyncStream<Int>) -> GraphQLResults<Int> {
        GraphQLResults {
            { () async throws(GraphQLClientError) in
                for await value in values { return GraphQLResult(data: value) }
                return nil
            }
        }
    }

    @Test("A result is requested only on demand, and all demanded results arrive in order")
    func demand() async throws {
        let balance = Balance()
        let collector = Collector<GraphQLResult<Int>>()
        GraphQLResultsPublisher(numbers(balance)).subscribe(collector)
        var events = collector.events.makeAsyncIterator()
        var received: [Int?] = []
        for count in [1, 3, 1, 2] {
            balance.demand(count)
            collector.demand(.max(count))
            for _ in 0..<count { received.append(await events.next()?.value?.data) }
        }
        #expect(received == [1, 2, 3, 4, 5, 6, 7])
        #expect(!balance.isExceeded)
    }

    @Test("If several tasks demand results, the demands are added")
    func tasks() async throws {
        let balance = Balance()
        let collector = Collector<GraphQLResult<Int>>()
        GraphQLResultsPublisher(numbers(balance)).subscribe(collector)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 {
                        balance.demand(1)
                        collector.demand(.max(1))
                    }
                }
            }
        }
        var received: [Int] = []
        for await event in collector.events {
            received.append(try #require(event.value?.data))
            if received.count == 800 { break }
        }
        #expect(received == Array(1...800))
        #expect(!balance.isExceeded)
    }

    @Test("A subscriber with unlimited demand receives all results and then the completion")
    func unlimited() async throws {
        let (values, value) = AsyncStream<Int>.makeStream()
        for number in 1...100 { value.yield(number) }
        value.finish()
        let collector = Collector<GraphQLResult<Int>>()
        GraphQLResultsPublisher(results(of: values)).subscribe(collector)
        collector.demand(.unlimited)
        var received: [Int] = []
        var isFinished = false
        for await event in collector.events {
            if let number = event.value?.data { received.append(number) }
            if case .finished = event { isFinished = true }
        }
        #expect(received == Array(1...100))
        #expect(isFinished)
    }

    @Test("A subscriber that canceled its subscription receives nothing more")
    func cancellation() async throws {
        let (values, value) = AsyncStream<Int>.makeStream()
        let collector = Collector<GraphQLResult<Int>>()
        GraphQLResultsPublisher(results(of: values)).subscribe(collector)
        var events = collector.events.makeAsyncIterator()
        collector.demand(.max(2))
        value.yield(1)
        #expect(await events.next()?.value?.data == 1)
        collector.cancel()
        collector.demand(.max(1))
        value.yield(2)
        // A value that is received after the cancellation would precede this completion.
        collector.receive(completion: .finished)
        guard case .finished? = await events.next() else {
            Issue.record("A value was received after the cancellation.")
            return
        }
    }

    /// Reports its release.
    private final class Iteration: Sendable {
        let released: AsyncStream<Void>.Continuation

        init(_ released: AsyncStream<Void>.Continuation) { self.released = released }

        deinit { released.yield() }
    }

    @Test("When the subscription is canceled, the iteration ends, also while there is no demand")
    func release() async throws {
        let (releases, released) = AsyncStream<Void>.makeStream()
        let collector = Collector<GraphQLResult<Int>>()
        GraphQLResultsPublisher(
            GraphQLResults {
                let iteration = Iteration(released)
                return { () async throws(GraphQLClientError) in
                    withExtendedLifetime(iteration) { GraphQLResult(data: 1) }
                }
            }
        ).subscribe(collector)
        var events = collector.events.makeAsyncIterator()
        collector.demand(.max(1))
        #expect(await events.next()?.value?.data == 1)
        collector.cancel()
        var release = releases.makeAsyncIterator()
        await release.next()
        withExtendedLifetime(collector) {}
    }
}
