import DuetGraphQL
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import HTTPTypes
import NIOCore

/// The identity of the client that sent a request: its role, and the claims that the conditions of the role compare.
struct Caller: Sendable {
    /// The role.
    let policy: RolePolicy
    /// The roles that the client can choose with `Duet-Role`.
    let roles: [String]
    /// The claims that the conditions of the role compare, by their names (`ClaimPath.parameter`). A claim that is null
    /// or missing is omitted.
    let parameters: [String: JSONValue]
    /// The time when the token or the certificate expires, whichever is earlier, in seconds since 1970; nil for a
    /// client with neither.
    let expiresAt: Int64?
    /// A digest of the permissions of the role and of the claims. The response to a request depends on the caller only
    /// through them.
    let fingerprint: BodyDigest
    /// The claims `iss` and `sub` of the token; nil for a claim that is missing or not a text.
    let issuer, subject: String?
    /// The certificate of the client; nil without one.
    let certificate: ClientCertificate?

    /// The claims that the conditions of the role compare. A claim that the token does not have is null.
    var claims: JSONObject {
        JSONObject(policy.claims.map { ($0.name, parameters[$0.name] ?? .null) })
    }

    /// A text that identifies the client; nil if the client has neither a token with the claim `sub` nor a certificate.
    var identity: String? {
        if let subject { "\(issuer ?? "") \(subject)" } else { certificate.map { "certificate \($0.subject)" } }
    }

    /// True if the client has sent a token or a certificate. Its responses are for this client only.
    var isIdentified: Bool { expiresAt != nil }

    /// The claim with the certificate of the client. A token cannot contain it.
    static let certificateClaim = "client_certificate"

    /// Creates a caller.
    /// - Parameters:
    ///   - claims: The claims of the token; empty without a token.
    ///   - certificate: The certificate of the client, whose names are added to the claims.
    ///   - tokenExpiresAt: The time when the token expires, in seconds since 1970; nil without a token.
    ///   - policy: The role.
    init(
        _ claims: JSONObject, certificate: ClientCertificate?, roles: [String], tokenExpiresAt: Int64?,
        policy: RolePolicy
    ) {
        let claims = claims.adding(certificate)
        self.policy = policy
        self.certificate = certificate
        self.roles = roles
        issuer = if case .string(let text)? = claims["iss"] { text } else { nil }
        subject = if case .string(let text)? = claims["sub"] { text } else { nil }
        expiresAt = [tokenExpiresAt, certificate?.expiresAt].compactMap(\.self).min()
        var parameters: [String: JSONValue] = [:]
        var writer = JSONWriter(capacity: 128)
        writer.buffer.writeInteger(policy.digest.low)
        writer.buffer.writeInteger(policy.digest.high)
        for (name, path) in policy.claims {
            let value = path.value(in: claims) ?? .null
            writer.write(value)
            // Without a separator, the numbers 1 and 23 would have the same digest as 12 and 3.
            writer.buffer.writeInteger(UInt8(ascii: ","))
            if value != .null { parameters[name] = value }
        }
        self.parameters = parameters
        fingerprint = policy.claims.isEmpty ? policy.digest : BodyDigest(of: writer.buffer)
    }

    /// Returns a copy of a service with the claims of the caller.
    func restrict(_ service: ResourceService) -> ResourceService {
        guard !parameters.isEmpty else { return service }
        var service = service
        service.parameters = parameters
        return service
    }
}

extension JSONObject {
    /// Returns the claims of a token with those of a certificate, which a token cannot replace.
    fileprivate func adding(_ certificate: ClientCertificate?) -> JSONObject {
        var claims = self
        claims[Caller.certificateClaim] = certificate.map {
            ["subject": .string($0.subject), "common_name": $0.commonName.map { .string($0) } ?? .null]
        }
        return claims
    }
}

/// The part of a role that identifies callers.
struct RolePolicy: Sendable {
    let name: String
    /// The claims that the conditions of the role compare, with the names of their parameters.
    let claims: [(name: String, path: ClaimPath)]
    /// A digest of the permissions. It is the same in all processes.
    let digest: BodyDigest

    init(_ role: Role) {
        name = role.name
        claims = role.claims.map { ($0.parameter, $0) }
        digest = BodyDigest(of: ByteBuffer(string: role.signature))
    }
}

extension BodyTag {
    /// Returns the tag of the body for a caller. The tags of equal bodies differ for callers with different permissions
    /// or claims. Applying the function twice returns the original tag.
    func tag(for caller: Caller?) -> BodyTag {
        guard let caller else { return self }
        return BodyTag(low: low ^ caller.fingerprint.low, high: high ^ caller.fingerprint.high)
    }
}

extension HTTPFields {
    /// Changes `Cache-Control` so that no shared cache stores the response (RFC 9111 §5.2.2.7).
    mutating func makePrivate() {
        guard let value = self[.cacheControl] else { return }
        var directives = value.split(separator: ",").map { $0.drop(while: \.isWhitespace) }
        guard !directives.contains("no-store"), !directives.contains("private") else { return }
        directives.removeAll { $0.hasPrefix("s-maxage=") }
        if let index = directives.firstIndex(of: "public") {
            directives[index] = "private"
        } else {
            directives.insert("private", at: 0)
        }
        self[.cacheControl] = directives.joined(separator: ", ")
    }
}
