import Synchronization
import Testing

@testable import DuetSQLDatabase

@Suite("The tables of commits in a log")
struct CommitTablesTests {
    private static func ids(_ numbers: ClosedRange<UInt64>) -> Set<GlobalTransactionID> {
        Set(numbers.map { GlobalTransactionID(domain: 0, number: $0) })
    }

    private static func log(after number: UInt64) -> CommitTables {
        let commits = CommitTables()
        commits.begin(after: ids(number...number))
        return commits
    }

    @Test("The tables of a commit can be looked up once, and not before it has been read")
    func records() {
        #expect(CommitTables().lookUp(Self.ids(1...1)) == CommitTables.Lookup(tables: nil))
        let commits = Self.log(after: 4)
        commits.record(GlobalTransactionID(domain: 0, number: 5), tables: ["a"])
        commits.record(GlobalTransactionID(domain: 0, number: 6), tables: ["b"])
        #expect(
            commits.lookUp(Self.ids(5...7)) == CommitTables.Lookup(tables: ["a", "b"], notYetRead: Self.ids(7...7)))
        #expect(commits.lookUp(Self.ids(5...6)) == CommitTables.Lookup(tables: nil))
        // The commit precedes the log.
        #expect(commits.lookUp(Self.ids(4...4)) == CommitTables.Lookup(tables: nil))
        commits.record(GlobalTransactionID(domain: 0, number: 7), tables: nil)
        commits.record(GlobalTransactionID(domain: 0, number: 8), tables: ["a"])
        #expect(commits.lookUp(Self.ids(7...8)) == CommitTables.Lookup(tables: nil))
        let unknown = GlobalTransactionID(domain: 3, number: 1)
        #expect(commits.lookUp([unknown]) == CommitTables.Lookup(notYetRead: [unknown]))
        commits.end()
        #expect(commits.lookUp(Self.ids(9...9)) == CommitTables.Lookup(tables: nil))
    }

    @Test("A look for commits reports the tables that the log names, and any table if the log is late")
    func look() async {
        var detection = ChangeDetection()
        detection.pollInterval = .milliseconds(1)
        detection.logInterval = .milliseconds(1)
        let position = Mutex<UInt64>(4)
        let (changes, continuation) = AsyncStream.makeStream(of: DatabaseChange.self)
        let log = Self.log(after: 4)
        let own = OwnCommits(.none)
        let looking = Task { [detection] in
            await CommitLook(detection, own, log) { continuation.yield($0) }.run {
                CommitPosition(.log("0-1-\(position.withLock { $0 }) "))
            }
        }
        var all = changes.makeAsyncIterator()
        #expect(await all.next() == DatabaseChange())
        // Reports are repeated together with later ones, so further commits follow until a report has one table.
        var number: UInt64 = 4
        var tables: Set<String>?
        repeat {
            own.record("0-1-\(number + 1)")
            log.record(GlobalTransactionID(domain: 0, number: number + 1), tables: ["own"])
            log.record(GlobalTransactionID(domain: 0, number: number + 2), tables: ["a"])
            number += 2
            position.withLock { [number] in $0 = number }
            tables = await all.next()?.tables
            #expect(tables?.contains("own") != true)
        } while tables != ["a"]
        // This commit never arrives in the log.
        position.withLock { $0 += 1 }
        while await all.next()?.tables != nil {}
        looking.cancel()
        await looking.value
    }
}
