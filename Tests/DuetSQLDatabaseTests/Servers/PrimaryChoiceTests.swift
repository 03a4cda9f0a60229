import Testing

@testable import DuetSQLDatabase

@Suite("The choice of the primary")
struct PrimaryChoiceTests {
    /// A server by its positions: `own` in its log, and `followed` as a replica.
    private static func server(
        readOnly: Bool = false, own: String? = nil, followed: String? = nil, hasOwnCommits: Bool = true,
        isReady: Bool? = nil
    ) -> ServerState {
        ServerState(
            isReadOnly: readOnly, logPosition: own.flatMap { DatabasePosition($0) },
            replicaPosition: followed.flatMap { DatabasePosition($0) }, hasOwnCommits: hasOwnCommits, isReady: isReady)
    }

    private static let replica = server(readOnly: true, own: "0-1-9", followed: "0-1-9")
    private static let promoted = server(own: "0-2-10", followed: "0-1-9")

    private static func choice(
        _ states: [ServerState?], current: Int = 0, isConfirmed: Bool = true, replicas: Set<Int> = [],
        known: String? = "0-1-9", _ kind: ReplicationKind = .asynchronous
    ) -> Int {
        PrimaryChoice.primary(
            states, current: current, isConfirmed: isConfirmed, replicas: replicas,
            known: known.flatMap { DatabasePosition($0) }, kind)
    }

    @Test("The primary remains as long as it accepts writes")
    func stable() {
        #expect(Self.choice([Self.server(own: "0-1-9"), Self.promoted, Self.promoted]) == 0)
        #expect(Self.choice([Self.server(own: "0-1-9"), Self.promoted], current: 1) == 1)
    }

    @Test("A promoted replica follows a primary that has gone or is read-only")
    func promotion() {
        #expect(Self.choice([nil, Self.promoted]) == 1)
        #expect(Self.choice([nil, Self.replica, Self.promoted]) == 2)
        #expect(Self.choice([Self.server(readOnly: true, own: "0-1-9"), Self.promoted]) == 1)
        // It has lost a commit. The operator has decided so.
        #expect(Self.choice([nil, Self.server(own: "0-2-8", followed: "0-1-7")]) == 1)
    }

    @Test("A replica that accepts writes by mistake is not chosen")
    func mistake() {
        let mistaken = Self.server(own: "0-1-9", followed: "0-1-9", hasOwnCommits: false)
        #expect(Self.choice([nil, mistaken]) == 0)
        // Its answer can be newer than that of the primary.
        #expect(Self.choice([Self.server(own: "0-1-8"), mistaken], isConfirmed: false, known: nil) == 0)
        // It was a proper replica before.
        #expect(Self.choice([nil, mistaken], replicas: [1]) == 1)
    }

    @Test("Without a promoted replica, the primary remains")
    func none() {
        #expect(Self.choice([nil, Self.replica]) == 0)
        #expect(Self.choice([nil, nil]) == 0)
        #expect(Self.choice([Self.server(readOnly: true, own: "0-1-9"), Self.replica]) == 0)
    }

    @Test("A server that has never been a replica of the primary is not chosen")
    func foreign() {
        #expect(Self.choice([nil, Self.server(own: "0-7-100")]) == 0)
        #expect(Self.choice([nil, Self.server(own: "3-7-100", followed: "3-7-99")]) == 0)
        #expect(Self.choice([nil, Self.server()]) == 0)
    }

    @Test("Of several promoted replicas, only one that has the commits of the others is chosen")
    func several() {
        let further = Self.server(own: "0-3-12", followed: "0-1-9")
        #expect(Self.choice([nil, Self.promoted, further]) == 2)
        #expect(Self.choice([nil, Self.promoted, Self.promoted]) == 0)
    }

    @Test("At the start, the server that has the commits of all others is the primary")
    func start() {
        let previous = Self.server(own: "0-1-9")
        #expect(Self.choice([previous, Self.replica], isConfirmed: false, known: nil) == 0)
        #expect(Self.choice([previous, Self.promoted], isConfirmed: false, known: nil) == 1)
        #expect(Self.choice([nil, Self.promoted], isConfirmed: false, known: nil) == 1)
        #expect(Self.choice([Self.server(own: "0-1-20"), Self.promoted], isConfirmed: false, known: nil) == 0)
        #expect(Self.choice([previous, Self.server(own: "0-7-100")], isConfirmed: false, known: nil) == 0)
    }

    @Test("The first node of a cluster that is ready is the primary if the current one is not")
    func cluster() {
        let ready = Self.server(own: "5-1-9", isReady: true)
        let separated = Self.server(own: "5-1-9", isReady: false)
        #expect(Self.choice([ready, ready, ready], current: 1, .galera) == 1)
        #expect(Self.choice([nil, ready, ready], .galera) == 1)
        #expect(Self.choice([separated, separated, ready], .galera) == 2)
        #expect(Self.choice([separated, nil], current: 1, .galera) == 1)
        #expect(Self.choice([nil, Self.server(own: "5-1-9")], .galera) == 0)
        #expect(Self.choice([nil, Self.server(readOnly: true, own: "5-1-9", isReady: true)], .galera) == 0)
    }
}
