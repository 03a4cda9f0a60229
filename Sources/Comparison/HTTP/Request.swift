import DuetJSON

/// What is asked of a server over HTTP.
struct Request: Sendable, Hashable {
    enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
    }

    var method = Method.get
    /// Path and query, encoded.
    var target: String
    /// What is sent, as JSON.
    var body: String?
    /// The media types that are taken.
    var accept = "application/json"
    /// Another cache key of an embedded cache than that of any other run (`X-Run`).
    var run: String?
    /// True for each request of a task that writes. Such a request is never cancelled, because the server might still execute it after
    /// the runner has restored the old value.
    var isOfWritingTask = false
    /// The status that is an answer; any other is a failure of the comparison.
    var expectedStatus = 200
    /// Bytes of the answer's body without its coding; `nil` until it has been asked for once. GraphQL tells errors with status 200, too.
    var expectedLength: Int?

    /// A read.
    static func get(_ target: String, accept: String = "application/json", expecting status: Int = 200) -> Request {
        Request(target: target, accept: accept, expectedStatus: status)
    }
}

/// A response of the server, with its body as JSON.
struct ServerResponse: Sendable {
    let status: Int
    /// The body; of lines of JSON, a list of them.
    let body: JSONValue
    /// The body, or null if nothing exists at the address.
    var value: JSONValue { status == 404 ? .null : body }
    /// Path and query of the next page, where the answer is a page and there is one (`Link`, RFC 8288).
    let next: String?
}
