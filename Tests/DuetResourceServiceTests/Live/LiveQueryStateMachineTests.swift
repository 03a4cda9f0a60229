import DuetSQLDatabase
import NIOCore
import Testing

@testable import DuetResourceService

@Suite("The state of live queries")
struct LiveQueryStateMachineTests {
    /// The consumers are names.
    private typealias Machine = LiveQueryStateMachine<String>

    private struct Failure: Error, Equatable {}

    private static let now = ContinuousClock.now

    private static func answer(_ text: String) -> Machine.End {
        .answer(LiveAnswer(body: ByteBuffer(string: text), errors: []))
    }

    /// Adds a watcher.
    /// - Returns: Its number, and the keys of the reads that start.
    private static func add(
        _ machine: inout Machine, _ key: String, tables: Set<String>? = nil, owner: String? = nil
    ) -> (number: Int, starts: [String]) {
        let (number, starts) = machine.add(key, tables: tables, owner: owner) { throw Failure() }
        return (number, starts.map(\.key))
    }

    private static func change(_ machine: inout Machine, _ tables: Set<String>? = nil) -> [String] {
        machine.change(DatabaseChange(tables: tables), at: now).map(\.key).sorted()
    }

    /// Ends a read.
    /// - Returns: The deliveries as `consumer: answer`, and the keys of the reads that start.
    private static func end(
        _ machine: inout Machine, _ key: String, _ end: Machine.End, isSlow: Bool = false
    ) -> (deliveries: [String], starts: [String]) {
        let (deliveries, starts) = machine.end(key, end, isSlow: isSlow)
        return (deliveries.map(text).sorted(), starts.map(\.key))
    }

    private static func text(_ delivery: Machine.Delivery) -> String {
        switch delivery.result {
        case .success(let answer?): "\(delivery.consumer): \(String(buffer: answer.body))"
        case .success(nil): "\(delivery.consumer): end"
        case .failure(let error): "\(delivery.consumer): \(error is CancellationError ? "canceled" : "failed")"
        }
    }

    @Test("Equal questions are read once, and each watcher receives each answer that differs")
    func shared() {
        var machine = Machine(maximumReads: 4)
        let first = Self.add(&machine, "q")
        #expect(first.starts == ["q"])
        #expect(machine.next(of: first.number, "a") == nil)
        // The running read may not show a commit of which the second client knows.
        let second = Self.add(&machine, "q")
        #expect(second.starts == [] && machine.next(of: second.number, "b") == nil)
        #expect(Self.end(&machine, "q", Self.answer("1")) == (["a: 1"], ["q"]))
        #expect(Self.end(&machine, "q", Self.answer("1")) == (["b: 1"], []))
        #expect(machine.next(of: first.number, "a") == nil && machine.next(of: second.number, "b") == nil)
        #expect(Self.change(&machine) == ["q"])
        // A change during the read is not lost, and leads to one more read.
        #expect(Self.change(&machine) == [] && Self.change(&machine) == [])
        #expect(Self.end(&machine, "q", Self.answer("2")) == (["a: 2", "b: 2"], ["q"]))
        #expect(Self.end(&machine, "q", Self.answer("2")) == ([], []))
    }

    @Test("A watcher that is not ready receives only the last state, and nothing if the state is the one it knows")
    func skips() {
        var machine = Machine(maximumReads: 1)
        let watcher = Self.add(&machine, "q").number
        #expect(Self.end(&machine, "q", Self.answer("1")) == ([], []))
        #expect(machine.next(of: watcher, "a").map(Self.text) == "a: 1")
        for text in ["2", "3"] {
            #expect(Self.change(&machine) == ["q"])
            #expect(Self.end(&machine, "q", Self.answer(text)) == ([], []))
        }
        #expect(machine.next(of: watcher, "a").map(Self.text) == "a: 3")
        for text in ["4", "3"] {
            #expect(Self.change(&machine) == ["q"])
            #expect(Self.end(&machine, "q", Self.answer(text)) == ([], []))
        }
        #expect(machine.next(of: watcher, "a") == nil)
    }

