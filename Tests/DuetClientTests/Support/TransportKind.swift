import DuetClient

/// The implementations of ``HTTPTransport`` that run the same tests.
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
