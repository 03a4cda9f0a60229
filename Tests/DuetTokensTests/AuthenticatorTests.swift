import DuetJSON
import DuetTokens
import Synchronization
import Testing

@Suite("Authentication with changing keys")
struct AuthenticatorTests {
    /// A source whose keys a test changes. It counts the requests for unknown keys.
    final class ChangingSource: TokenKeySource {
        private struct State {
            var keys: JSONWebKeySet?
            var next: JSONWebKeySet?
            var requests: [String] = []
        }

        private let state: Mutex<State>

        init(_ keys: JSONWebKeySet?) { state = Mutex(State(keys: keys)) }

        func replace(by keys: JSONWebKeySet) { state.withLock { $0.keys = keys } }
        /// Replaces the keys when an unknown key is requested.
        func replaceOnRequest(by keys: JSONWebKeySet) { state.withLock { $0.next = keys } }
        var requests: [String] { state.withLock(\.requests) }

        func keys(knowing keyID: String?) async -> JSONWebKeySet? {
            state.withLock { state in
                if let keyID {
                    state.requests.append(keyID)
                    if let next = state.next { state.keys = next }
                }
                return state.keys
            }
        }
    }

    /// A clock that a test moves.
    final class Clock: Sendable {
        private let time = Mutex(testTime)
        var now: Int64 { time.withLock { $0 } }
        func advance(by seconds: Int64) { time.withLock { $0 += seconds } }
    }

    private func refusal(of token: String, by authenticator: TokenAuthenticator) async -> TokenError.Code? {
        do throws(TokenAuthenticationError) {
            _ = try await authenticator.authenticate(token)
            return nil
        } catch {
            guard case .token(let error) = error else { return nil }
            return error.code
        }
    }

    @Test("A verified token is cached until it expires")
    func cache() async throws {
        let clock = Clock()
        let authenticator = TokenAuthenticator(
            .test, keys: StaticKeySource(try keySet(.es256)), now: { clock.now })
        let text = try token(claims: claims(["exp": .integer(testTime + 100)]))
        let first = try await authenticator.authenticate(text)
        #expect(authenticator.cachedCount == 1)
        #expect(try await authenticator.authenticate(text) == first)
        clock.advance(by: 129)
        #expect(try await authenticator.authenticate(text) == first)
        clock.advance(by: 1)
        #expect(await refusal(of: text, by: authenticator) == .expired)
        #expect(authenticator.cachedCount == 0)
    }

    @Test("Invalid tokens are not cached, and the cache has a limit")
    func limits() async throws {
        let authenticator = TokenAuthenticator(
            .test, keys: StaticKeySource(try keySet(.hs256)), capacity: 4, now: { testTime })
        for number in 0..<10 {
            let forged = try token(.hs256, claims: claims(["sub": .integer(Int64(number))]), key: .secret([1]))
            #expect(await refusal(of: forged, by: authenticator) == .signature)
        }
        #expect(authenticator.cachedCount == 0)
        for number in 0..<10 {
            _ = try await authenticator.authenticate(
                try token(.hs256, claims: claims(["sub": .integer(Int64(number))])))
        }
        #expect(authenticator.cachedCount == 4)
        // Large tokens count by their size.
        for number in 0..<3 {
            let pad = JSONValue.string(String(repeating: "x", count: 4_000))
            let large = try token(.hs256, claims: claims(["sub": .integer(Int64(number)), "pad": pad]))
            _ = try await authenticator.authenticate(large)
        }
        #expect(authenticator.cachedCount < 4)
        let uncached = TokenAuthenticator(
            .test, keys: StaticKeySource(try keySet(.hs256)), capacity: 0, now: { testTime })
        _ = try await uncached.authenticate(try token(.hs256))
        #expect(uncached.cachedCount == 0)
    }

    @Test("A key that is removed from its set stops verifying, even cached tokens")
    func removedKey() async throws {
        let (first, second) = (SigningKey.another(), SigningKey.another())
        let (firstKey, secondKey) = (try first.webKey(["kid": "1"]), try second.webKey(["kid": "2"]))
        let source = ChangingSource(try keySet([firstKey, secondKey]))
        let authenticator = TokenAuthenticator(.test, keys: source, now: { testTime })
        let tokens = [try token(header: ["kid": "1"], key: first), try token(header: ["kid": "2"], key: second)]
        for token in tokens { _ = try await authenticator.authenticate(token) }
        #expect(authenticator.cachedCount == 2)
        source.replace(by: try keySet([secondKey]))
        #expect(await refusal(of: tokens[0], by: authenticator) == .unknownKey)
        #expect(await refusal(of: tokens[1], by: authenticator) == nil)
        // A key with the same name and another value is another key.
        source.replace(by: try keySet([first.webKey(["kid": "2"])]))
        #expect(await refusal(of: tokens[1], by: authenticator) == .signature)
    }

