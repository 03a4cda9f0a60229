import Crypto
import DuetJSON
import DuetTokens
import Foundation
import Synchronization
import Testing

@testable import DuetServer

@Suite("Rotation of keys under load")
struct KeyRotationTests {
    private static let time: Int64 = 1_800_000_000

    /// The issuer: its keys, and the set that it publishes.
    private final class Issuer: Sendable {
        private let keys = (0..<6).map { _ in P256.Signing.PrivateKey() }
        private let published = Mutex<Range<Int>>(0..<1)

        func publish(_ range: Range<Int>) { published.withLock { $0 = range } }

        var set: String {
            let texts = published.withLock { $0 }.map { number in
                let point = keys[number].publicKey.rawRepresentation
                let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
                return #"{"kty":"EC","crv":"P-256","kid":"\#(number)","x":"\#(x)","y":"\#(y)"}"#
            }
            return #"{"keys":[\#(texts.joined(separator: ","))]}"#
        }

        /// Returns a token that names a key, and is signed with it or with another key.
        func token(_ number: Int, subject: Int, key: P256.Signing.PrivateKey? = nil) throws -> String {
            let claims = #"{"iss":"i","aud":"a","sub":"\#(subject)","exp":\#(KeyRotationTests.time + 60)}"#
            let header = #"{"alg":"ES256","kid":"\#(number)"}"#
            let signed = Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8)
            let signature = try (key ?? keys[number]).signature(for: Data(signed.utf8))
            return signed + "." + Base64URL.encode(signature.rawRepresentation)
        }
    }

    /// A server's part in authentication. Its requests for keys are real; a test moves its clock.
    private struct Server: Sendable {
        let keys: RemoteKeySet
        let authenticator: TokenAuthenticator

        init(_ url: String, clock: @escaping @Sendable () -> Duration) throws {
            let address = try KeySetAddress(url)
            // The first sleep of the service ends it, so that only unknown keys cause further requests.
            let world = RemoteKeySet.World(
                now: clock, sleep: { _ in withUnsafeCurrentTask { $0?.cancel() } },
                fetch: { try await KeySetRequest(address: address, timeLimit: .seconds(60)).send() })
            keys = RemoteKeySet(address, world: world)
            authenticator = TokenAuthenticator(
                TokenRequirements(issuer: "i", audience: "a"), keys: keys, now: { KeyRotationTests.time })
        }

        func refusal(of token: String) async -> TokenError.Code? {
            do throws(TokenAuthenticationError) {
                _ = try await authenticator.authenticate(token)
                return nil
            } catch {
                if case .token(let error) = error { return error.code }
                Issue.record("the keys are not available")
                return nil
            }
        }
    }

    @Test("Two servers that fetch one key set refuse no valid token, accept no invalid one, and send few requests")
    func rotation() async throws {
        let issuer = Issuer()
        let clock = Mutex(Duration.zero)
        try await KeyServer.with { _ in
            .response("200 OK", [], issuer.set)
        } _: { origin in
            let servers = try (0..<2).map { _ in
                try Server(origin.base + "/keys", clock: { clock.withLock { $0 } })
            }
            for server in servers { try await Task { try await server.keys.run() }.value }
            #expect(origin.requests == 2)
            for key in 1..<6 {
                // The issuer publishes the next key, and withdraws the one before the last.
                issuer.publish(max(key - 1, 0)..<key + 1)
                clock.withLock { $0 += .seconds(10) }
                let valid = try (0..<20).map { try issuer.token(key - $0 % 2, subject: $0 % 6) }
                let forged = try (0..<4).map { try issuer.token(key, subject: $0, key: P256.Signing.PrivateKey()) }
                let invented = try (0..<4).map {
                    try issuer.token(100 + $0, subject: 0, key: P256.Signing.PrivateKey())
                }
                await withTaskGroup(of: Void.self) { tasks in
                    for server in servers {
                        for token in valid { tasks.addTask { #expect(await server.refusal(of: token) == nil) } }
                        for token in forged { tasks.addTask { #expect(await server.refusal(of: token) == .signature) } }
                        for token in invented {
                            tasks.addTask { #expect(await server.refusal(of: token) == .unknownKey) }
                        }
                    }
                }
                if key >= 2 {
                    // A token of the withdrawn key was valid, and cached, before the rotation.
                    let withdrawn = try issuer.token(key - 2, subject: 0)
                    for server in servers { #expect(await server.refusal(of: withdrawn) == .unknownKey) }
                }
                // All tokens with unknown keys have shared one request of each server.
                #expect(origin.requests == 2 + 2 * key)
            }
        }
    }
}
