import Testing

@testable import DuetSQLDatabase

@Suite("The pool's state machine")
struct PoolStateMachineTests {
    private final class Thing {}
    private typealias Machine = PoolStateMachine<Thing, Thing>

    private func machine(size: Int = 2, writers: Int = 1, streams: Int = 1, queueLimit: Int = 10) -> Machine {
        Machine(size: size, writers: writers, streams: streams, queueLimit: queueLimit)
    }

    /// Submits a job. Returns the action for the job, and the time at which the queue is to be checked, if any, as in
    /// `wait, look at 100`.
    private func submit(
        _ machine: inout Machine, _ job: Thing, _ kind: JobKind = .read, acquire: UInt64 = 100,
        deadline: UInt64 = .max
    ) -> String {
        let bounds = Machine.Bounds(acquire: acquire, deadline: deadline)
        let submission = machine.submit(job, kind: kind, bounds: bounds) { Thing() }
        let name =
            switch submission.action {
            case .run: "run"
            case .start: "start"
            case .wait: "wait"
            case .rejectClosed: "closed"
            case .rejectFull: "full"
            }
        return submission.look.map { "\(name), look at \($0)" } ?? name
    }

    /// Submits a job without a deadline, and returns the worker on which it is started.
    private func start(_ machine: inout Machine, _ job: Thing, _ kind: JobKind = .read, deadline: UInt64 = .max) throws
        -> Thing
    {
        let bounds = Machine.Bounds(acquire: 100, deadline: deadline)
        guard case .start(let worker) = machine.submit(job, kind: kind, bounds: bounds, makeWorker: { Thing() }).action
        else { throw NotStarted() }
        return worker
    }

    private struct NotStarted: Error {}

    @Test("Workers are created up to the pool size, then jobs wait, with one scheduled check for all waiting jobs")
    func grows() {
        var machine = machine()
        let jobs = (0..<4).map { _ in Thing() }
        #expect(jobs.map { submit(&machine, $0) } == ["start", "start", "wait, look at 100", "wait"])
        #expect((machine.workers, machine.busy, machine.waiting) == (2, 2, 2))
    }

    @Test("An idle worker is used before a new worker is created")
    func reuses() throws {
        var machine = machine()
        let first = Thing()
        let worker = try start(&machine, first)
        guard case .park = machine.finished(first, on: worker) else {
            Issue.record("not parked")
            return
        }
        #expect(submit(&machine, Thing()) == "run")
        #expect(machine.workers == 1)
    }

    @Test("Writes and streams have separate limits, and the oldest permitted job runs first")
    func kinds() throws {
        var machine = machine()
        let writer = Thing()
        let secondWriter = Thing()
        let reader = Thing()
        let thirdReader = Thing()
        let worker = try start(&machine, writer, .write)
        #expect(submit(&machine, secondWriter, .write) == "wait, look at 100")
        let other = try start(&machine, reader)
        #expect(submit(&machine, thirdReader) == "wait")
        // The second writer has waited longer than the reader, but the first writer still runs.
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

    @Test("Jobs whose acquire timeout has passed leave the queue, and the next check is scheduled")
    func expires() {
        var machine = machine(size: 1)
        let jobs = (0..<4).map { _ in Thing() }
        #expect(
            jobs.enumerated().map { submit(&machine, $0.element, acquire: UInt64($0.offset * 10)) }
                == ["start", "wait, look at 10", "wait", "wait"])
        let early = machine.expire(now: 5, scheduledFor: 10)
        #expect(early.waiting.isEmpty)
        #expect(early.next == 10)
        let expired = machine.expire(now: 20, scheduledFor: 10)
        #expect(expired.waiting.map { ObjectIdentifier($0.job) } == jobs[1...2].map(ObjectIdentifier.init))
        #expect(expired.waiting.allSatisfy { !$0.hasReachedDeadline })
        #expect(expired.next == 30)
        #expect(machine.expire(now: 30, scheduledFor: 30).next == nil)
        #expect(machine.waiting == 0)
        // No check is scheduled now, so the next waiting job needs one.
        #expect(submit(&machine, Thing(), acquire: 50) == "wait, look at 50")
    }

    @Test("While a check is scheduled, a later time limit schedules no other check, even after the queue was empty")
    func oneLook() throws {
        var machine = machine(size: 1)
        let first = Thing()
        let worker = try start(&machine, first)
        #expect(submit(&machine, Thing()) == "wait, look at 100")
        _ = machine.finished(first, on: worker)
        #expect(machine.waiting == 0)
        #expect(submit(&machine, Thing(), acquire: 200) == "wait")
    }

