import DuetJSON
import Testing

/// The page at `/` of a server whose database is not employees: a table of parcels, whose key has two columns, and two
/// levels of related tables. Some texts in the database look like HTML.
@Suite("Comparison page on another database", .browser(with: .parcels), .serialized, .timeLimit(.minutes(15)))
struct ForeignPageTests {
    private static let names = [
        "one", "list", "one-with-relations", "one-with-relations-by-resource", "list-with-relation", "three-levels",
        "search", "pages", "totals", "totals-of-rows", "own",
    ]

    @Test("The page offers tasks of the API description. In each task, both sides receive the same data")
    func tasks() async throws {
        try await withComparison(["fresh": "yes"]) { page in
            #expect(try await page.values(of: "#task option") == Self.names)
            #expect(try await page.texts("#task option").contains("Show one parcel with its events and items."))
            for name in Self.names where name != "own" {
                try await page.choose(name, of: "#task")
                try await page.runBoth()
                #expect(try await page.texts(".summary") == ["Status 200", "Status 200"], "\(name)")
                let verdict = try await page.text("#verdict-status")
                #expect(verdict.hasPrefix("Same data"), "\(name): \(verdict)")
            }
        }
    }

    @Test("The page merges the responses for related rows into their row, even if the row has a composite key")
    func byResource() async throws {
        try await withComparison(["task": "one-with-relations-by-resource"]) { page in
            try await page.runBoth()
            #expect(try await page.cost("Requests") == ["3", "1"])
            #expect(try await page.text("#verdict-status").hasPrefix("Same data"))
        }
        let state: KeyValuePairs = [
            "task": "own",
            "rest": "GET /parcels?fields=depot,number\n\nGET /parcels/west,2/events?fields=what",
            "query": "{ parcels { nodes { depot number } } }",
        ]
        try await withComparison(state) { page in
            try await page.runBoth()
            #expect(try await page.texts("#verdict-unused li") == ["[].events 2 values"])
        }
    }

    @Test(
        "Groups and aggregates of both styles are the same data. A table shows the groups with their texts on both sides"
    )
    func groups() async throws {
        let state: KeyValuePairs = [
            "task": "own",
            "rest":
                "GET /parcels?group=depot&aggregate=count,number.sum,number.max\nGET /parcels?aggregate=count\nGET /parcels?aggregate=note.max",
            "query":
                "{ parcelsGroups(groupBy: [{depot: VALUE}]) { nodes { key { depot } count number { sum } } } a: parcelsAggregate { count } b: parcelsAggregate { note { max } } }",
        ]
        try await withComparison(state, phoneWidth: 360) { page in
            try await page.runBoth()
            #expect(try await page.text("#verdict-status").hasPrefix("Same data in all common values: 8 values are"))
            #expect(try await page.texts("#verdict-unused li") == ["[][].number.max 2 values"])
            for side in ["rest", "graphql"] {
                let isREST = side == "rest"
                let names = ["depot", "count", "number.sum"] + (isREST ? ["number.max"] : [])
                let table = "#\(side)-exchanges .groups"
                #expect(try await page.texts("\(table) caption") == ["2 groups"])
                #expect(try await page.texts("\(table) th") == names)
                let rows = [[#"<i>"A",/B</i>"#, "1", "1"], ["west", "2", "5"]]
                let cells = isREST ? zip(rows, ["1", "3"]).flatMap { $0 + [$1] } : rows.flatMap(\.self)
                #expect(try await page.texts("\(table) td") == cells)
            }
            // The other side omits the maximum.
            #expect(try await page.texts("#rest-exchanges mark").contains { $0.contains("number.max") })
            #expect(try await page.namedParts().unnamed == [])
            #expect(try await page.faintTexts()["faint"] == [])
            #expect(try await page.evaluate("document.documentElement.scrollWidth").integer == 360)
        }
    }

    @Test("Texts of the database that look like HTML are shown as text and not executed")
    func untrusted() async throws {
        try await withComparison(["task": "one-with-relations"]) { page in
            #expect(try await page.text("#rest").contains("GET /parcels/%3Ci%3E%22A%22%2C%2FB%3C%2Fi%3E,1?"))
            try await page.runBoth()
            for side in ["rest", "graphql"] {
                let answer = try await page.text("#\(side)-exchanges .exchange-body")
                #expect(answer.contains(#"<i>\"A\",/B</i>"#), "\(answer)")
                #expect(answer.contains("<script>window.hasRun = true</script>"))
            }
            #expect(try await page.evaluate("window.hasRun === undefined") == true)
            #expect(try await page.evaluate("document.querySelectorAll('main script, main i, main img').length") == 0)
        }
    }

    @Test("The page has no second tab and no text about employees")
    func foreign() async throws {
        try await withComparison(["view": "screen"]) { page in
            try await page.runBoth()
            #expect(try await page.evaluate("location.hash") == "#task=one")
            #expect(try await page.evaluate("document.querySelector('#panel-task').checkVisibility()") == true)
            for selector in ["#views", "#panel-screen", "#task-note"] {
                let isSeen = try await page.evaluate(
                    "((one) => one.checkVisibility() && one.innerText !== '')(document.querySelector('\(selector)'))")
                #expect(isSeen == false, "\(selector)")
            }
            let text = try await page.evaluate(
                "document.body.innerText + [...document.querySelectorAll('textarea')].map((one) => one.value)")
            #expect(text.string?.contains(/employee|people|10004|department/.ignoresCase()) == false)
            #expect(page.requests.allSatisfy { !$0.contains("/employees") })
            // The database is read-only, so there are no writes to try.
            #expect(page.requests.allSatisfy { !$0.contains("write-trial") })
            #expect(try await page.evaluate("document.querySelector('#keep') === null") == true)
        }
    }

    @Test("The page shows the SQL of a request if the server runs with --debug-statements")
    func statements() async throws {
        try await withComparison(["task": "one-with-relations"]) { page in
            try await page.runBoth()
            for side in ["rest", "graphql"] {
                try await page.click("#\(side)-exchanges .statements summary")
                try await page.wait(until: "document.querySelector('#\(side)-exchanges .sql')")
                #expect(try await page.texts("#\(side)-exchanges .sql").first?.contains("FROM parcels") == true)
            }
        }
    }

    @Test("Controls have accessible names, texts have sufficient contrast, and all content fits the width of a phone")
    func accessibility() async throws {
        try await withComparison(phoneWidth: 360) { page in
            try await page.click("#run")
            try await page.waitForBoth()
            #expect(try await page.namedParts().unnamed == [])
            #expect(try await page.faintTexts()["faint"] == [])
            #expect(try await page.evaluate("document.documentElement.scrollWidth").integer == 360)
        }
    }

    @Test("Screenshots show a task with its SQL", arguments: BrowserPage.Screen.all)
    func picture(screen: BrowserPage.Screen) async throws {
        try await withComparison(["task": "three-levels"], phoneWidth: screen.phoneWidth) { page in
            if screen.isDark { try await page.setDark() }
            try await page.click("#run")
            try await page.waitForBoth()
            for side in ["rest", "graphql"] {
                try await page.click("#\(side)-exchanges .statements summary")
                try await page.wait(until: "document.querySelector('#\(side)-exchanges .sql')")
            }
            try await page.keep("other-database", screen)
        }
    }
}

extension BrowserPage {
    /// Returns the values of all elements that match a selector.
    func values(of selector: String) async throws -> [String] {
        try await evaluate("[...document.querySelectorAll('\(selector)')].map((one) => one.value)").items
            .compactMap(\.string)
    }
}
