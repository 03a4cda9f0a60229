import DuetJSON
import DuetResourceService
import DuetServer
import DuetTokens
import Logging
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Authentication") struct AuthenticationTests {
    /// Values of `Authorization` without a valid token, with the error of RFC 6750.
    static let refused: [(fields: [String], error: String)] = {
        let valid = TestToken(["role": "clerk"]).text
        let parts = valid.split(separator: ".").map(String.init)
        return [
            ([""], "invalid_request"), (["Bearer"], "invalid_request"), (["Bearer "], "invalid_request"),
            (["Basic dXNlcjpwYXNz"], "invalid_request"), ([valid], "invalid_request"),
            (["Token \(valid)"], "invalid_request"), (["Bearer \(valid) \(valid)"], "invalid_request"),
            (["Bearer \(valid), Bearer \(valid)"], "invalid_request"),
            (["Bearer \(valid)", "Bearer \(valid)"], "invalid_request"),
            (["Basic dXNlcjpwYXNz", "Bearer \(valid)"], "invalid_request"),
            (["Bearer x"], "invalid_token"), (["Bearer \(valid)x"], "invalid_token"),
            (["Bearer \(valid.dropLast())"], "invalid_token"), (["Bearer \(parts[0]).\(parts[1])."], "invalid_token"),
            (["Bearer \(parts[0]).\(parts[1])"], "invalid_token"),
            (["Bearer eyJhbGciOiJub25lIn0.\(parts[1])."], "invalid_token"),
            (
                ["Bearer \(TestToken(["role": "clerk"], secret: "another secret with 32 bytes or more").text)"],
                "invalid_token"
            ),
            (["Bearer \(TestToken(["role": "clerk", "exp": 1_000_000_000]).text)"], "invalid_token"),
            (["Bearer \(TestToken(["role": "clerk", "exp": nil]).text)"], "invalid_token"),
            (["Bearer \(TestToken(["role": "clerk", "iss": "https://other.example"]).text)"], "invalid_token"),
            (["Bearer \(TestToken(["role": "clerk", "aud": []]).text)"], "invalid_token"),
            (["Bearer \(TestToken(["role": "clerk", "nbf": 4_000_000_000]).text)"], "invalid_token"),
        ]
    }()

    @Test("A request with an invalid token is a 401 and never anonymous, with and without an anonymous role")
    func refused() async throws {
        for anonymous in ["visitor", nil] {
            try await RoleServer.with(.sqlite, try RoleServer.access(anonymous: anonymous)) { client async throws in
                for (fields, error) in Self.refused {
                    let headers = HTTPHeaders(fields.map { ("Authorization", $0) })
                    for target in ["/departments", "/graphql?query=%7B__typename%7D", "/nothing", "/whoami", "/?api"] {
                        let response = try await client.get(target, headers)
                        #expect(response.status == 401 && response.code == "unauthorized", "\(fields) \(target)")
                        let challenge = response["WWW-Authenticate"] ?? ""
                        #expect(
                            challenge.hasPrefix(
                                "Bearer realm=\"duet\", error=\"\(error)\", error_description=\""), "\(challenge)")
                        #expect(response["Cache-Control"] == "no-store")
                        // The response contains no part of the token or the key.
                        for part in fields.joined(separator: " ").split(separator: " ") where part.utf8.count > 9 {
                            #expect(!response.text.contains(part) && !challenge.contains(part), "\(fields)")
                        }
                        #expect(!response.text.contains(TestToken.secret))
                    }
                }
            }
        }
    }

    @Test("The scheme of a token is case-insensitive, and spaces around the token are ignored")
    func schemes() async throws {
        try await RoleServer.with { client async throws in
            let token = TestToken(["role": "clerk"]).text
            for value in ["Bearer \(token)", "bearer \(token)", "BEARER   \(token)", "  Bearer \(token)  "] {
                let response = try await client.get("/whoami", ["Authorization": value])
                #expect(response.string("role") == "clerk", "\(value)")
            }
        }
    }

    @Test("Without an anonymous role, a request without a token is a 401, except at the open paths")
    func openPaths() async throws {
        try await RoleServer.with(.sqlite, try RoleServer.access(anonymous: nil)) { client async throws in
            let page = try await client.get("/", ["Accept": "text/html"])
            #expect(page.status == 200 && page.text.contains("<html"))
            let explorer = try await client.get("/graphql", ["Accept": "text/html"])
            #expect(explorer.status == 200 && explorer.text.contains("<html"))
            let open = [
                "/health/live", "/health/ready", "/metrics", "/problems", "/problems/unauthorized",
                "\(PageFiles.all.path)/explorer/main.js",
            ]
            for target in open {
                #expect(try await client.get(target).status == 200, "\(target)")
                #expect(try await client.head(target).status == 200, "\(target)")
            }
            let problems = try await client.get("/problems").text
            #expect(problems.contains("claim-missing") && !problems.contains("employee"))
            let closed = [
                "/", "/?api", "/employees", "/employees/20001", "/nothing", "/whoami", "/graphql", "/schema.graphql",
                "/graphql?query=%7B__typename%7D", "/openapi.yaml", "/openapi.json", "/comparison/tasks.json",
                "/comparison/keys.json", "//employees", "/employees/020001",
            ]
            for target in closed {
                let response = try await client.get(target)
                #expect(response.status == 401 && response.code == "unauthorized", "\(target)")
                #expect(response["WWW-Authenticate"] == "Bearer realm=\"duet\"", "\(target)")
            }
            #expect(try await client.graphQL("{ __typename }").status == 401)
            #expect(try await client.send(.DELETE, "/employees/20001").status == 401)
            #expect(try await client.send(.OPTIONS, "/employees").status == 401)
            #expect(try await client.get("/", RoleServer.clerkHeaders).text.contains("/employees"))
        }
    }

    @Test("A server with an anonymous role and without tokens serves all requests with this role, and refuses tokens")
    func onlyAnonymous() async throws {
        let access = AccessSettings(roles: [RoleServer.visitor, RoleServer.clerk], anonymousRole: "visitor")
        try await RoleServer.with(.sqlite, access) { client async throws in
            #expect(try await client.get("/departments").status == 200)
            #expect(try await client.get("/employees").code == "unknown-path")
            let refused = try await client.get("/departments", RoleServer.clerkHeaders)
            #expect(refused.status == 401 && refused.code == "unauthorized")
        }
    }

    // MARK: Roles

    /// Claims and the value of `Duet-Role`, with the expected role or the code of the problem.
    static let roles: [(claims: JSONObject, chosen: String?, expected: String)] = [
        (["role": "staff"], nil, "staff"), (["role": ["clerk", "staff"]], nil, "clerk"),
        (["role": ["clerk", "staff"]], "staff", "staff"), (["role": "staff"], "staff", "staff"),
        (["role": "staff"], "clerk", "role-not-granted"), (["role": ["staff"]], "visitor", "role-not-granted"),
        (["role": ["staff"]], "", "role-not-granted"), (["role": "Staff"], nil, "unknown-role"),
        (["role": ["owner", "staff"]], nil, "unknown-role"), (["role": ["owner", "staff"]], "staff", "staff"),
        (["role": "owner"], "owner", "unknown-role"), (["role": ""], nil, "unknown-role"),
        ([:], nil, "role-not-granted"), (["role": nil], nil, "role-not-granted"),
        (["role": []], nil, "role-not-granted"), (["role": 7], nil, "role-not-granted"),
        (["role": ["staff", 7]], nil, "role-not-granted"), (["role": ["staff": true]], nil, "role-not-granted"),
        (["role": [["staff"]]], nil, "role-not-granted"), ([:], "staff", "role-not-granted"),
    ]

    @Test("The first role of the token applies, or the one of Duet-Role, and any other role is a 403")
    func roles() async throws {
        try await RoleServer.with { client async throws in
            for (claims, chosen, expected) in Self.roles {
                var headers = RoleServer.headers(claims)
                if let chosen { headers.add(name: "Duet-Role", value: chosen) }
                let response = try await client.get("/whoami", headers)
                if response.status == 200 {
                    #expect(response.string("role") == expected, "\(claims)")
                } else {
                    #expect(response.status == 403 && response.code == expected, "\(claims): \(response.text)")
                    #expect(response["Cache-Control"] == "no-store" && response["WWW-Authenticate"] == nil)
                }
            }
            var twice = RoleServer.headers(["role": ["clerk", "staff"]])
            twice.add(name: "Duet-Role", value: "staff")
            twice.add(name: "Duet-Role", value: "clerk")
            #expect(try await client.get("/whoami", twice).code == "malformed-request")
        }
    }

    @Test("Without a token, Duet-Role can only name the anonymous role")
    func anonymousRole() async throws {
        try await RoleServer.with { client async throws in
            #expect(try await client.get("/whoami", ["Duet-Role": "visitor"]).status == 200)
            for role in ["staff", "clerk", "none", ""] {
                let response = try await client.get("/departments", ["Duet-Role": role])
                #expect(response.status == 403 && response.code == "role-not-granted", "\(role)")
            }
        }
    }

    @Test("The role can be in a nested claim, and in a claim whose name has dots")
    func roleClaim() async throws {
        for (path, claims) in [
            (ClaimPath(["app", "roles"]), ["app": ["roles": ["clerk"]]] as JSONObject),
            (ClaimPath(["https://shop.example/role"]), ["https://shop.example/role": "clerk"]),
        ] {
            try await RoleServer.with(.sqlite, try RoleServer.access(roleClaim: path)) { client async throws in
                #expect(try await client.get("/whoami", RoleServer.headers(claims)).string("role") == "clerk")
                let missing = try await client.get("/whoami", RoleServer.headers(["role": "clerk"]))
                #expect(missing.code == "role-not-granted" && missing.text.contains("\(path.names.last ?? "")"))
            }
        }
    }

    // MARK: Keys

    /// A source without keys.
    private struct NoKeys: TokenKeySource {
        func keys(knowing keyID: String?) async -> JSONWebKeySet? { nil }
    }

    @Test("While the keys are not available, the server is not ready and says why, and a request with a token is a 503")
    func missingKeys() async throws {
        var access = try RoleServer.access(
            keysProblem: "the token keys could not be fetched from https://x.example: no")
        access.authenticator = TokenAuthenticator(
            TokenRequirements(issuer: TestToken.issuer, audience: TestToken.audience), keys: NoKeys())
        try await RoleServer.with(.sqlite, access) { client async throws in
            let ready = try await client.get("/health/ready")
            #expect(ready.status == 503 && ready.code == "token-keys-unavailable" && ready["Retry-After"] != nil)
            #expect(ready.string("detail")?.contains("https://x.example: no") == true)
            #expect(try await client.get("/health/live").status == 200)
            let response = try await client.get("/departments", RoleServer.clerkHeaders)
            #expect(response.status == 503 && response.code == "token-keys-unavailable")
            #expect(!response.text.contains("x.example"))
            #expect(try await client.get("/departments").status == 200)
        }
    }

    // MARK: Expiry

    @Test("An export that began with a valid token is complete, although the token expires while the client reads it")
    func expiry() async throws {
        let clock = TokenClock(1_800_000_000)
        try await RoleServer.with(
            .sqlite, try RoleServer.access(now: { clock.now }), data: .sample(6_000)
        ) { client async throws in
            let token = TestToken(["role": "clerk", "exp": 1_800_000_100])
            let request =
                "GET /salaries HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept: application/x-ndjson\r\n"
                + "Authorization: Bearer \(token.text)\r\n\r\n"
            let channel = try await client.connect()
            let bytes = try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(.init(string: request))
                var bytes = 0
                for try await piece in inbound {
                    if bytes == 0 { clock.advance(by: 1_000) }
                    bytes += piece.readableBytes
                }
                return bytes
            }
            // The client has not received the whole export when the token expires.
            let rows = try await client.get(
                "/salaries?count=true&first=1",
                HTTPHeaders(TestToken(["role": "clerk"]).field.map { ($0.key, $0.value) }))
            let count = try #require(rows["Total-Count"].flatMap(Int.init))
            #expect(bytes > count * 60 && bytes > 1 << 20)
            #expect(
                try await client.get("/departments", HTTPHeaders(token.field.map { ($0.key, $0.value) })).status == 401)
        }
    }

    // MARK: The log and the metrics

    @Test("No log line, error or metric contains a token, not even the most detailed log")
    func log() async throws {
        let recorder = LogRecorder()
        try await RoleServer.with(logger: recorder.logger(level: .trace)) { client async throws in
            let valid = TestToken(["role": "staff", "employee": 20001, "app": ["numbers": [1]]]).text
            let texts = [valid, String(valid.dropLast()), "xyzzyxyzzy.xyzzyxyzzy.xyzzyxyzzy"]
            var responses = ""
            for text in texts {
                for target in ["/employees", "/employees?x=1", "/graphql?query=%7Bx%7D", "/nothing"] {
                    responses += try await client.get(target, ["Authorization": "Bearer \(text)"]).text
                }
            }
            responses += try await client.get("/metrics").text
            let log = recorder.lines.joined(separator: "\n")
            #expect(log.contains("Request") && log.contains("Statement"))
            for part in texts.flatMap({ $0.split(separator: ".") }) {
                #expect(!log.contains(part) && !responses.contains(part))
            }
        }
    }
}