    @Test("If the deadline precedes the acquire timeout, the wait ends at the deadline and reports the deadline")
    func deadlineOfWaiting() throws {
        var machine = machine(size: 1)
        let (running, hurried, patient) = (Thing(), Thing(), Thing())
        _ = try start(&machine, running)
        #expect(submit(&machine, patient, acquire: 100, deadline: 300) == "wait, look at 100")
        #expect(submit(&machine, hurried, acquire: 100, deadline: 40) == "wait, look at 40")
        let expired = machine.expire(now: 40, scheduledFor: 40)
        #expect(expired.waiting.map { $0.job === hurried && $0.hasReachedDeadline } == [true])
        #expect(expired.next == 100)
        #expect(machine.expire(now: 100, scheduledFor: 100).waiting.map { !$0.hasReachedDeadline } == [true])
    }

    @Test("A worker whose job reaches its deadline is reported as expired once")
    func deadlineOfRunning() throws {
        var machine = machine()
        let (other, job) = (Thing(), Thing())
        #expect(submit(&machine, other, deadline: 90) == "start, look at 90")
        let worker = try start(&machine, job, deadline: 40)
        let expired = machine.expire(now: 41, scheduledFor: 40)
        #expect(expired.running.map { $0 === worker } == [true])
        #expect(expired.next == 90)
        #expect(machine.expire(now: 89, scheduledFor: 90).running.isEmpty)
        #expect(machine.expire(now: 90, scheduledFor: 90).running.count == 1)
    }

    @Test("A job that waited retains its deadline while it runs")
    func deadlineAfterWaiting() throws {
        var machine = machine(size: 1)
        let (first, second) = (Thing(), Thing())
        let worker = try start(&machine, first)
        #expect(submit(&machine, second, acquire: 50, deadline: 70) == "wait, look at 50")
        _ = machine.finished(first, on: worker)
        let early = machine.expire(now: 50, scheduledFor: 50)
        #expect(early.running.isEmpty && early.next == 70)
        #expect(machine.expire(now: 70, scheduledFor: 70).running.map { $0 === worker } == [true])
    }

    @Test("The deadline of a running job can be changed")
    func movedDeadline() throws {
        var machine = machine(size: 1)
        let job = Thing()
        let worker = try start(&machine, job)
        #expect(machine.setDeadline(50, of: job) == 50)
        #expect(machine.setDeadline(.max, of: job) == nil)
        #expect(machine.expire(now: 50, scheduledFor: 50).running.isEmpty)
        #expect(machine.setDeadline(70, of: job) == 70)
        #expect(machine.expire(now: 70, scheduledFor: 70).running.map { $0 === worker } == [true])
        _ = machine.finished(job, on: worker)
        #expect(machine.setDeadline(90, of: job) == nil)
    }

    @Test("A scheduled check that an earlier check replaced has no effect")
    func staleLook() {
        var machine = machine()
        let (patient, hurried) = (Thing(), Thing())
        #expect(submit(&machine, patient, deadline: 90) == "start, look at 90")
        #expect(submit(&machine, hurried, deadline: 40) == "start, look at 40")
        let stale = machine.expire(now: 95, scheduledFor: 90)
        #expect(stale.running.isEmpty && stale.next == nil)
        #expect(machine.expire(now: 95, scheduledFor: 40).running.count == 2)
    }

    @Test("Canceling removes a waiting job and interrupts a running job")
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

    @Test("Closing returns waiting jobs, stops idle workers, and lets running jobs end")
    func closes() throws {
        var machine = machine(size: 1)
        let running = Thing()
        let waiting = Thing()
        let worker = try start(&machine, running)
        _ = submit(&machine, waiting)
        let (jobs, idle) = machine.close()
        #expect(jobs.count == 1)
        #expect(idle.isEmpty)
        #expect(submit(&machine, Thing()) == "closed")
        if case .stop = machine.finished(running, on: worker) {} else { Issue.record("not stopped") }
        #expect((machine.workers, machine.busy, machine.waiting) == (0, 0, 0))
    }

    @Test("The length of the queue is limited")
    func full() {
        var machine = machine(size: 1, queueLimit: 1)
        #expect([0, 1, 2].map { _ in submit(&machine, Thing()) }.last == "full" || machine.waiting == 1)
        #expect(submit(&machine, Thing()) == "full")
    }
}
