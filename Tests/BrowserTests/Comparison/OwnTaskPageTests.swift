import DuetJSON
import Testing

/// The page at `/` of a server with a file of tasks. One task declares a screen: a list in a second tab.
@Suite("Comparison page with a file of tasks", .browser(with: .ownTasks), .serialized, .timeLimit(.minutes(15)))
struct OwnTaskPageTests {
    @Test("The page opens with the task that the file marks as first, and omits tasks that need a request for each row")
    func tasks() async throws {
        try await withComparison { page in
            #expect(try await page.values(of: "#task option") == ["events", "parcels", "own"])
            try await page.runBoth()
            #expect(try await page.text("#verdict-status") == "Same data: all 3 values are equal.")
        }
    }

    @Test("Both sides load the list of the second tab in several requests, and show HTML as text")
    func screen() async throws {
        try await withComparison(["view": "screen"]) { page in
            #expect(try await page.texts("#views button") == ["A task", "Parcels"])
            #expect(try await page.text("#screen-sentence") == "All <b>parcels</b>.")
            for side in ["rest", "graphql"] {
                try await page.wait(until: "document.querySelectorAll('#\(side)-screen li').length === 3")
                #expect(
                    try await page.texts("#\(side)-screen li").first
                        == #"<i>"A",/B</i> 1"# + "\n" + #"<img src=x onerror="window.hasRun = true">"#)
                let costs = try await page.text("#\(side)-screen-costs")
                #expect(costs.hasPrefix("2 requests · 3 parcels · ") && !costs.contains("thumbnail"), "\(costs)")
            }
            #expect(try await page.evaluate("window.hasRun === undefined") == true)
            #expect(try await page.namedParts().unnamed == [])
        }
    }
}
