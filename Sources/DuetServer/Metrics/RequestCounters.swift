import HTTPTypes

/// The counters of requests by style, method and status.
struct RequestCounters: Sendable {
    /// The methods with a separate label. All other methods share the label `other`, because clients can send any name.
    private static let methods: [HTTPRequest.Method] = [.get, .post, .head, .put, .patch, .delete, .options]
    private static let statuses = 100..<600

    private let counters: CounterTable

    init(_ factory: PrometheusMetricsFactory) {
        counters = factory.counters(
            "duet_http_requests_total", help: "Requests answered.",
            count: RequestStyle.allCases.count * (Self.methods.count + 1) * Self.statuses.count
        ) { index in
            let (line, status) = index.quotientAndRemainder(dividingBy: Self.statuses.count)
            let (style, method) = line.quotientAndRemainder(dividingBy: Self.methods.count + 1)
            return [
                ("style", RequestStyle.allCases[style].label),
                ("method", method < Self.methods.count ? Self.methods[method].rawValue : "other"),
                ("status", "\(status + Self.statuses.lowerBound)"),
            ]
        }
    }

    func increment(_ style: RequestStyle, _ method: HTTPRequest.Method, status: Int) {
        let method = Self.methods.firstIndex(of: method) ?? Self.methods.count
        let line = Int(style.rawValue) * (Self.methods.count + 1) + method
        let status = min(max(status, Self.statuses.lowerBound), Self.statuses.upperBound - 1)
        counters.increment(line * Self.statuses.count + status - Self.statuses.lowerBound)
    }
}
