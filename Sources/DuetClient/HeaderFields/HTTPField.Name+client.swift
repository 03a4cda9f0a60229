import HTTPTypes

// Each name is a valid token, so the initializer does not fail.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
    /// `Link`, RFC 8288.
    static let link = HTTPField.Name("Link")!
    /// `Cache-Status`, RFC 9211.
    static let cacheStatus = HTTPField.Name("Cache-Status")!
    /// `Duet-Database-Position`, with which Duet's server identifies the last write of a client.
    static let databasePosition = HTTPField.Name("Duet-Database-Position")!
    /// `Idempotency-Key`, draft-ietf-httpapi-idempotency-key-header.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    /// `Idempotency-Replayed`, with which Duet's server marks the response to a repeated request.
    static let idempotencyReplayed = HTTPField.Name("Idempotency-Replayed")!
    /// `Last-Event-ID`, WHATWG HTML, section 9.2.4.
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    /// `Prefer`, RFC 7240.
    static let prefer = HTTPField.Name("Prefer")!
    /// `Preference-Applied`, RFC 7240.
    static let preferenceApplied = HTTPField.Name("Preference-Applied")!
}
