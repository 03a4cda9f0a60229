import DuetClient
import Foundation
import HTTPTypes
import Testing

@Suite("Freshness of responses")
struct ResponseFreshnessTests {
    /// 1994-11-06T08:49:37Z, the time of `Sun, 06 Nov 1994 08:49:37 GMT`.
    private let date = Date(timeIntervalSince1970: 784_111_777)
    private let dateText = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// Returns the freshness of a response that arrives `delay` seconds after ``date``, and one second after its
    /// request.
    private func freshness(_ fields: HTTPFields, arrivesAfter delay: Double = 0) -> ResponseFreshness {
        let arrival = date + delay
        return ResponseFreshness(
            HTTPResponse(status: .ok, headerFields: fields), requestTime: arrival - 1, responseTime: arrival)
    }

    @Test("The lifetime is max-age if present, otherwise the time until Expires, otherwise 0")
    func lifetime() {
        let expires = "Sun, 06 Nov 1994 08:50:37 GMT"
        #expect(freshness([.date: dateText, .cacheControl: "max-age=5", .expires: expires]).lifetime == 5)
        #expect(freshness([.date: dateText, .expires: expires]).lifetime == 60)
        #expect(freshness([.expires: expires]).lifetime == 60)
        #expect(freshness([.date: dateText, .lastModified: "Sun, 06 Nov 1983 08:49:37 GMT"]).lifetime == 0)
    }

    @Test(
        "The lifetime is 0 if Expires is in the past or is not a date",
        arguments: ["0", "", "Sun, 06 Nov 1983 08:49:37 GMT"])
    func past(expires: String) {
        #expect(freshness([.date: dateText, .expires: expires]).lifetime == 0)
    }

    @Test("s-maxage is ignored, because it applies only to shared caches")
    func shared() {
        #expect(freshness([.cacheControl: "s-maxage=100, max-age=5"]).lifetime == 5)
    }

    @Test("The age of a response is the age on arrival plus the time since the arrival")
    func age() {
        #expect(freshness([.date: dateText, .age: "10"]).age(at: date + 5) == 16)
        #expect(freshness([.date: dateText]).age(at: date + 5) == 6)
        #expect(freshness([.date: dateText], arrivesAfter: 30).age(at: date + 35) == 35)
        #expect(freshness([.date: dateText, .age: "x"]).age(at: date) == 1)
        #expect(freshness([.date: dateText, .age: "-5"]).age(at: date) == 1)
        #expect(freshness([:]).age(at: date + 5) == 6)
    }

    @Test("If the server's clock is ahead of the client's clock, the age on arrival is the duration of the request")
    func clockAhead() {
        #expect(freshness([.date: dateText], arrivesAfter: -600).age(at: date - 600) == 1)
    }

    @Test("A response is fresh until its age reaches its lifetime")
    func timeToLive() {
        let freshness = freshness([.date: dateText, .cacheControl: "max-age=10"])
        #expect(freshness.timeToLive(at: date) == 9)
        #expect(freshness.timeToLive(at: date + 9) == 0)
        #expect(freshness.timeToLive(at: date + 19) == -10)
    }

    @Test("A response is stale if the clock is set back")
    func clockSetBack() {
        let freshness = freshness([.date: dateText, .cacheControl: "max-age=10"])
        #expect(freshness.timeToLive(at: date - 3600) == 0)
    }
}
