import Testing

@testable import DuetSQLDatabase

@Suite("The choice of the primary")
struct PrimaryChoiceTests {
    /// A server by its positions: `own` in its log, and `followed` as a replica.
    private static func server(
        readOnly: Bool = false, own: String = "", followed: String? = nil, log: String? = nil,
        isFollowing: Bool = false, isReady: Bool? = nil, id: UInt32? = nil
    ) -> ServerState {
        ServerState(
            isReadOnly: readOnly, logPosition: DatabasePosition(own),
            replicaPosition: followed.flatMap { DatabasePosition($0) }, log: BinaryLogState(log ?? own),
            isFollowing: isFollowing, isReady: isReady, serverID: id)
    }

    /// A primary that has never been a replica.
    private static let original = server(own: "0-1-9")
    private static let replica = server(readOnly: true, own: "0-1-9", followed: "0-1-9", isFollowing: true)
    private static let promoted = server(own: "0-2-10", followed: "0-1-9", log: "0-1-9,0-2-10")
    /// A previous primary that had followed another one before.
    private static let former = server(own: "0-1-9", followed: "0-3-5", log: "0-3-5,0-1-9")

    /// Returns the choices after checks.
    private static func choices(
        _ checks: [[ServerState?]], known: String? = "0-1-9", _ kind: ReplicationKind = .asynchronous
    ) -> [Int?] {
        var choice = PrimaryChoice(kind)
        return checks.map { states in
            choice.update(states, known: known.flatMap { DatabasePosition($0) })
            return choice.isAmbiguous ? nil : choice.primary
        }
    }

