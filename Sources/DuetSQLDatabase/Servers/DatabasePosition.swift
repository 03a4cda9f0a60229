/// A position in the sequence of the commits of a MariaDB server and its replicas: the last transaction of each
/// replication domain (mariadb.com/kb/en/gtid).
///
/// The text is a list of identifiers with commas between them. Each identifier has a domain, the server that has
/// committed the transaction first, and a number: `0-1-105` or `0-1-105,3-2-17`.
public struct DatabasePosition: Sendable, Hashable, CustomStringConvertible {
    /// The transactions in the order of their domains, one for each domain.
    let transactions: [LoggedTransaction]

    /// The maximum number of domains in a text.
    private static let maximumDomains = 16
    /// The size in bytes of a text with the maximum number of domains and the largest numbers.
    private static let maximumSize = maximumDomains * "4294967295-4294967295-18446744073709551615,".utf8.count - 1

    private init(_ transactions: [LoggedTransaction]) {
        self.transactions = transactions.sorted { $0.identifier.domain < $1.identifier.domain }
    }

    /// Reads a position.
    /// - Parameter text: 1 to 16 identifiers, each with another domain, with commas between them. Domains and servers
    ///   are numbers of 32 bits, and the last number of an identifier has 64 bits. The result is nil for any other
    ///   text, such as one with spaces, signs or superfluous zeros.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumSize else { return nil }
        var transactions: [LoggedTransaction] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let transaction = LoggedTransaction(part), transactions.count < Self.maximumDomains,
                !transactions.contains(where: { $0.identifier.domain == transaction.identifier.domain })
            else { return nil }
            transactions.append(transaction)
        }
        self.init(transactions)
    }

    /// The text of the position, in the order of the domains.
    public var description: String { transactions.map(\.text).joined(separator: ",") }

    /// Returns true if this position has all commits of another position: for each domain of the other position, the
    /// number of this position is equal or greater. The result is meaningful only for positions of the same servers.
    public func reaches(_ other: DatabasePosition) -> Bool {
        other.transactions.allSatisfy { wanted in
            guard let own = number(of: wanted.identifier.domain) else { return false }
            return own >= wanted.identifier.number
        }
    }

    /// Returns true if this position has all domains of another position.
    func hasDomains(of other: DatabasePosition) -> Bool {
        other.transactions.allSatisfy { number(of: $0.identifier.domain) != nil }
    }

    /// Returns the position that has the commits of this position and of another one.
    func union(_ other: DatabasePosition) -> DatabasePosition {
        var last: [UInt32: LoggedTransaction] = [:]
        for transaction in transactions + other.transactions {
            let domain = transaction.identifier.domain
            if let known = last[domain], known.identifier.number >= transaction.identifier.number { continue }
            last[domain] = transaction
        }
        return DatabasePosition(Array(last.values))
    }

    /// Returns the part of the position in one domain; nil if there is none.
    func part(in domain: UInt32) -> DatabasePosition? {
        let part = transactions.filter { $0.identifier.domain == domain }
        return part.isEmpty ? nil : DatabasePosition(part)
    }

    private func number(of domain: UInt32) -> UInt64? {
        transactions.first { $0.identifier.domain == domain }?.identifier.number
    }
}
