import DuetHTTPSemantics
package import Foundation
package import HTTPTypes

/// The age of a response and its freshness lifetime (RFC 9111 §4.2). All times are in seconds.
package struct ResponseFreshness: Sendable, Hashable {
    /// The freshness lifetime. It is 0 if the response does not specify it. The cache does not use heuristic lifetimes
    /// (§4.2.2), because they could present old data as current.
    package let lifetime: Double
    /// The age of the response when it arrived.
    private let initialAge: Double
    private let responseTime: Date

    /// - Parameters:
    ///   - head: The head of the response.
    ///   - requestTime: The time when the request was sent.
    ///   - responseTime: The time when the head of the response arrived.
    package init(_ head: HTTPResponse, requestTime: Date, responseTime: Date) {
        let fields = head.headerFields
        func moment(_ name: HTTPField.Name) -> Date? {
            fields[name].flatMap { HTTPDate.date(of: $0, now: responseTime) }
        }
        let date = moment(.date) ?? responseTime
        if let seconds = CacheDirectives(fields).seconds(.maxAge) {
            lifetime = seconds
        } else if fields.contains(.expires) {
            // An invalid date, such as 0, is in the past (§5.3).
            lifetime = max(0, moment(.expires)?.timeIntervalSince(date) ?? 0)
        } else {
            lifetime = 0
        }
        let apparentAge = max(0, responseTime.timeIntervalSince(date))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        initialAge = max(apparentAge, Self.age(in: fields) + delay)
        self.responseTime = responseTime
    }

    /// Returns the age that other caches have reported in the `Age` field (§5.1); 0 if the response has no such field.
    static func age(in fields: HTTPFields) -> Double {
        let age = fields[values: .age].first.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
        return Double(max(0, age))
    }

    /// Returns the age at a point in time (§4.2.3). If the clock was set back after the response arrived, the age is
    /// unknown. In this case, the returned age makes the response stale.
    package func age(at now: Date) -> Double {
        let residentTime = now.timeIntervalSince(responseTime)
        return residentTime >= 0 ? initialAge + residentTime : max(initialAge, lifetime)
    }

    /// Returns the remaining time for which the response is fresh; 0 or less if it is stale.
    package func timeToLive(at now: Date) -> Double { lifetime - age(at: now) }
}
