import Testing

@testable import SQLDatabase

@Suite("The pool's decisions")
struct PoolStateMachineTests {
    private final class Thing {}
    private typealias Machine = PoolStateMachine<Thing, Thing>

    private func machine(size: Int = 2, writers: Int = 1, streams: Int = 1, queueLimit: Int = 10) -> Machine {
        Machine(size: size, writers: writers, streams: streams, queueLimit: queueLimit)
    }

    private func name(_ action: Machine.SubmitAction) -> String {
        switch action {
        case .run: "run"
        case .start: "start"
        case .wait(let needsWatch): needsWatch ? "wait and watch" : "wait"
        case .rejectClosed: "closed"
        case .rejectFull: "full"
        }
    }

    private func submit(_ machine: inout Machine, _ job: Thing, _ kind: JobKind = .read, deadline: UInt64 = 100)
        -> String
    {
        name(machine.submit(job, kind: kind, deadline: deadline) { Thing() })
    }

    @Test("Workers are made up to the size, then jobs wait, in one watch")
    func grows() {
        var machine = machine()
        let jobs = (0..<4).map { _ in Thing() }
        #expect(jobs.map { submit(&machine, $0) } == ["start", "start", "wait and watch", "wait"])
        #expect((machine.workers, machine.busy, machine.waiting) == (2, 2, 2))
    }

    @Test("An idle worker is used before a new one is made")
    func reuses() {
        var machine = machine()
        let first = Thing()
        guard case .start(let worker) = machine.submit(first, kind: .read, deadline: 1, makeWorker: { Thing() }) else {
            Issue.record("not started")
            return
        }
        guard case .park = machine.finished(first, on: worker) else {
            Issue.record("not parked")
            return
        }
        #expect(submit(&machine, Thing()) == "run")
        #expect(machine.workers == 1)
    }

    @Test("Writes and streams have bounds of their own; the oldest that may run goes first")
    func kinds() {
        var machine = machine()
        let writer = Thing()
        let secondWriter = Thing()
        let reader = Thing()
        let thirdReader = Thing()
        guard case .start(let worker) = machine.submit(writer, kind: .write, deadline: 1, makeWorker: { Thing() })
        else {
            Issue.record("not started")
            return
        }
        #expect(submit(&machine, secondWriter, .write) == "wait and watch")
        guard case .start(let other) = machine.submit(reader, kind: .read, deadline: 1, makeWorker: { Thing() }) else {
            Issue.record("not started")
            return
        }
        #expect(submit(&machine, thirdReader) == "wait")
        // The second writer is older, but the writer still runs.
        guard case .run(let next) = machine.finished(reader, on: other) else {
            Issue.record("nothing to run")
            return
        }
        #expect(next === thirdReader)
        guard case .run(let last) = machine.finished(writer, on: worker) else {
            Issue.record("nothing to run")
            return
        }
        #expect(last === secondWriter)
    }

    @Test("Jobs that have waited too long are taken out, and the next moment to look is told")
    func expires() {
        var machine = machine(size: 1)
        let jobs = (0..<4).map { _ in Thing() }
        #expect(
            jobs.enumerated().map { submit(&machine, $0.element, deadline: UInt64($0.offset * 10)) }
                == ["start", "wait and watch", "wait", "wait"])
        let (early, next) = machine.expire(now: 5)
        #expect(early.isEmpty)
        #expect(next == 10)
        let (expired, later) = machine.expire(now: 20)
        #expect(expired.map(ObjectIdentifier.init) == jobs[1...2].map(ObjectIdentifier.init))
        #expect(later == 30)
        #expect(machine.expire(now: 30).next == nil)
        #expect(machine.waiting == 0)
        // Nobody watches now: the next one that waits must say so.
        #expect(submit(&machine, Thing(), deadline: 50) == "wait and watch")
    }

    @Test("While somebody watches, no second watch begins, though the queue was empty in between")
    func oneWatch() {
        var machine = machine(size: 1)
        let first = Thing()
        let second = Thing()
        guard case .start(let worker) = machine.submit(first, kind: .read, deadline: 1, makeWorker: { Thing() }) else {
            Issue.record("not started")
            return
        }
        #expect(submit(&machine, second) == "wait and watch")
        _ = machine.finished(first, on: worker)
        #expect(machine.waiting == 0)
        #expect(submit(&machine, Thing()) == "wait")
    }

    @Test("Cancelling takes a waiting job out and interrupts a running one")
    func cancels() {
        var machine = machine(size: 1)
        let running = Thing()
        let waiting = Thing()
        _ = submit(&machine, running)
        _ = submit(&machine, waiting)
        if case .removed = machine.cancel(waiting) {} else { Issue.record("not removed") }
        #expect(machine.waiting == 0)
        if case .nothing = machine.cancel(waiting) {} else { Issue.record("twice") }
        if case .interrupt(let worker) = machine.cancel(running) {
            _ = machine.finished(running, on: worker)
            if case .nothing = machine.cancel(running) {} else { Issue.record("it has ended") }
        } else {
            Issue.record("not interrupted")
        }
    }

    @Test("Closing hands back who waits, stops who is idle, and lets the rest end")
    func closes() {
        var machine = machine(size: 1)
        let running = Thing()
        let waiting = Thing()
        guard case .start(let worker) = machine.submit(running, kind: .read, deadline: 1, makeWorker: { Thing() })
        else {
            Issue.record("not started")
            return
        }
        _ = submit(&machine, waiting)
        let (jobs, idle) = machine.close()
        #expect(jobs.count == 1)
        #expect(idle.isEmpty)
        #expect(submit(&machine, Thing()) == "closed")
        if case .stop = machine.finished(running, on: worker) {} else { Issue.record("not stopped") }
        #expect((machine.workers, machine.busy, machine.waiting) == (0, 0, 0))
    }

    @Test("The queue is bounded")
    func full() {
        var machine = machine(size: 1, queueLimit: 1)
        #expect([0, 1, 2].map { _ in submit(&machine, Thing()) }.last == "full" || machine.waiting == 1)
        #expect(submit(&machine, Thing()) == "full")
    }
}