    @Test("A change concerns only the questions whose tables it may have changed")
    func tables() {
        var machine = Machine(maximumReads: 4)
        _ = Self.add(&machine, "a", tables: ["x", "y"])
        _ = Self.add(&machine, "b", tables: ["z"])
        _ = Self.add(&machine, "any")
        for key in ["a", "b", "any"] { #expect(Self.end(&machine, key, Self.answer("1")) == ([], [])) }
        #expect(Self.change(&machine, ["y"]) == ["a", "any"])
        for key in ["a", "any"] { #expect(Self.end(&machine, key, Self.answer("1")) == ([], [])) }
        #expect(Self.change(&machine) == ["a", "any", "b"])
    }

    @Test("An error ends the watchers that the read concerns, and those that were added later get a new read")
    func errors() {
        var machine = Machine(maximumReads: 1)
        let first = Self.add(&machine, "q").number
        #expect(machine.next(of: first, "a") == nil)
        let second = Self.add(&machine, "q").number
        #expect(machine.next(of: second, "b") == nil)
        #expect(Self.end(&machine, "q", .failure(Failure())) == (["a: failed"], ["q"]))
        #expect(machine.next(of: first, "a").map(Self.text) == "a: end")
        #expect(Self.end(&machine, "q", Self.answer("1")) == (["b: 1"], []))
        #expect(Self.change(&machine) == ["q"])
    }

    @Test("If the database is unavailable, new watchers receive the error, and the others receive the next answer")
    func unavailable() {
        var machine = Machine(maximumReads: 4)
        let old = Self.add(&machine, "q").number
        #expect(machine.next(of: old, "old") == nil)
        #expect(Self.end(&machine, "q", Self.answer("1")) == (["old: 1"], []))
        #expect(machine.next(of: old, "old") == nil)
        let new = Self.add(&machine, "q")
        #expect(new.starts == ["q"] && machine.next(of: new.number, "new") == nil)
        #expect(Self.end(&machine, "q", .unavailable(Failure())) == (["new: failed"], []))
        #expect(machine.isUnavailable)
        #expect(machine.retry().map(\.key) == ["q"])
        #expect(Self.end(&machine, "q", .unavailable(Failure())) == ([], []))
        #expect(machine.retry().map(\.key) == ["q"])
        #expect(Self.end(&machine, "q", Self.answer("2")) == (["old: 2"], []))
        #expect(!machine.isUnavailable && machine.retry().isEmpty)
    }

    @Test("A retry reads only the questions that could not be read")
    func retries() {
        var machine = Machine(maximumReads: 4)
        for key in ["a", "b"] {
            let watcher = Self.add(&machine, key).number
            _ = Self.end(&machine, key, Self.answer("1"))
            _ = machine.next(of: watcher, key)
        }
        #expect(Self.change(&machine) == ["a", "b"])
        _ = Self.end(&machine, "a", .unavailable(Failure()))
        _ = Self.end(&machine, "b", Self.answer("1"))
        #expect(machine.retry().map(\.key) == ["a"])
    }

    @Test("Slow questions leave places for the others")
    func slow() {
        var machine = Machine(maximumReads: 2)
        for key in ["s", "t", "f"] {
            _ = Self.add(&machine, key)
            _ = Self.end(&machine, key, Self.answer("1"), isSlow: key != "f")
        }
        let started = Self.change(&machine)
        #expect(started.count == 2 && started.contains("f"))
        let slow = started.first { $0 != "f" } ?? ""
        // The other slow question waits for the end of the first, not of the fast one.
        #expect(Self.end(&machine, "f", Self.answer("1")).starts == [])
        #expect(Self.end(&machine, slow, Self.answer("1"), isSlow: true).starts.count == 1)
    }

    @Test("The read of a question without watchers is abandoned, and a later watcher gets a new read")
    func abandoned() throws {
        var machine = Machine(maximumReads: 1)
        let first = Self.add(&machine, "q").number
        #expect(machine.next(of: first, "a") == nil)
        let removal = machine.remove(first)
        let removed = try #require(removal)
        #expect(removed.delivery.map(Self.text) == "a: canceled" && removed.abandoned == "q")
        let second = Self.add(&machine, "q")
        #expect(second.starts == [] && machine.next(of: second.number, "b") == nil)
        #expect(Self.end(&machine, "q", .failure(CancellationError())) == ([], ["q"]))
        #expect(Self.end(&machine, "q", Self.answer("1")) == (["b: 1"], []))
        let last = machine.remove(second.number)
        #expect(last != nil && last?.abandoned == nil)
        let again = machine.remove(second.number)
        #expect(again == nil)
        #expect(machine.watcherCount == 0 && machine.queryCount == 0 && Self.change(&machine) == [])
    }

    @Test("The watchers of a caller are counted")
    func owners() {
        var machine = Machine(maximumReads: 1)
        let first = Self.add(&machine, "a", owner: "x").number
        _ = Self.add(&machine, "b", owner: "x")
        _ = Self.add(&machine, "b", owner: "y")
        #expect(machine.watcherCount(of: "x") == 2 && machine.watcherCount == 3)
        _ = machine.remove(first)
        #expect(machine.watcherCount(of: "x") == 1 && machine.watcherCount(of: "y") == 1)
    }
}
