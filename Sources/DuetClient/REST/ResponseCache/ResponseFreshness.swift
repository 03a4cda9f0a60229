package import Foundation
package import HTTPTypes

/// The age of a response, and how long it is fresh (RFC 9111 §4.2). All times are in seconds.
package struct ResponseFreshness: Sendable, Hashable {
    /// The time for which the response is fresh; 0 if it does not say so, because a guess (§4.2.2) could show old data as current.
    package let lifetime: Double
    /// The age when the response arrived.
    private let initialAge: Double
    private let responseTime: Date

    /// - Parameters:
    ///   - head: Of the response.
    ///   - requestTime: The time when the request was sent.
    ///   - responseTime: The time when the head of the response arrived.
    package init(_ head: HTTPResponse, requestTime: Date, responseTime: Date) {
        let fields = head.headerFields
        func moment(_ name: HTTPField.Name) -> Date? {
            fields[name].flatMap { HTTPDate.date(of: $0, now: responseTime) }
        }
        let date = moment(.date) ?? responseTime
        if let seconds = CacheControl(fields).seconds(.maxAge) {
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

    /// The age of a response in the caches that it has passed (§5.1); 0 if none says it.
    static func age(in fields: HTTPFields) -> Double {
        let age = fields[values: .age].first.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
        return Double(max(0, age))
    }

    /// The age at a time (§4.2.3). A clock that was set back since the response arrived measures no age; then the response counts as
    /// no longer fresh.
    package func age(at now: Date) -> Double {
        let residentTime = now.timeIntervalSince(responseTime)
        return residentTime >= 0 ? initialAge + residentTime : max(initialAge, lifetime)
    }

    /// The time for which the response is fresh from then on; 0 or less if it is stale.
    package func timeToLive(at now: Date) -> Double { lifetime - age(at: now) }
}
