/// An opaque position in the sequence of a database's commits. If two positions are different, a program has committed
/// between the moments at which they were read.
///
/// In contrast to a ``DatabaseVersion``, the position can change a moment before the commit can be read.
struct CommitPosition: Hashable, Sendable {
    enum Kind: Hashable {
        case version(DatabaseVersion)
        /// The file change counter of a SQLite file, and a number that changes each time the file is opened.
        case counter(opening: Int, UInt32)
        /// The positions in the binary log of a server, as a text that ``LogPosition`` reads.
        case log(String)
    }

    private let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// True if the commit can be read as soon as the position has changed.
    var isReadable: Bool { if case .version = kind { true } else { false } }

    /// Returns true if exactly one commit is between another position and this one. The result is false if it is
    /// unknown.
    func isNext(to other: CommitPosition) -> Bool {
        switch (other.kind, kind) {
        case (.version(let first), .version(let second)): second.isNext(to: first)
        case (.counter(let firstOpening, let first), .counter(let secondOpening, let second)):
            firstOpening == secondOpening && second == first &+ 1
        default: false
        }
    }

    /// Returns the identifiers of all commits between another position and this one; nil if they are unknown.
    func commits(since other: CommitPosition) -> Set<GlobalTransactionID>? {
        guard case .log(let first) = other.kind, case .log(let second) = kind else { return nil }
        return LogPosition(second)?.commits(since: LogPosition(first))
    }
}

/// The identifier of a transaction in the binary log of MariaDB, without the identifier of the server: within a domain,
/// the number is unique (mariadb.com/kb/en/gtid).
struct GlobalTransactionID: Hashable, Sendable {
    let domain: UInt32
    let number: UInt64

    init(domain: UInt32, number: UInt64) {
        self.domain = domain
        self.number = number
    }

    /// Reads an identifier such as `0-1-105`.
    init?(_ text: Substring) {
        guard let transaction = LoggedTransaction(text) else { return nil }
        self = transaction.identifier
    }
}

/// A transaction in the binary log of MariaDB, with the identifier of the server that has committed it first.
struct LoggedTransaction: Hashable, Sendable {
    let identifier: GlobalTransactionID
    let server: UInt32

    /// Reads an identifier such as `0-1-105`: a domain, a server and a number. The numbers have only digits, and no
    /// superfluous zeros.
    init?(_ text: Substring) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let domain = Self.number(UInt32.self, parts[0]),
            let server = Self.number(UInt32.self, parts[1]), let number = Self.number(UInt64.self, parts[2])
        else { return nil }
        identifier = GlobalTransactionID(domain: domain, number: number)
        self.server = server
    }

    /// Reads a number. The initializers of the standard library also accept a sign and zeros before the first digit.
    private static func number<Number: FixedWidthInteger>(_ type: Number.Type, _ text: Substring) -> Number? {
        guard let first = text.utf8.first, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }),
            first != UInt8(ascii: "0") || text.utf8.count == 1
        else { return nil }
        return Number(text)
    }

    /// The identifier as MariaDB writes it.
    var text: String { "\(identifier.domain)-\(server)-\(identifier.number)" }
}

/// A position in the binary log of MariaDB: the last transaction of each domain, and the position of a replica.
private struct LogPosition {
    private var last: [UInt32: UInt64] = [:]
    /// The position of the replica as a text.
    private let replica: Substring

    /// The maximum number of transactions whose identifiers are enumerated.
    private static let maximumCommits: UInt64 = 1000

    /// Reads two lists of identifiers with a space between them. Each list can be empty.
    init?(_ text: String) {
        let lists = text.split(separator: " ", omittingEmptySubsequences: false)
        guard lists.count == 2 else { return nil }
        replica = lists[1]
        for text in lists[0].split(separator: ",") {
            guard let identifier = GlobalTransactionID(text) else { return nil }
            last[identifier.domain] = identifier.number
        }
    }

    func commits(since other: LogPosition?) -> Set<GlobalTransactionID>? {
        guard let other, other.replica == replica, other.last.keys.allSatisfy({ last[$0] != nil }) else { return nil }
        var commits: Set<GlobalTransactionID> = []
        for (domain, number) in last {
            let start = other.last[domain] ?? 0
            guard start <= number, number - start <= Self.maximumCommits else { return nil }
            for number in (start..<number) {
                commits.insert(GlobalTransactionID(domain: domain, number: number + 1))
            }
        }
        return commits
    }
}
