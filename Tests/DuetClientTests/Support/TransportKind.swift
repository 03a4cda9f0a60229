import DuetClient

/// An implementation of ``HTTPTransport``. Most tests of transports run with each implementation.
enum TransportKind: String, Sendable, CaseIterable, CustomStringConvertible {
    case asyncHTTPClient = "AsyncHTTPClient"
    case urlSession = "URLSession"

    var description: String { rawValue }

    func make() -> any HTTPTransport {
        switch self {
        case .asyncHTTPClient: AsyncHTTPClientTransport()
        case .urlSession: URLSessionTransport()
        }
    }
}
