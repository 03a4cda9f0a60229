import DuetClient

/// The transports that the same tests run on.
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