    @Test("An unknown key is requested once, and a known one is not requested")
    func unknownKey() async throws {
        let (first, second) = (SigningKey.another(), SigningKey.another())
        let source = ChangingSource(try keySet([first.webKey(["kid": "1"])]))
        let authenticator = TokenAuthenticator(.test, keys: source, now: { testTime })
        _ = try await authenticator.authenticate(try token(header: ["kid": "1"], key: first))
        #expect(source.requests.isEmpty)
        #expect(await refusal(of: try token(header: ["kid": "2"], key: second), by: authenticator) == .unknownKey)
        #expect(source.requests == ["2"])
        source.replaceOnRequest(by: try keySet([second.webKey(["kid": "2"])]))
        #expect(await refusal(of: try token(header: ["kid": "2"], key: second), by: authenticator) == nil)
        #expect(source.requests == ["2", "2"])
        #expect(authenticator.cachedCount == 1)
        #expect(await refusal(of: try token(header: ["kid": "2"], key: first), by: authenticator) == .signature)
        #expect(await refusal(of: "a.b", by: authenticator) == .malformed)
        #expect(source.requests.count == 2)
    }

    @Test("Without keys, no token is verified")
    func noKeys() async throws {
        let authenticator = TokenAuthenticator(.test, keys: ChangingSource(nil), now: { testTime })
        let text = try token()
        let error = await #expect(throws: TokenAuthenticationError.self) { try await authenticator.authenticate(text) }
        #expect(error == .keysUnavailable)
    }

    @Test("Two servers with one key set that rotates under load refuse no valid token, and accept no invalid one")
    func rotation() async throws {
        // Each generation has a key of its own. A set has the keys of two generations: the issuer publishes a key
        // before it signs with it, and withdraws a key when it signs with the next one.
        let generations = (0..<12).map { _ in SigningKey.another() }
        func set(_ generation: Int) throws -> JSONWebKeySet {
            try keySet(
                [generation, generation + 1].filter { $0 < generations.count }.map {
                    try generations[$0].webKey(["kid": .string("\($0)")])
                })
        }
        func text(_ generation: Int, _ number: Int, key: SigningKey? = nil) throws -> String {
            try token(
                header: ["kid": .string("\(generation)")], claims: claims(["sub": .integer(Int64(number))]),
                key: key ?? generations[generation])
        }
        let sources = [ChangingSource(try set(0)), ChangingSource(try set(0))]
        let servers = sources.map { TokenAuthenticator(.test, keys: $0, capacity: 64, now: { testTime }) }
        for generation in 0..<generations.count - 1 {
            let rotated = try set(generation)
            // The load: tokens of this and of the next generation are valid during the whole rotation, because each set
            // of the rotation has the keys of the next generation, or fetches it on request. Withdrawn keys, and keys
            // that were never published, are invalid.
            let withdrawn = generation > 0 ? [try text(generation - 1, 0)] : []
            let forged = [
                try text(generation, 1, key: SigningKey.another()), try text(generation, 2, key: SigningKey.another()),
            ]
            let valid = try (0..<8).map { try text(generation, $0 % 4) }
            // One server learns the new keys by a request, the other one by its schedule.
            sources[0].replaceOnRequest(by: rotated)
            sources[1].replace(by: rotated)
            await withTaskGroup(of: Void.self) { tasks in
                for server in servers {
                    for text in valid {
                        tasks.addTask {
                            #expect(await refusal(of: text, by: server) == nil, "generation \(generation)")
                        }
                    }
                    for text in forged {
                        tasks.addTask { #expect(await refusal(of: text, by: server) == .signature) }
                    }
                    tasks.addTask { [source = sources[0]] in source.replace(by: rotated) }
                }
            }
            for server in servers {
                for text in withdrawn { #expect(await refusal(of: text, by: server) == .unknownKey) }
                for text in valid { #expect(await refusal(of: text, by: server) == nil) }
            }
        }
    }
}
