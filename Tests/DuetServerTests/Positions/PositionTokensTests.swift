import HTTPTypes
import Testing

@testable import DuetSQLDatabase
@testable import DuetServer

@Suite("Tokens of positions in the database")
struct PositionTokensTests {
    private static let tokens = PositionTokens(secret: "secret")

    /// Returns the token after a write, from the header fields of a response.
    private static func token(_ position: String, _ tokens: PositionTokens = tokens) throws -> String {
        let session = DatabaseSession(after: DatabasePosition(position))
        session.noteCommit(position)
        return try #require(tokens.token(of: session))
    }

    private static func fields(_ token: String) -> HTTPFields { [.databasePosition: token] }

    @Test("A server reads the tokens of each server with the same secret", arguments: ["0-1-5", "0-1-5,3-2-9"])
    func roundTrip(position: String) throws {
        let token = try Self.token(position)
        #expect(!token.contains(","))
        let session = PositionTokens(secret: "secret").session(for: Self.fields(token))
        #expect(session.after?.description == position)
    }

    @Test("Reads with the token of a server with another secret use the primary")
    func otherSecret() throws {
        let token = try Self.token("0-1-5")
        for other in [PositionTokens(secret: "other"), PositionTokens(secret: nil)] {
            #expect(other.session(for: Self.fields(token)).after == nil)
        }
        let (first, second) = (PositionTokens(secret: nil), PositionTokens(secret: nil))
        #expect(try Self.token("0-1-5", first) != Self.token("0-1-5", second))
    }

    @Test("Reads with a token that was changed use the primary")
    func changed() throws {
        let token = try Self.token("0-1-5")
        for changed in [
            token.replacing("0-1-5", with: "0-1-6"), String(token.dropLast()), token + "A", "0-1-5", "", ".",
            String(repeating: "0-1-1+", count: 10_000),
        ] {
            #expect(Self.tokens.session(for: Self.fields(changed)).after == nil, "\(changed.prefix(80))")
        }
        var twice = Self.fields(token)
        twice.append(HTTPField(name: .databasePosition, value: token))
        #expect(Self.tokens.session(for: twice).after == nil)
    }

    /// Returns the fields of the response to a request with a token, for a database with a replica that has no known
    /// position.
    private static func response(
        _ token: String?, _ session: DatabaseSession? = nil, _ fields: HTTPFields = [.cacheControl: "max-age=60"]
    ) throws -> HTTPFields {
        let request = token.map(Self.fields) ?? [:]
        let database = Database(
            try DatabaseURL("mariadb://a@127.0.0.1:1/a"), replicas: [try DatabaseURL("mariadb://a@127.0.0.1:2/a")])
        var fields = fields
        tokens.complete(&fields, for: request, session ?? tokens.session(for: request), database)
        return fields
    }

    @Test("The response to a read without a token is unchanged")
    func plain() throws {
        #expect(try Self.response(nil) == [.cacheControl: "max-age=60"])
    }

    @Test(
        "No cache stores the response to a request with a token, which is repeated until all servers have the position")
    func reads() throws {
        let token = try Self.token("0-1-5")
        let fields = try Self.response(token)
        #expect(fields[.cacheControl] == "no-store")
        #expect(fields[.databasePosition] == token)
        // A database with one server always has the position.
        var single: HTTPFields = [:]
        Self.tokens.complete(
            &single, for: Self.fields(token), DatabaseSession(), Database(try DatabaseURL("sqlite::memory:")))
        #expect(single == [.cacheControl: "no-store"])
    }

    @Test(
        "After a commit whose position is unknown, and after an unknown token, reads use the primary for some minutes")
    func unknownCommit() throws {
        let session = DatabaseSession()
        session.noteCommit(nil)
        let token = try #require(try Self.response(nil, session)[.databasePosition])
        #expect(token.hasPrefix("primary~"))
        #expect(Self.tokens.session(for: Self.fields(token)).after == nil)
        #expect(try Self.response(token)[.databasePosition] == token)
        let replaced = try #require(try Self.response("unknown")[.databasePosition])
        #expect(replaced.hasPrefix("primary~"))
        // A token of an earlier day.
        let old = Self.tokens.sign("primary~1000000000")
        #expect(try Self.response(old)[.databasePosition] == nil)
    }

    @Test("The token of a write replaces the token of the request")
    func writes() throws {
        let session = DatabaseSession(after: DatabasePosition("0-1-5"))
        session.noteCommit("0-1-7")
        let token = try #require(try Self.response(try Self.token("0-1-5"), session)[.databasePosition])
        #expect(token.hasPrefix("0-1-7."))
    }
}
