import DuetClient
import Foundation
import HTTPTypes
import Testing

@Suite("Rules for the reuse of stored responses")
struct ReusePolicyTests {
    private let arrival = Date(timeIntervalSince1970: 1_800_000_000)

    private func policy(request: String, response: String) -> ReusePolicy {
        let fields: HTTPFields = [.cacheControl: response]
        return ReusePolicy(
            request: CacheDirectives([.cacheControl: request]), response: CacheDirectives(fields),
            freshness: ResponseFreshness(
                HTTPResponse(status: .ok, headerFields: fields), requestTime: arrival, responseTime: arrival))
    }

    @Test(
        "The Cache-Control directives and the age determine whether a stored response is reused",
        arguments: [
            // The directives of the request and of the response, the age, and true if the response is reused.
            ("", "max-age=10", 9, true), ("", "max-age=10", 10, false), ("", "", 0, false),
            ("", "max-age=10, must-revalidate", 9, true),
            ("no-cache", "max-age=10", 0, false), ("", "max-age=10, no-cache", 0, false),
            ("", #"max-age=10, no-cache="Set-Cookie""#, 0, false),
            ("max-age=5", "max-age=10", 4, true), ("max-age=5", "max-age=10", 6, false),
            ("max-age=0", "max-age=10", 0, false),
            ("min-fresh=4", "max-age=10", 6, true), ("min-fresh=4", "max-age=10", 7, false),
            ("max-stale", "max-age=10", 1000, true), ("max-stale=5", "max-age=10", 15, true),
            ("max-stale=5", "max-age=10", 16, false), ("max-stale", "max-age=10, must-revalidate", 11, false),
            ("max-stale", "max-age=10, no-cache", 0, false), ("max-stale=5", "", 5, true),
            ("max-age=5, max-stale=2", "max-age=10", 7, true), ("max-age=5, max-stale=2", "max-age=10", 8, false),
        ])
    func reuse(request: String, response: String, age: Double, isReused: Bool) {
        #expect(policy(request: request, response: response).permitsReuse(at: arrival + age) == isReused)
    }

    @Test(
        "After an error, the directives, the age and the client's limit determine whether a response is reused",
        arguments: [
            // The directives of the request and of the response, the age, and true if the response is reused. The
            // client's limit is 100 seconds.
            ("", "max-age=10", 110, true), ("", "max-age=10", 111, false),
            ("", "max-age=10, stale-if-error=5", 15, true), ("", "max-age=10, stale-if-error=5", 16, false),
            ("stale-if-error=20", "max-age=10, stale-if-error=5", 30, true),
            ("stale-if-error=0", "max-age=10, stale-if-error=5", 11, false),
            ("", "max-age=10, must-revalidate", 11, false), ("", "max-age=10, no-cache", 0, false),
            ("no-cache", "max-age=10", 0, false), ("", "", 50, true),
            ("min-fresh=100", "max-age=10", 0, true),
        ])
    func reuseOnError(request: String, response: String, age: Double, isReused: Bool) {
        let policy = policy(request: request, response: response)
        #expect(policy.permitsReuseOnError(at: arrival + age, limit: 100) == isReused)
    }

    @Test(
        "The status and the directives determine whether a response is stored",
        arguments: [
            // The status, the directives of the response and of the request, and true if the response is stored.
            (200, "", "", true), (200, "max-age=1", "", true), (200, "private", "", true), (200, "no-cache", "", true),
            (200, "no-store", "", false), (200, "no-store, max-age=5", "", false),
            (200, "max-age=5", "no-store", false),
            (200, "no-store, must-understand", "", true), (299, "no-store, must-understand, max-age=1", "", false),
            (206, "max-age=5", "", false), (304, "max-age=5", "", false), (404, "max-age=5", "", true),
            (404, "", "", false),
            (301, "", "", true), (302, "max-age=5", "", false), (500, "max-age=5", "", false),
            (503, "max-age=5", "", false),
            (401, "max-age=5", "", false), (204, "", "", true),
        ])
    func storage(status: Int, response: String, request: String, isStored: Bool) {
        let head = HTTPResponse(status: .init(code: status), headerFields: [.cacheControl: response])
        let request = HTTPRequest(
            method: .get, scheme: "https", authority: "example.org", path: "/", headerFields: [.cacheControl: request])
        #expect(StoragePolicy.permits(head, to: request) == isStored)
    }

    @Test("A response whose Vary field contains * is not stored")
    func varyAll() {
        let head = HTTPResponse(status: .ok, headerFields: [.vary: "Accept, *", .cacheControl: "max-age=5"])
        let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: "/")
        #expect(!StoragePolicy.permits(head, to: request))
    }
}
