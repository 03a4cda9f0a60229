import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("List of people")
    struct People {
        private func waitForPictures(_ page: BrowserPage, _ side: String) async throws {
            try await page.wait(
                until:
                    "document.querySelectorAll('#\(side)-screen img[src]').length > 0 && document.querySelector('#\(side)-screen-costs').textContent !== ''"
            )
        }

        @Test("The page does not request the list of people before the list is visible")
        func unseen() async throws {
            try await withComparison { page in
                try await page.runBoth()
                #expect(page.requests.allSatisfy { !$0.contains("first=30") && !$0.hasSuffix("/thumbnail") })
            }
        }

        @Test("Both sides show the same people and the costs of the request")
        func same() async throws {
            try await withComparison(["task": "names", "view": "screen"]) { page in
                for side in ["rest", "graphql"] { try await waitForPictures(page, side) }
                let rest = try await page.texts("#rest-screen li")
                #expect(rest.count == 30)
                #expect(rest == (try await page.texts("#graphql-screen li")))
                #expect(rest.contains("Chirstian Koblick\nSenior Engineer"))
                for side in ["rest", "graphql"] {
                    let costs = try await page.text("#\(side)-screen-costs")
                    #expect(
                        costs.wholeMatch(
                            of:
                                /1 request · 30 people · [0-9,]+ bytes sent · [0-9,]+ bytes received · 2 statements · \d+ thumbnails/
                        )
                            != nil, "\(costs)")
                }
            }
        }

        @Test("The page loads only thumbnails near the visible area, and scrolling loads more thumbnails and people")
        func lazily() async throws {
            try await withComparison(["task": "names", "view": "screen"]) { page in
                try await waitForPictures(page, "rest")
                let shown =
                    try await page.evaluate("document.querySelectorAll('#rest-screen img[src]').length").integer ?? 0
                #expect((5..<20).contains(shown))
                let asked = Set(page.requests.filter { $0.hasSuffix("/thumbnail") })
                #expect(asked.count < 20)
                // The last of the 30 people is far below the visible area.
                #expect(!asked.contains { $0.hasSuffix("/employees/10030/thumbnail") })
                #expect(
                    try await page.evaluate(
                        "document.querySelector('#rest-screen img').decode().then(() => document.querySelector('#rest-screen img').naturalWidth)"
                    )
                        == 112)
                try await page.evaluate("document.querySelector('#rest-screen').scrollTo(0, 1e6)")
                try await page.wait(until: "document.querySelectorAll('#rest-screen li').length === 60")
                try await page.wait(until: "document.querySelector('#rest-screen li:nth-child(30) img').src !== ''")
                #expect(try await page.text("#rest-screen-costs").hasPrefix("2 requests · 60 people · "))
                // The GraphQL list was not scrolled.
                #expect(try await page.text("#graphql-screen-costs").hasPrefix("1 request · 30 people · "))
            }
        }

        @Test("With only the keyboard, the GraphQL list loads further pages by cursor")
        func keyboard() async throws {
            try await withComparison(["task": "names", "view": "screen"]) { page in
                try await waitForPictures(page, "graphql")
                try await page.evaluate("document.querySelector('#graphql-screen').focus()")
                // The browser scrolls by a key only after it has drawn the list.
                try await page.evaluate(
                    "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
                try await page.press("End")
                try await page.wait(until: "document.querySelectorAll('#graphql-screen li').length >= 60")
                let numbers = try await page.evaluate(
                    "[...document.querySelectorAll('#graphql-screen img')].map((one) => Number(one.dataset.address.split('/')[2]))"
                ).items.compactMap(\.integer)
                #expect(numbers == Array(10_001..<(10_001 + numbers.count)))
            }
        }
    }
}
