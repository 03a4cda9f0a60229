import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetTokens
import HTTPTypes
import Testing

@testable import DuetServer

@Suite("The expiry of a caller") struct CallerExpiryTests {
    /// Returns a certificate without a name.
    private func certificate(expiresAt: Int64) throws -> ClientCertificate {
        try ClientCertificate(
            der: [0x30, 13, 0x30, 11, 2, 1, 1, 0x30, 0, 0x30, 0, 0x30, 0, 0x30, 0], expiresAt: expiresAt)
    }

    @Test(
        "It is that of the token or of the certificate, whichever is earlier",
        arguments: [(nil, nil, nil), (5, nil, 5), (nil, 7, 7), (5, 7, 5), (9, 7, 7)] as [(Int64?, Int64?, Int64?)])
    func earlier(token: Int64?, certificate: Int64?, expiry: Int64?) throws {
        let caller = Caller(
            JSONObject(), certificate: try certificate.map { try self.certificate(expiresAt: $0) }, roles: ["a"],
            tokenExpiresAt: token, policy: RolePolicy(Role("a", reads: [:])))
        #expect(caller.expiresAt == expiry)
        #expect(caller.isIdentified == (expiry != nil))
    }

    @Test("A certificate that has expired since its connection began is expired, and another one is not")
    func expired() throws {
        #expect(try certificate(expiresAt: 1).hasExpired)
        #expect(try !certificate(expiresAt: .max).hasExpired)
    }
}
