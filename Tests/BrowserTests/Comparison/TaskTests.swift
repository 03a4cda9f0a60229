import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("Tasks")
    struct Tasks {
        @Test(
            "Ctrl-Enter runs both sides and shows the statuses, statements and bytes, and whether the data is equal"
        )
        func both() async throws {
            try await withComparison { page in
                try await page.evaluate("document.querySelector('#rest').focus()")
                try await page.runBoth()
                #expect(try await page.texts(".summary") == ["Status 200", "Status 200"])
                for side in ["rest", "graphql"] {
                    let facts = try await page.facts(side)
                    #expect(facts.count == 1)
                    #expect(
                        facts.first?.wholeMatch(
                            of: /200 · [0-9.]+ m?s · [0-9,]+ bytes · [0-9,]+ decoded · 3 statements/)
                            != nil, "\(facts)")
                }
                #expect(try await page.cost("Requests") == ["1", "1"])
                #expect(try await page.cost("SQL statements") == ["3", "3"])
                #expect(try await page.cost("Values") == ["57", "57"])
                #expect(try await page.text("#verdict-status") == "Same data: all 57 values are equal.")
                #expect(try await page.evaluate("document.activeElement.id") == "rest")
            }
        }

        @Test("The page shows the bytes of the request and of the transferred and decoded response body")
        func bytes() async throws {
            try await withComparison { page in
                try await page.runBoth()
                let target = "/employees/10004?details=titles&details=salaries"
                let body = try await page.evaluate("fetch('\(target)').then((answer) => answer.text())").string ?? ""
                let formatted = try await page.evaluate("(\(body.utf8.count)).toLocaleString('en')").string ?? ""
                #expect(try await page.cost("Response body (decoded)").first == "\(formatted) bytes")
                let packed = try await page.evaluate(
                    "fetch('\(target)').then((answer) => Number(answer.headers.get('Content-Length')).toLocaleString('en'))"
                )
                #expect(try await page.cost("Response body (transferred)").first == "\(packed.string ?? "") bytes")
                let request = "GET \(target) HTTP/1.1\r\nAccept: application/json\r\n\r\n"
                #expect(try await page.cost("Request (line, fields and body)").first == "\(request.utf8.count) bytes")
            }
        }

        @Test(
            "Requests on adjacent lines are sent concurrently, and requests after an empty line wait for responses"
        )
        func rounds() async throws {
            let rest = "GET /employees/10004\n\nGET /employees/10004/titles\nGET /employees/10004/salaries"
            let query =
                "{ employee(id: 10004) { employeeNumber firstName lastName titles { title fromDate toDate } salaries { salary fromDate toDate } } }"
            try await withComparison(["task": "own", "rest": rest, "query": query]) { page in
                try await page.runBoth()
                #expect(try await page.cost("Requests") == ["3", "1"])
                #expect(try await page.cost("Consecutive rounds") == ["2", "1"])
                #expect(try await page.text("#verdict-status") == "Same data: all 57 values are equal.")
                // The request after the empty line starts after the end of the first request.
                let bars = try await page.evaluate(
                    "[...document.querySelectorAll('#rest-exchanges .bar')].map((bar) => [...bar.children].map((part) => part.getBoundingClientRect()).map(({ left, right }) => [left, right]))"
                ).items
                #expect(bars.count == 3)
                let isLater = try await page.evaluate(
                    """
                    (([first, second]) => second.querySelector('.bar-waiting').getBoundingClientRect().left \
                      >= first.querySelector('.bar-receiving').getBoundingClientRect().right - 1)\
                    ([...document.querySelectorAll('#rest-exchanges .bar')])
                    """)
                #expect(isLater == true)
            }
        }

        @Test("The pages of a list are requested up to the given number and merged into one list")
        func pages() async throws {
            try await withComparison(["task": "pages"]) { page in
                #expect(try await page.text("#pages") == "100")
                try await page.runBoth()
                #expect(try await page.cost("Requests") == ["10", "10"])
                #expect(try await page.cost("Consecutive rounds") == ["10", "10"])
                #expect(try await page.cost("Values") == ["3,000", "3,000"])
                #expect(try await page.text("#verdict-status") == "Same data: all 3,000 values are equal.")
                try await page.evaluate("document.querySelector('#pages').value = '2'")
                try await page.runBoth()
                #expect(try await page.cost("Values") == ["600", "600"])
                #expect(try await page.evaluate("location.hash") == "#task=pages&pages=2")
                try await page.reload()
                try await page.wait(until: "document.body.dataset.state === 'ready'")
                #expect(try await page.text("#pages") == "2")
                // An invalid number of pages is replaced by 1.
                try await page.evaluate(
                    "(() => { const pages = document.querySelector('#pages'); pages.value = '-3'; pages.dispatchEvent(new Event('change')); })()"
                )
                #expect(try await page.text("#pages") == "1")
                try await page.choose("pages", of: "#task")
                #expect(try await page.text("#pages") == "100")
                try await page.choose("list", of: "#task")
                #expect(try await page.text("#pages") == "1")
            }
        }

        @Test("Several operations are sent one after another, each with its own variables, by POST and by hash")
        func operations() async throws {
            for sent in ["post", "hash"] {
                let state: KeyValuePairs = [
                    "task": "own", "rest": "GET /employees/10004?fields=lastName&details=titles\nGET /departments/d005",
                    "query": """
                    query One($id: ID!) { employee(id: $id) { ...Name } }
                    query Two { department(id: "d005") { departmentName } }
                    query Three($id: ID!) { employee(id: $id) { titles { title } } department(id: "d005") { departmentNumber } }
                    fragment Name on Employee { lastName }
                    """, "variables": #"{ "One": { "id": "10004" }, "Three": { "id": "10004" } }"#, "sent": sent,
                ]
                try await withComparison(state) { page in
                    try await page.runBoth()
                    #expect(try await page.cost("Requests") == ["2", "3"])
                    #expect(
                        try await page.text("#verdict-status") == "Same data in all common values: 5 values are equal.")
                    if sent == "hash" {
                        let note = try await page.text("#runs-note")
                        #expect(note.hasSuffix("The warm-up run registered the hashes of 3 queries."), "\(note)")
                    }
                }
            }
        }

        @Test(
            "A response in JSON lines is requested with Accept, compared as a list and shown without a statement count"
        )
        func lines() async throws {
            let state: KeyValuePairs = [
                "task": "own", "pages": "100",
                "rest": "GET /employees?fields=employeeNumber,hireDate Accept: application/x-ndjson",
                "query": """
                query($after: String) { employees(first: 1000, after: $after) {
                    nodes { employeeNumber hireDate } pageInfo { hasNextPage endCursor } } }
                """,
            ]
            try await withComparison(state) { page in
                try await page.runBoth()
                #expect(try await page.cost("Requests") == ["1", "1"])
                #expect(try await page.cost("Values") == ["2,000", "2,000"])
                #expect(try await page.cost("SQL statements") == ["–", "1"])
                #expect(try await page.text("#verdict-status") == "Same data: all 2,000 values are equal.")
                let shown = try await page.text("#rest-exchanges .exchange-body")
                #expect(shown.hasPrefix(#"{"employeeNumber":10001,"hireDate":"#))
                #expect(shown.split(separator: "\n").count == 1000)
            }
        }

        @Test("A value or a row that only one side has is listed separately and is not a difference")
        func unused() async throws {
            try await withComparison(wholeHistories) { page in
                try await page.runBoth()
                #expect(
                    try await page.text("#verdict-status").wholeMatch(
                        of: /Same data except for 1 row, which only REST has; \d+ values are equal\./)
                        != nil)
                let listed = try await page.texts("#verdict-unused li")
                #expect(try await page.texts("#verdict-unused h3").count == 1)
                #expect(listed.contains("titles[].fromDate 1 value"))
                #expect(listed.contains("titles[] 1 row with 3 values"))
                #expect(listed.contains("departments[].departmentNumber 1 value"))
            }
        }

        @Test("The page lists the positions of the rows that one side lacks")
        func missingRows() async throws {
            let rest = "GET /employees?first=3&fields=lastName"
            let query = "{ employees(first: 2) { nodes { lastName } } }"
            try await withComparison(["task": "own", "rest": rest, "query": query]) { page in
                try await page.runBoth()
                #expect(
                    try await page.text("#verdict-status")
                        == "Same data except for 1 row, which only REST has; 2 values are equal.")
                #expect(try await page.evaluate("document.querySelector('#verdict-status').dataset.state") == "idle")
                #expect(try await page.texts("#verdict-differences li") == ["[2] a row that only REST has"])
                #expect(try await page.texts("#verdict-unused li") == ["[] 1 row with 1 value"])
            }
        }

        @Test(
            "The comparison finds a missing row inside a list, and supports a member with the name constructor")
        func comparing() async throws {
            try await withComparison { page in
                let found = try await page.evaluate(
                    """
                    import('\(BrowserPage.files)/comparison/difference.js').then(({ compared }) => {
                      const rows = compared([{ a: 1 }, { a: 2 }, { a: 3 }], [{ a: 1 }, { a: 3 }]);
                      const { same, differences, onlyLeft } = compared({ a: 1, constructor: 2 }, { a: 1 });
                      return [rows.onlyLeft.rows.map(({ path }) => path), same, differences.length, [...onlyLeft.counts]];
                    })
                    """)
                #expect(found == [["[1]"], 1, 0, [["constructor", 1]]])
            }
        }

        @Test("Lists with the same path and different query strings are separate, each with its own pages")
        func twoLists() async throws {
            let state: KeyValuePairs = [
                "task": "own",
                "rest": "GET /employees?first=1&fields=lastName\nGET /employees?name=Ge*&first=1&fields=lastName",
                "query":
                    "{ all: employees(first: 2) { nodes { lastName } } some: employees(first: 2, filter: { name: \"Ge*\" }) { nodes { lastName } } }",
                "pages": "2",
            ]
            try await withComparison(state) { page in
                try await page.runBoth()
                #expect(try await page.cost("Requests") == ["4", "1"])
                #expect(try await page.text("#verdict-status") == "Same data: all 4 values are equal.")
            }
        }

        @Test("The response to a POST or to a repeated request is not merged as a page of the list")
        func created() async throws {
            try await withComparison { page in
                let value = try await page.evaluate(
                    """
                    import('\(BrowserPage.files)/comparison/rest-side.js').then(({ restValue }) => {
                      const [list, again, creation] = ['GET', 'GET', 'POST'].map((method) => ({ method, target: '/employees?first=1' }));
                      const exchange = (line, isNextPage, json) => (
                        { line, isNextPage, json, text: '', status: 200, request: isNextPage ? { ...line, target: '/employees?first=1&after=1' } : line }
                      );
                      return restValue([
                        exchange(list, false, [1]), exchange(again, false, [1]), exchange(creation, false, { a: 3 }), exchange(list, true, [2]), exchange(again, true, [2]),
                      ]).value;
                    })
                    """)
                #expect(value == [[1, 2], ["a": 3]])
            }
        }

        @Test("The page reports an exception that occurs while it shows the responses")
        func exception() async throws {
            try await withComparison { page in
                try await page.evaluate("document.querySelector('#costs').remove()")
                try await page.runBoth()
                #expect(try await page.text("#announcement").hasPrefix("The page cannot show the responses: "))
            }
        }

        @Test("The page lists each difference with its path and both values")
        func difference() async throws {
            let rest = "GET /employees/10004?fields=employeeNumber,lastName&details=titles"
            let query = "{ employee(id: 10001) { employeeNumber titles(first: 1) { fromDate } } }"
            try await withComparison(["task": "own", "rest": rest, "query": query]) { page in
                try await page.runBoth()
                #expect(
                    try await page.evaluate("document.querySelector('#verdict-status').dataset.state") == "wrong")
                #expect(
                    try await page.texts("#verdict-differences li").first
                        == "employeeNumber REST 10004, GraphQL 10001")
                #expect(
                    try await page.texts("#verdict-differences li").dropFirst().first?.hasPrefix("titles.length")
                        == true)
            }
        }

        @Test("The page shows the errors of invalid requests and does not compare the sides")
        func failures() async throws {
            let state: KeyValuePairs = [
                "task": "own", "rest": "GET /employees/10004?details=title",
                "query": "{ employee(id: 10004) { nonsense } }",
            ]
            try await withComparison(state) { page in
                try await page.runBoth()
                #expect(try await page.text("#rest-status") == "Status 400")
                #expect(
                    try await page.text("#rest-answers-problems").contains(
                        "the value 'title' of the parameter 'details' is not a relation"))
                #expect(try await page.text("#graphql-answers-problems").contains("nonsense"))
                let states = try await page.evaluate(
                    "['rest', 'graphql'].map((side) => document.querySelector(`#${side}-status`).dataset.state)")
                #expect(states == ["wrong", "wrong"])
                let verdict = try await page.text("#verdict-status")
                #expect(
                    verdict.hasPrefix(
                        "REST returned 400 for GET /employees/10004?details=title. GraphQL returned an error"))
            }
        }

        @Test("A 404 from REST and null from GraphQL are the same data")
        func unknown() async throws {
            try await withComparison(["task": "unknown"]) { page in
                try await page.runBoth()
                #expect(try await page.texts(".summary") == ["Status 404", "Status 200"])
                #expect(try await page.text("#verdict-status") == "Same data: the one value is equal.")
            }
        }

        @Test("Both sides return the same data for every task")
        func tasks() async throws {
            try await withComparison { page in
                let names = try await page.evaluate(
                    "[...document.querySelectorAll('#task option')].map((option) => option.value)"
                ).items.compactMap(\.string)
                #expect(names.count > 13)
                for name in names where name != "own" {
                    try await page.choose(name, of: "#task")
                    try await page.runBoth()
                    #expect(
                        try await page.evaluate("document.querySelector('#verdict-status').dataset.state") == "fine",
                        "\(name)")
                    #expect(try await page.text("#verdict-status").hasPrefix("Same data"), "\(name)")
                }
            }
        }

        @Test(
            "Invalid lines and requests to other origins are marked and not sent",
            arguments: [
                ("FETCH /employees", "1:1"), ("GET /departments\nGET //example.org/", "2:5"),
                ("PATCH /employees/10004 {a}", "1:25"),
            ])
        func wrongLines(text: String, place: String) async throws {
            try await withComparison(["task": "own", "rest": text, "query": "{ departments { id } }"]) { page in
                #expect(try await page.texts("#rest-problems .place") == [place])
                #expect(
                    try await page.evaluate("document.querySelector('#rest').getAttribute('aria-invalid')") == "true")
                let before = page.requests.count
                try await page.press("Enter", .control)
                try await page.wait(until: "document.querySelector('#announcement').textContent !== ''")
                #expect(page.requests.count == before)
                #expect(
                    try await page.text("#announcement")
                        == "Nothing was sent, because the requests or the variables are not valid.")
            }
        }

        @Test("The run button stops a run. Received responses remain, and the sides are not compared")
        func stop() async throws {
            try await withComparison { page in
                try await page.holdRequests()
                try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                #expect(try await page.text("#run-word") == "Stop")
                #expect(try await page.text("#rest-status") == "Status 200")
                #expect(
                    try await page.evaluate("document.querySelector('#graphql-side').getAttribute('aria-busy')")
                        == "true")
                let failure = try await page.waitForEvent("Network.loadingFailed") { try await page.click("#run") }
                #expect(failure["canceled"] == true)
                try await page.wait(until: "document.body.dataset.run === 'idle'")
                #expect(try await page.text("#run-word") == "Run both")
                #expect(try await page.text("#headline") == "You stopped the run.")
                #expect(try await page.text("#graphql-status") == "You stopped the requests.")
                #expect(try await page.evaluate("document.querySelector('#result').dataset.state") == "empty")
            }
        }

        @Test("The selection of another task removes the displayed results")
        func another() async throws {
            try await withComparison { page in
                try await page.runBoth()
                try await page.choose("badge", of: "#task")
                #expect(try await page.texts(".summary") == ["Not run yet.", "Not run yet."])
                #expect(try await page.texts(".exchange") == [])
                #expect(try await page.evaluate("document.querySelector('#result').dataset.state") == "empty")
            }
        }

        @Test(
            "The selection of another task stops the run and removes the results of the run",
            arguments: ["list", "address"])
        func dropped(by way: String) async throws {
            try await withComparison(["task": "pages", "pages": "2"]) { page in
                try await page.holdRequests()
                try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                let failure = try await page.waitForEvent("Network.loadingFailed") {
                    if way == "list" {
                        try await page.choose("names", of: "#task")
                    } else {
                        try await page.evaluate("location.hash = '#task=names'")
                    }
                }
                #expect(failure["canceled"] == true)
                // The browser reports a changed address asynchronously, possibly after the end of the request.
                try await page.wait(until: "document.querySelector('#rest').value.startsWith('GET /employees/10004')")
                #expect(try await page.text("#run-word") == "Run both")
                #expect(try await page.texts(".summary") == ["Not run yet.", "Not run yet."])
                #expect(try await page.texts(".exchange") == [])
                #expect(try await page.evaluate("document.querySelector('#result').dataset.state") == "empty")
                try await page.send("Fetch.disable")
                try await page.runBoth()
                #expect(try await page.cost("Requests") == ["1", "1"])
            }
        }

        @Test("Repeated runs add no requests to the page, and the elapsed time excludes the time between rounds")
        func measuring() async throws {
            try await withComparison(["task": "pages"]) { page in
                try await page.evaluate(
                    """
                    new MutationObserver((changes) => {
                      const count = changes.reduce((sum, { addedNodes }) => sum + addedNodes.length, Number(document.body.dataset.added ?? 0));
                      document.body.dataset.added = count;
                    }).observe(document.querySelector('#rest-exchanges'), { childList: true })
                    """)
                try await page.runBoth()
                // The page inserts the exchanges three times: some of them during the warm-up, all of them after the
                // warm-up, and all of them with marks at the end. It inserts none during repeated runs.
                let added = try await page.evaluate("document.body.dataset.added").string.flatMap { Int($0) } ?? 0
                #expect((20...30).contains(added), "\(added)")
                let elapsed = try await page.evaluate(
                    """
                    import('\(BrowserPage.files)/comparison/costs.js').then(({ elapsed }) => elapsed([
                      { round: 0, start: 10, end: 14 }, { round: 0, start: 11, end: 15 }, { round: 1, start: 100, end: 102 },
                    ]))
                    """)
                #expect(elapsed == 7)
            }
        }

        @Test("Each side reports an unreachable server")
        func unreachable() async throws {
            try await withComparison { page in
                try await page.send(
                    "Network.emulateNetworkConditions",
                    [
                        "offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
                    ])
                try await page.press("Enter", .control)
                try await page.wait(until: "document.querySelector('#graphql-status').dataset.state === 'failed'")
                #expect(try await page.text("#rest-status").hasPrefix("There is no response"))
                #expect(try await page.evaluate("document.querySelector('#result').dataset.state") == "empty")
            }
        }
    }
}