    @Test("The primary remains as long as it accepts writes")
    func stable() {
        #expect(Self.choices([[Self.original, Self.replica], [Self.original, Self.promoted]]) == [0, 0])
        #expect(
            Self.choices([
                [Self.original, Self.replica], [nil, Self.promoted], [Self.original, Self.promoted],
                [Self.former, Self.promoted],
            ]) == [0, 1, 1, 1])
    }

    @Test("A promoted replica follows a primary that has gone or is read-only")
    func promotion() {
        let readOnly = Self.server(readOnly: true, own: "0-1-9")
        #expect(
            Self.choices([[Self.original, Self.replica], [nil, Self.replica], [nil, Self.promoted]]) == [0, 0, 1])
        #expect(
            Self.choices([[Self.original, Self.replica, Self.replica], [nil, Self.replica, Self.promoted]]) == [0, 2])
        #expect(Self.choices([[Self.original, Self.replica], [readOnly, Self.promoted]]) == [0, 1])
        // It has lost a commit. The operator has decided so.
        #expect(Self.choices([[nil, Self.server(own: "0-2-8", followed: "0-1-7")]]) == [1])
        // No write since the promotion.
        #expect(Self.choices([[nil, Self.server(own: "0-1-9", followed: "0-1-9")]]) == [1])
    }

    @Test("A server with two names is one server")
    func names() {
        let promoted = Self.server(own: "0-2-10", followed: "0-1-9", log: "0-1-9,0-2-10", id: 2)
        let readOnly = Self.server(readOnly: true, own: "0-1-9", id: 1)
        // The name of the primary becomes that of the second server before or after a check, or during a restart.
        #expect(Self.choices([[Self.original, Self.replica], [promoted, promoted]]) == [0, 0])
        #expect(Self.choices([[readOnly, Self.replica], [readOnly, promoted], [promoted, promoted]]) == [0, 1, 1])
        #expect(Self.choices([[promoted, Self.replica, promoted]]) == [0])
        #expect(Self.choices([[nil, promoted, promoted]]) == [1])
        // The name of the primary moves on, and the server remains under its own name.
        #expect(Self.choices([[promoted, promoted], [nil, promoted]]) == [0, 1])
        let other = Self.server(own: "0-2-10", followed: "0-1-9", log: "0-1-9,0-2-10", id: 3)
        #expect(Self.choices([[nil, promoted, other]]) == [nil])
        // Two servers have the same identifier by mistake, and different commits.
        let different = Self.server(own: "0-2-11", followed: "0-1-9", log: "0-1-9,0-3-11", id: 2)
        #expect(Self.choices([[nil, promoted, different]]) == [nil])
    }

    @Test("Without a promoted replica, the primary remains")
    func none() {
        #expect(Self.choices([[nil, Self.replica], [nil, nil]]) == [0, 0])
        #expect(Self.choices([[Self.server(readOnly: true, own: "0-1-9"), Self.replica]]) == [0])
    }

    @Test("A previous primary is not chosen again before it was read-only")
    func previous() {
        let demoted = Self.server(readOnly: true, own: "0-1-9", followed: "0-2-10", isFollowing: true)
        let begin: [[ServerState?]] = [[Self.former, Self.replica], [nil, Self.promoted]]
        // The new primary does not answer a check.
        #expect(Self.choices(begin + [[Self.former, nil], [Self.former, Self.promoted]]) == [0, 1, 1, 1])
        #expect(Self.choices(begin + [[demoted, Self.promoted], [Self.former, nil]]) == [0, 1, 1, 0])
    }

    @Test("If a primary comes back when a replica has been promoted, no server is chosen until one contains the other")
    func quickReturn() {
        let equal = Self.server(own: "0-1-9", followed: "0-1-9")
        let further = Self.server(own: "0-1-12")
        let begin: [[ServerState?]] = [[Self.original, Self.replica], [nil, Self.replica]]
        #expect(Self.choices(begin + [[Self.original, equal], [Self.original, Self.promoted]]) == [0, 0, nil, 1])
        // The numbers of the previous primary are greater, but it does not have the commit of the new one.
        #expect(Self.choices(begin + [[further, Self.promoted]]) == [0, 0, nil])
        // A restart of the primary without a promotion.
        #expect(Self.choices(begin + [[Self.original, Self.replica]]) == [0, 0, 0])
    }

    @Test("A replica that accepts writes by mistake is not chosen, because it still follows")
    func mistake() {
        let mistaken = Self.server(own: "0-1-9", followed: "0-1-9", isFollowing: true)
        // Its answer can be newer than that of the primary.
        let primary = Self.server(own: "0-1-8")
        #expect(Self.choices([[primary, mistaken], [nil, mistaken], [primary, mistaken]]) == [0, 0, 0])
    }

    @Test("A server that has never been a replica of the primary is not chosen")
    func foreign() {
        #expect(Self.choices([[nil, Self.server(own: "0-7-100")]]) == [0])
        #expect(Self.choices([[nil, Self.server(own: "3-7-100", followed: "3-7-99")]]) == [0])
        #expect(Self.choices([[nil, Self.server()]]) == [0])
    }

    @Test("At the start, the server that has the commits of all others is the primary")
    func start() {
        #expect(Self.choices([[Self.original, Self.replica]], known: nil) == [0])
        #expect(Self.choices([[Self.original, Self.promoted]], known: nil) == [1])
        #expect(Self.choices([[nil, Self.promoted]], known: nil) == [1])
        #expect(Self.choices([[Self.server(own: "0-1-20"), Self.promoted]], known: nil) == [nil])
        let further = Self.server(own: "0-3-12", followed: "0-2-10", log: "0-1-9,0-2-10,0-3-12")
        #expect(Self.choices([[nil, Self.promoted, further]], known: nil) == [2])
        let other = Self.server(own: "0-3-12", followed: "0-1-9", log: "0-1-9,0-3-12")
        #expect(Self.choices([[nil, Self.promoted, other]], known: nil) == [nil])
    }

    @Test("The first node of a cluster that is ready is the primary")
    func cluster() {
        let ready = Self.server(own: "5-1-9", isReady: true)
        let separated = Self.server(own: "5-1-9", isReady: false)
        let readOnly = Self.server(readOnly: true, own: "5-1-9", isReady: true)
        #expect(
            Self.choices(
                [
                    [ready, ready, ready], [nil, ready, ready], [separated, separated, ready], [nil, nil, nil],
                    [readOnly, ready, ready], [Self.original, ready, ready], [ready, ready, ready],
                ], .galera) == [0, 1, 2, 2, 1, 1, 0])
    }
}
