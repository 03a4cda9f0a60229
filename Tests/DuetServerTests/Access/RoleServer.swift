import DuetJSON
import DuetResourceService
import DuetServer
import DuetTokens
import Logging
import NIOHTTP1
import ProcessTesting
import Synchronization
import TestSupport

/// The employees database with roles, and tokens of its callers.
enum RoleServer {
    /// Sees the departments.
    static let visitor = Role("visitor", reads: ["departments": .init()])
    /// Sees the employee whose number is a claim, without the day of birth, and the titles and salaries that claims
    /// select.
    static let staff = Role(
        "staff",
        reads: [
            "employees": .init(
                fields: .except(["birthDate"]), where: .compare("employeeNumber", .equal, [.parameter("employee")])),
            "titles": .init(where: .compare("employeeNumber", .equal, [.parameter("employee")])),
            "salaries": .init(where: .compare("employeeNumber", .in, [.parameter("app.numbers")])),
            "departments": .init(),
        ])
    /// Sees everything.
    static let clerk = Role(
        "clerk",
        reads: [
            "employees": .init(), "titles": .init(), "salaries": .init(), "departments": .init(),
            "assignments": .init(), "managers": .init(),
        ])

    static let numbers: [Int] = [20001, 20002]

    /// The settings of a server that accepts the tokens of this type.
    /// - Parameter now: The clock for tokens; nil for the clock of the system.
    static func access(
        anonymous: String? = "visitor", roles: [Role] = [visitor, staff, clerk],
        roleClaim: ClaimPath = AccessSettings.defaultRoleClaim, keysProblem: String? = nil,
        now: (@Sendable () -> Int64)? = nil
    ) throws -> AccessSettings {
        let requirements = TokenRequirements(issuer: TestToken.issuer, audience: TestToken.audience)
        let keys = StaticKeySource(try JSONWebKeySet(secret: TestToken.secret.utf8))
        return AccessSettings(
            roles: roles, anonymousRole: anonymous, roleClaim: roleClaim,
            authenticator: now.map { TokenAuthenticator(requirements, keys: keys, now: $0) }
                ?? TokenAuthenticator(requirements, keys: keys),
            keysProblem: { keysProblem })
    }

    /// The header fields of an employee's requests.
    static func employee(_ number: Int64) -> HTTPHeaders {
        headers(["role": "staff", "employee": .integer(number), "app": ["numbers": [.integer(number)]]])
    }

    static let clerkHeaders = headers(["role": "clerk"])

    /// The header fields of a caller with claims.
    static func headers(_ claims: JSONObject) -> HTTPHeaders {
        HTTPHeaders(TestToken(claims).field.map { ($0.key, $0.value) })
    }

    /// Runs the server with roles while the closure runs.
    static func with(
        _ backend: TestBackend = .sqlite, _ access: AccessSettings? = nil, data: TestData = .crew,
        settings: ServerSettings = ServerSettings(), tasks: TaskSource = .empty, logger: Logger = .silent,
        _ body: @Sendable @escaping (APIClient) async throws -> Void
    ) async throws {
        try await withServer(
            backend, data: data, settings: settings, access: try access ?? Self.access(), tasks: tasks, logger: logger
        ) { try await body($0.client) }
    }
}

/// A clock for tokens.
final class TokenClock: Sendable {
    private let time: Mutex<Int64>

    init(_ time: Int64) { self.time = Mutex(time) }

    var now: Int64 { time.withLock { $0 } }

    func advance(by seconds: Int64) { time.withLock { $0 += seconds } }
}
