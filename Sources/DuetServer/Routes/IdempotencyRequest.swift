import DuetHTTPSemantics
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The idempotency key of a write over REST, and the content of the request.
///
/// The content of a repetition must be equal: the body, its type, the query, the preconditions, and the preferences.
/// The path is a part of the operation to which the key belongs.
struct IdempotencyRequest: Sendable {
    private let text: String
    private let sender: IdempotencyKey.Sender?
    private let operation: String
    private var payload = IdempotencyPayload()

    /// Reads the key of a request. The result is nil without a key. It is also nil if nothing is stored, because a
    /// repetition then has no effect either.
    /// - Throws: ``RequestProblem`` with status 400.
    init?(_ routed: RoutedRequest, _ preferences: WritePreferences) throws {
        let fields = routed.request.headers
        guard fields.contains(.idempotencyKey), !preferences.isRolledBack else { return nil }
        let values = fields[values: .idempotencyKey]
        guard values.count == 1, let text = Self.text(of: values[0]) else {
            throw RequestProblem(
                .idempotencyKeyInvalid,
                "Idempotency-Key must be one quoted string of \(IdempotencyKey.requirement): Idempotency-Key: \"8e03978e-40d5-43dd-bc93-6894a57f9324\""
            )
        }
        self.text = text
        sender = try routed.idempotencySender
        operation = "\(routed.request.method) \(routed.request.uri.path)"
        payload.add(routed.rawQuery)
        for name in [HTTPField.Name.contentType, .ifMatch, .ifNoneMatch] {
            payload.add(fields.contains(name) ? fields[values: name].joined(separator: ",") : nil)
        }
        payload.add(preferences.applied)
    }

    /// Adds a piece of the body.
    mutating func add(_ piece: ByteBuffer) { payload.add(piece) }

    /// The key. The whole body must have been added.
    var key: IdempotencyKey { IdempotencyKey(text, from: sender, operation: operation, payload: payload) }

    /// Returns the text of a string of a structured field (RFC 9651 §3.3.3); nil if the value is not the string of a
    /// valid key.
    private static func text(of value: String) -> String? {
        var bytes = Array(value.utf8)[...]
        while bytes.first == UInt8(ascii: " ") || bytes.first == UInt8(ascii: "\t") { bytes.removeFirst() }
        while bytes.last == UInt8(ascii: " ") || bytes.last == UInt8(ascii: "\t") { bytes.removeLast() }
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        var rest = bytes.dropFirst().dropLast()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return nil }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escaped = rest.popFirst(), escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                return nil
            }
            text.append(escaped)
        }
        let key = String(decoding: text, as: UTF8.self)
        return IdempotencyKey.isValid(key) ? key : nil
    }
}

extension RoutedRequest {
    /// The sender of an idempotency key; nil if the API has no roles.
    /// - Throws: ``RequestProblem`` with status 400 for a caller that its token does not identify. Such callers would
    ///   share their keys.
    var idempotencySender: IdempotencyKey.Sender? {
        get throws {
            guard let caller else { return nil }
            guard let subject = caller.subject, !subject.isEmpty else {
                throw RequestProblem(
                    .subjectMissing,
                    "an idempotency key belongs to a caller, and the request has no token with the claim sub; send a token with this claim, or omit the key"
                )
            }
            return IdempotencyKey.Sender(
                issuer: caller.issuer ?? "", subject: subject, role: caller.policy.name,
                permissions: caller.fingerprint)
        }
    }
}

extension HTTPFields {
    /// Adds `Idempotency-Replayed` to the response to a repeated request.
    mutating func add(isReplayed: Bool) {
        if isReplayed { self[.idempotencyReplayed] = "true" }
    }
}
