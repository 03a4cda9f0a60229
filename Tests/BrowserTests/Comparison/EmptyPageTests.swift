import DuetJSON
import DuetSQLDatabase
import Testing

/// The page at `/` of a server whose database has no rows.
@Suite("Comparison page on an empty database", .browser(with: .empty), .serialized, .timeLimit(.minutes(15)))
struct EmptyPageTests {
    @Test(
        "With an empty database, the page has no tasks, but sends custom requests, and undoes writes. Later it has tasks"
    )
    func empty() async throws {
        let database = try #require(BrowserTrait.running?.database)
        try await withComparison { page in
            #expect(try await page.values(of: "#task option") == ["own"])
            #expect(
                try await page.text("#task-note").hasPrefix("There are no tasks, because no table with a key has rows.")
            )
            #expect(try await page.text("#rest").isEmpty)
            try await page.press("Enter", .control)
            try await page.wait(until: "document.querySelector('#announcement').textContent !== ''")
            #expect(try await page.text("#announcement").hasPrefix("Nothing was sent"))
        }
        let own: KeyValuePairs = [
            "task": "own", "rest": #"POST /notes {"id":1,"text":"own"}"#,
            "query": "mutation { createNote(input: {id: 1, text: \"own\"}) { note { id text } errors { message } } }",
        ]
        try await withComparison(own) { page in
            try await page.runBoth()
            #expect(try await page.text("#task-note").contains("undoes both changes"))
            #expect(try await page.texts(".summary") == ["Status 201", "Status 200"])
            #expect(try await page.text("#announcement").isEmpty)
        }
        let state: KeyValuePairs = ["task": "own", "rest": "GET /notes", "query": "{ notes { nodes { text } } }"]
        try await withComparison(state) { page in
            try await page.runBoth()
            #expect(try await page.texts(".summary") == ["Status 200", "Status 200"])
            try await database.write { try $0.executeScript("INSERT INTO notes VALUES (1, 'first')") }
            try await page.reload()
            try await page.wait(until: "document.body.dataset.state === 'ready'")
            #expect(
                try await page.values(of: "#task option") == [
                    "one", "list", "search", "pages", "create", "update", "delete", "own",
                ])
            #expect(try await page.text("#task-note").isEmpty)
            try await page.choose("one", of: "#task")
            try await page.runBoth()
            #expect(try await page.text("#verdict-status").hasPrefix("Same data"))
        }
    }
}
