import DuetJSON
import Foundation
import ProcessTesting
import Testing

extension ComparisonPageTests {
    @Suite("Live")
    struct Live {
        /// A client other than the browser.
        private struct OtherClient: HTTPEndpoint {
            let base: String

            func rename(_ name: String) async throws {
                let answer = try await send("PATCH", "/employees/10051", body: #"{"lastName":"\#(name)"}"#)
                #expect(answer.status == 200)
            }
        }

        @Test("Live shows the responses of both sides, and highlights the changes that another client makes")
        func changes() async throws {
            let state: KeyValuePairs = [
                "task": "own", "rest": "GET /employees/10051?fields=lastName",
                "query": "query One($id: ID!) { employee(id: $id) { ...Name } } fragment Name on Employee { lastName }",
                "variables": #"{"id":10051}"#,
            ]
            try await withComparison(state) { page in
                let client = OtherClient(base: page.origin)
                try await client.rename("Before")
                #expect(page.requests.allSatisfy { !$0.contains("/live-") })
                try await page.click("#live")
                func waitForUpdates(_ count: String) async throws {
                    try await page.wait(
                        until: """
                            [...document.querySelectorAll('.live-answer .exchange-facts')] \
                            .filter((one) => one.textContent.startsWith('\(count) · ')).length === 2
                            """)
                }
                try await waitForUpdates("0 updates")
                let before = try await page.texts(".live-answer pre")
                #expect(before.count == 2 && before.allSatisfy { $0.contains(#""lastName": "Before""#) }, "\(before)")
                #expect(try await page.texts(".live-answer ins") == [])

                try await client.rename("After")
                try await waitForUpdates("1 update")
                let changed = #""lastName": "After""#
                #expect(try await page.texts(".live-answer ins") == [changed, changed])
                let facts = try await page.texts(".live-answer .exchange-facts")
                #expect(
                    facts.allSatisfy { $0.wholeMatch(of: /1 update · \d+ bytes · \d\d:\d\d:\d\d\.\d{3}/) != nil },
                    "\(facts)")

                // The browser reports the end of both streams.
                try await page.waitForEvents(2, of: "Network.loadingFailed") { try await page.click("#live") }
                #expect(try await page.texts(".live-answer") == [])
            }
        }

        private static let isPressed = "document.querySelector('#live').ariaPressed"

        @Test("When the last stream has ended with an error, Live is off, and the page shows the reason")
        func ended() async throws {
            let half: KeyValuePairs = [
                "task": "own", "rest": "GET /employees/1", "query": "{ departments { id } }",
            ]
            try await withComparison(half) { page in
                try await page.click("#live")
                try await page.wait(
                    until: """
                        document.querySelector('#rest-live .exchange-wrong') \
                        && document.querySelector('#graphql-live pre:not(:empty)')
                        """)
                // The other side is still watched.
                #expect(try await page.evaluate(Self.isPressed) == "true")
                #expect(try await page.text("#announcement") == "")
            }
            let none: KeyValuePairs = [
                "task": "own", "rest": "GET /employees/1", "query": "{ employee(id: 1) { unknown } }",
            ]
            try await withComparison(none) { page in
                try await page.click("#live")
                try await page.wait(until: "\(Self.isPressed) === 'false' && document.querySelector('.live-answer')")
                let reasons = try await page.texts(".live-answer.exchange-wrong .exchange-facts")
                #expect(reasons.count == 2)
                #expect(reasons.first == "There are no events: there is no employee 1")
                #expect(reasons.last?.contains("unknown") == true, "\(reasons)")
                let announcement = try await page.text("#announcement")
                #expect(reasons.map { "Nothing is watched any longer. \($0)" }.contains(announcement))
                // Another click watches again, and other requests remove the responses.
                try await page.waitForEvents(2, of: "Network.responseReceived") { try await page.click("#live") }
                try await page.wait(until: "\(Self.isPressed) === 'false'")
                try await page.choose("names", of: "#task")
                #expect(try await page.texts(".live-answer") == [])
            }
        }

        @Test(
            "A query with several root fields is watched by several subscriptions, and a change of the texts ends them")
        func subscriptions() async throws {
            let state: KeyValuePairs = [
                "task": "own", "rest": "GET /departments/d001?fields=departmentName",
                "query": """
                query Two($a: ID!, $b: ID!) { one: department(id: $a) { ...Name } department(id: $b) { id } }
                fragment Name on Department { departmentName }
                """,
                "variables": #"{"a":"d001","b":"d002"}"#,
            ]
            try await withComparison(state) { page in
                try await page.click("#live")
                try await page.wait(
                    until:
                        "document.querySelectorAll('#graphql-live pre:not(:empty), #rest-live pre:not(:empty)').length === 3"
                )
                let titles = try await page.texts(".live-answer .exchange-request")
                #expect(
                    titles == [
                        "GET /departments/d001?fields=departmentName", "subscription one", "subscription department",
                    ])
                let bodies = page.events("Network.requestWillBeSent").compactMap { $0["request"]?["postData"]?.string }
                    .compactMap { try? JSONValue(parsing: Data($0.utf8))["query"]?.string }
                #expect(
                    bodies == [
                        """
                        subscription Two ($a: ID!) { one: department(id: $a) { ...Name } }
                        fragment Name on Department { departmentName }
                        """,
                        "subscription Two ($b: ID!) { department(id: $b) { id } }",
                    ])
                try await page.waitForEvents(3, of: "Network.loadingFailed") {
                    try await page.choose("names", of: "#task")
                }
                #expect(try await page.evaluate(Self.isPressed) == "false")
                // A change cannot be watched.
                try await page.choose("write", of: "#task")
                try await page.click("#live")
                try await page.wait(
                    until: "document.querySelector('#announcement').textContent.includes('only reads can be watched')")
                #expect(try await page.evaluate(Self.isPressed) == "false")
            }
        }
    }
}
