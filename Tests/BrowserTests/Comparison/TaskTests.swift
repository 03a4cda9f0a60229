import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("A task")
    struct Tasks {
        @Test(
            "Ctrl-Enter runs both sides and shows what came: statuses, statements, bytes, and that the data is the same"
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

        @Test("Bytes are those of the request and the answer, transferred and decoded")
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

        @Test("Lines next to each other go at once, an empty line waits, and answers below an address belong to it")
        func rounds() async throws {
            let rest = "GET /employees/10004\n\nGET /employees/10004/titles\nGET /employees/10004/salaries"
            let query =
                "{ employee(id: 10004) { employeeNumber firstName lastName titles { title fromDate toDate } salaries { salary fromDate toDate } } }"
            try await withComparison(["task": "own", "rest": rest, "query": query]) { page in
                try await page.runBoth()
                #expect(try await page.cost("Requests") == ["3", "1"])
                #expect(try await page.cost("Rounds, one after the other") == ["2", "1"])
                #expect(try await page.text("#verdict-status") == "Same data: all 57 values are equal.")
                // What waits begins when what it waits for has ended.
                let bars = try await page.evaluate(
                    "[...document.querySelectorAll('#rest-trips .bar')].map((bar) => [...bar.children].map((part) => part.getBoundingClientRect()).map(({ left, right }) => [left, right]))"
                ).items
                #expect(bars.count == 3)
                let isLater = try await page.evaluate(
                    """
                    (([first, second]) => second.querySelector('.bar-waiting').getBoundingClientRect().left \
                      >= first.querySelector('.bar-receiving').getBoundingClientRect().right - 1)\
                    ([...document.querySelectorAll('#rest-trips .bar')])
                    """)
                #expect(isLater == true)
            }
        }

        @Test("Lists are followed from page to page, as far as is wanted, and are one list then")
        func pages() async throws {
            try await withComparison(["task": "pages"]) { page in
                #expect(try await page.text("#pages") == "100")
                try await page.runBoth()
                #expect(try await page.cost("Requests") == ["10", "10"])
                #expect(try await page.cost("Rounds, one after the other") == ["10", "10"])
                #expect(try await page.cost("Values") == ["3,000", "3,000"])
                #expect(try await page.text("#verdict-status") == "Same data: all 3,000 values are equal.")
                try await page.evaluate("document.querySelector('#pages').value = '2'")
                try await page.runBoth()
                #expect(try await page.cost("Values") == ["600", "600"])
                #expect(try await page.evaluate("location.hash") == "#task=pages&pages=2")
                try await page.reload()
                try await page.wait(until: "document.body.dataset.state === 'ready'")
                #expect(try await page.text("#pages") == "2")
                // What is no number of pages is one page.
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

        @Test("Several operations go one after the other, each alone with its variables, by POST and by hash")
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
                        try await page.text("#verdict-status") == "Same data where both have it: 5 values are equal.")
                    if sent == "hash" {
                        let note = try await page.text("#runs-note")
                        #expect(note.hasSuffix("The warm-up run registered the hashes of 3 queries."), "\(note)")
                    }
                }
            }
        }

        @Test(
            "Answers of lines are asked for by Accept, and are a list; that they do not say how many statements is told"
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
                let shown = try await page.text("#rest-trips .trip-body")
                #expect(shown.hasPrefix(#"{"employeeNumber":10001,"hireDate":"#))
                #expect(shown.split(separator: "\n").count == 1000)
            }
        }

        @Test("What one side has and the other leaves out is listed and is no difference, rows too")
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

        @Test("Rows that one side lacks are shown, with their places")
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
            "A row that is missing in the middle is found, and a member may have the name of one that every object has")
        func comparing() async throws {
            try await withComparison { page in
                let found = try await page.evaluate(
                    """
                    import('/comparison/difference.js').then(({ compared }) => {
                      const rows = compared([{ a: 1 }, { a: 2 }, { a: 3 }], [{ a: 1 }, { a: 3 }]);
                      const { same, differences, onlyLeft } = compared({ a: 1, constructor: 2 }, { a: 1 });
                      return [rows.onlyLeft.rows.map(({ path }) => path), same, differences.length, [...onlyLeft.counts]];
                    })
                    """)
                #expect(found == [["[1]"], 1, 0, [["constructor", 1]]])
            }
        }

        @Test("Lists at one address that are asked for in two ways are two, each with its own pages")
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

        @Test("What is created at a list's address is no page of the list, nor is a list that is asked for twice one")
        func created() async throws {
            try await withComparison { page in
                let value = try await page.evaluate(
                    """
                    import('/comparison/rest-side.js').then(({ restValue }) => {
                      const [list, again, creation] = ['GET', 'GET', 'POST'].map((method) => ({ method, target: '/employees?first=1' }));
                      const trip = (line, isNextPage, json) => (
                        { line, isNextPage, json, text: '', status: 200, request: isNextPage ? { ...line, target: '/employees?first=1&after=1' } : line }
                      );
                      return restValue([
                        trip(list, false, [1]), trip(again, false, [1]), trip(creation, false, { a: 3 }), trip(list, true, [2]), trip(again, true, [2]),
                      ]).value;
                    })
                    """)
                #expect(value == [[1, 2], ["a": 3]])
            }
        }

        @Test("What goes wrong while answers are shown is told, and the button runs again")
        func exception() async throws {
            try await withComparison { page in
                try await page.evaluate("document.querySelector('#costs').remove()")
                try await page.runBoth()
                #expect(try await page.text("#announcement").hasPrefix("The page cannot show the answers: "))
            }
        }

        @Test("Differences are told with their places and both values")
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

        @Test("A query that fails, or an address, tells what is wrong, and nothing is compared")
        func failures() async throws {
            let state: KeyValuePairs = [
                "task": "own", "rest": "GET /employees/10004?details=title",
                "query": "{ employee(id: 10004) { nonsense } }",
            ]
            try await withComparison(state) { page in
                try await page.runBoth()
                #expect(try await page.text("#rest-status") == "Status 400")
                #expect(try await page.text("#rest-answers-problems").contains("details knows no title"))
                #expect(try await page.text("#graphql-answers-problems").contains("nonsense"))
                let states = try await page.evaluate(
                    "['rest', 'graphql'].map((side) => document.querySelector(`#${side}-status`).dataset.state)")
                #expect(states == ["wrong", "wrong"])
                let verdict = try await page.text("#verdict-status")
                #expect(
                    verdict.hasPrefix(
                        "REST answers 400 to GET /employees/10004?details=title. GraphQL answers with an error"))
            }
        }

        @Test("What there is not is the same on both sides: 404 and null")
        func unknown() async throws {
            try await withComparison(["task": "unknown"]) { page in
                try await page.runBoth()
                #expect(try await page.texts(".summary") == ["Status 404", "Status 200"])
                #expect(try await page.text("#verdict-status") == "Same data: the one value is equal.")
            }
        }

        @Test("Every task of the list gets the same data from both sides")
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
            "Lines that are no requests, and requests elsewhere, are marked and not sent",
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

        @Test("A run can be stopped by the button that started it; what has come stays, and nothing is compared")
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

        @Test("Another task takes away what the one before has shown")
        func another() async throws {
            try await withComparison { page in
                try await page.runBoth()
                try await page.choose("badge", of: "#task")
                #expect(try await page.texts(".summary") == ["Not run yet.", "Not run yet."])
                #expect(try await page.texts(".trip") == [])
                #expect(try await page.evaluate("document.querySelector('#result').dataset.state") == "empty")
            }
        }

        @Test("Another task ends a run, of which nothing is shown any more", arguments: ["list", "address"])
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
                // An address is read when the browser tells of it, which may be after the end of the request.
                try await page.wait(until: "document.querySelector('#rest').value.startsWith('GET /employees/10004')")
                #expect(try await page.text("#run-word") == "Run both")
                #expect(try await page.texts(".summary") == ["Not run yet.", "Not run yet."])
                #expect(try await page.texts(".trip") == [])
                #expect(try await page.evaluate("document.querySelector('#result').dataset.state") == "empty")
                try await page.send("Fetch.disable")
                try await page.runBoth()
                #expect(try await page.cost("Requests") == ["1", "1"])
            }
        }

        @Test("Round trips of the warm-up are shown once while it runs, and the page's own work is not counted")
        func measuring() async throws {
            try await withComparison(["task": "pages"]) { page in
                try await page.evaluate(
                    """
                    new MutationObserver((changes) => {
                      const count = changes.reduce((sum, { addedNodes }) => sum + addedNodes.length, Number(document.body.dataset.added ?? 0));
                      document.body.dataset.added = count;
                    }).observe(document.querySelector('#rest-trips'), { childList: true })
                    """)
                try await page.runBoth()
                // Some while the warm-up runs, all at its end, and all with marks at the end. Repetitions are not shown.
                let added = try await page.evaluate("document.body.dataset.added").string.flatMap { Int($0) } ?? 0
                #expect((20...30).contains(added), "\(added)")
                let elapsed = try await page.evaluate(
                    """
                    import('/comparison/cost-table.js').then(({ elapsed }) => elapsed([
                      { round: 0, start: 10, end: 14 }, { round: 0, start: 11, end: 15 }, { round: 1, start: 100, end: 102 },
                    ]))
                    """)
                #expect(elapsed == 7)
            }
        }

        @Test("A server that cannot be reached is told on each side")
        func unreachable() async throws {
            try await withComparison { page in
                try await page.send(
                    "Network.emulateNetworkConditions",
                    [
                        "offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
                    ])
                try await page.press("Enter", .control)
                try await page.wait(until: "document.querySelector('#graphql-status').dataset.state === 'failed'")
                #expect(try await page.text("#rest-status").hasPrefix("There is no answer"))
                #expect(try await page.evaluate("document.querySelector('#result').dataset.state") == "empty")
            }
        }
    }
}
