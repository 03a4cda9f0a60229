import Testing

@testable import DuetSQLDatabase

@Suite("The health of servers")
struct ServerHealthTests {
    private static let start = ContinuousClock.now

    private static func history(_ positions: [String]) throws -> PositionHistory {
        var history = PositionHistory()
        for (second, position) in positions.enumerated() {
            history.add(try #require(DatabasePosition(position)), at: start + .seconds(second))
        }
        return history
    }

    @Test(
        "The lag is the age of the oldest position that a replica has not reached",
        arguments: [
            ("0-1-5", .seconds(4)), ("0-1-6", .seconds(2)), ("0-1-7", .zero), ("0-1-8", .zero), ("0-1-4", nil),
            ("3-1-9", nil),
        ] as [(String, Duration?)])
    func lag(_ replica: String, _ expected: Duration?) throws {
        let history = try Self.history(["0-1-5", "0-1-6", "0-1-6", "0-1-7"])
        let replica = try #require(DatabasePosition(replica))
        #expect(history.lag(of: replica, at: Self.start + .seconds(5)) == expected)
    }

    @Test("The history of a primary is bounded")
    func bound() throws {
        let history = try Self.history((1...1_000).map { "0-1-\($0)" })
        let time = Self.start + .seconds(1_000)
        #expect(history.lag(of: try #require(DatabasePosition("0-1-1")), at: time) == nil)
        #expect(history.lag(of: try #require(DatabasePosition("0-1-999")), at: time) == .seconds(1))
    }

    private static func health(
        isReadOnly: Bool = true, _ position: String?, earlier: String? = nil, hasPrimary: Bool = true,
        _ history: [String],
        log: String? = nil
    ) throws -> ServerHealth {
        let state = ServerState(
            isReadOnly: isReadOnly, replicaPosition: position.flatMap { DatabasePosition($0) })
        let history = try Self.history(history)
        return .evaluate(
            .success(state), earlier: earlier.flatMap { DatabasePosition($0) },
            KnownPrimary(
                hasAnswered: hasPrimary, log: hasPrimary ? BinaryLogState(log ?? history.last?.description ?? "") : nil,
                history: history), .asynchronous,
            limit: .seconds(3), at: start + .seconds(5))
    }

    @Test("A replica is well if it is read-only and near the primary")
    func verdicts() throws {
        let well = try Self.health("0-1-7", ["0-1-5", "0-1-7"])
        #expect(well == ServerHealth(reason: nil, lag: .zero, position: DatabasePosition("0-1-7")))
        let behind = try Self.health("0-1-5", ["0-1-5", "0-1-6"])
        #expect(behind.lag == .seconds(4))
        #expect(behind.reason == "it is 4 s behind the primary")
        #expect(try Self.health("0-1-4", ["0-1-5"]).reason?.contains("has not reached") == true)
        #expect(try Self.health(isReadOnly: false, "0-1-7", ["0-1-7"]).reason?.contains("read_only") == true)
        #expect(try Self.health(nil, ["0-1-7"]).reason?.contains("may not be a replica") == true)
        #expect(try Self.health("0-1-7", []).reason?.contains("no binary log") == true)
        // A primary that has never been reached does not prevent reads.
        #expect(try Self.health("0-1-7", hasPrimary: false, []).reason == nil)
        // It had the commit 0-1-9 before the primary was asked.
        #expect(try Self.health("0-1-9", earlier: "0-1-9", ["0-1-7"]).reason?.contains("does not have") == true)
        #expect(try Self.health("0-1-9", earlier: "0-1-7", ["0-1-7"]).reason == nil)
        // The numbers are those of the primary, but the commits are of another server.
        #expect(try Self.health("0-9-7", ["0-1-7"]).reason?.contains("does not have") == true)
        let history = ["0-1-7", "0-1-7", "0-1-7", "0-2-8"]
        #expect(try Self.health("0-1-7", earlier: "0-1-7", history, log: "0-1-7,0-2-8").reason == nil)
        let lost = ServerHealth.evaluate(
            .failure(DatabaseError(.unavailable, "gone")), earlier: nil,
            KnownPrimary(hasAnswered: true, log: nil, history: PositionHistory()), .asynchronous,
            limit: .seconds(3), at: Self.start)
        #expect(lost == ServerHealth(reason: "gone"))
    }

    @Test("A node of a Galera cluster is well if it is ready and has a position")
    func nodes() throws {
        func reason(isReady: Bool?, _ position: String?) throws -> String? {
            let history = try Self.history(["5-1-7"])
            return ServerHealth.evaluate(
                .success(
                    ServerState(
                        isReadOnly: false, logPosition: position.flatMap { DatabasePosition($0) }, isReady: isReady)),
                earlier: DatabasePosition("5-1-9"),
                KnownPrimary(hasAnswered: true, log: nil, history: history), .galera,
                limit: .seconds(3), at: Self.start
            ).reason
        }
        #expect(try reason(isReady: true, "5-1-7") == nil)
        // Another node can have a commit a moment before the primary.
        #expect(try reason(isReady: true, "5-1-8") == nil)
        #expect(try reason(isReady: false, "5-1-7")?.contains("wsrep_ready") == true)
        #expect(try reason(isReady: nil, "5-1-7")?.contains("not a node") == true)
        #expect(try reason(isReady: true, nil)?.contains("no position") == true)
    }

    @Test("Only different MariaDB servers can be replicas")
    func locations() throws {
        let primary = try DatabaseURL("mariadb://duet:secret@db1/shop")
        let replica = try DatabaseURL("mariadb://duet:secret@db2/shop")
        let file = try DatabaseURL("sqlite:shop.sqlite")
        try primary.checkReplicas([])
        try file.checkReplicas([])
        try primary.checkReplicas([replica])
        for (url, replicas) in [
            (file, [replica]), (file, [file]), (primary, [file]), (primary, [replica, file]), (primary, [primary]),
            (primary, [replica, replica]), (primary, [try DatabaseURL("mariadb://duet:secret@db2/test")]),
        ] {
            let error = #expect(throws: DatabaseError.self) { try url.checkReplicas(replicas) }
            #expect(error?.code == .url)
            #expect(error?.message.contains("secret") == false)
            // Without the check, reads do not use the servers.
            #expect(Database(url, replicas: replicas).serverStatus.allSatisfy { !$0.isWell })
        }
        try DatabaseURL.checkCluster([primary, replica])
        for nodes in [[primary, primary], [primary, file]] {
            #expect(throws: DatabaseError.self) { try DatabaseURL.checkCluster(nodes) }
        }
        let status = Database(primary, replicas: [replica]).serverStatus
        #expect(status.map(\.url) == ["mariadb://duet:***@db1:3306/shop", "mariadb://duet:***@db2:3306/shop"])
        #expect(status.map(\.isPrimary) == [true, false])
        #expect(status.map(\.isWell) == [false, false])
        #expect(status.map(\.lag) == [nil, nil])
    }
}
