import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("State of the comparison page")
    struct State {
        @Test(
            "The URL contains the selected task or the custom requests, and a reload restores the page"
        )
        func address() async throws {
            try await withComparison { page in
                try await page.choose("search", of: "#task")
                try await page.choose("hash", of: "#sent")
                #expect(try await page.evaluate("location.hash") == "#task=search&sent=hash")
                #expect(try await page.text("#rest").hasPrefix("GET /employees?name=Ge*"))
                try await page.reload()
                try await page.wait(until: "document.body.dataset.state === 'ready'")
                #expect(try await page.text("#task") == "search")
                #expect(try await page.text("#sent") == "hash")
                #expect(try await page.text("#variables").contains("hiredAfter"))

                try await page.evaluate(
                    "document.querySelector('#rest').focus(), document.querySelector('#rest').setSelectionRange(0, 99999)"
                )
                try await page.type("GET /departments")
                try await page.wait(until: "location.hash.startsWith('#task=own&rest=GET+%2Fdepartments&')")
                #expect(try await page.text("#task") == "own")
                try await page.reload()
                try await page.wait(until: "document.body.dataset.state === 'ready'")
                #expect(try await page.text("#rest") == "GET /departments")
                #expect(try await page.text("#task") == "own")
            }
        }

        @Test(
            "If the tasks cannot be loaded, the page shows the reason, and custom requests can be sent",
            arguments: [
                (200, "[{", "The tasks cannot be loaded: "),
                (418, #"{"detail":"there is no tea"}"#, "The tasks cannot be loaded: there is no tea. Reload"),
                (418, "tea", "The tasks cannot be loaded: the server returned 418. Reload"),
            ])
        func unreadableTasks(status: Int, body: String, message: String) async throws {
            try await withBrowserPage(sourceLocation: #_sourceLocation) { page in
                try await page.holdRequests(to: "*/comparison/tasks.json")
                let held = try await page.waitForEvent("Fetch.requestPaused") {
                    try await page.open(
                        "/#task=own&rest=GET+%2Fdepartments&query=%7Bdepartments%7BdepartmentName%7D%7D")
                }
                try await page.answer(held, status: status, mediaType: "application/json", body: body)
                try await page.wait(until: "document.body.dataset.state === 'ready'")
                #expect(try await page.text("#announcement").hasPrefix(message))
                #expect(try await page.text("#task-note").isEmpty)
                try await page.runBoth()
                #expect(try await page.text("#verdict-status").hasPrefix("Same data"))
            }
        }

        @Test(
            "Tasks that need a request for each row are omitted, and the page reports if no tasks remain"
        )
        func requestsForEachRow() async throws {
            try await withBrowserPage(sourceLocation: #_sourceLocation) { page in
                try await page.holdRequests(to: "*/comparison/tasks.json")
                let held = try await page.waitForEvent("Fetch.requestPaused") { try await page.open("/") }
                let tasks = #"""
                    [{"name":"each","sentence":"Each.","rest":["GET /departments","","GET /departments/{departmentNumber}/managers"],
                      "graphql":["{ departments { departmentNumber } }"]}]
                    """#
                try await page.answer(held, status: 200, mediaType: "application/json", body: tasks)
                try await page.wait(until: "document.body.dataset.state === 'ready'")
                #expect(try await page.texts("#task option") == ["Your own task: write requests on both sides."])
                #expect(try await page.text("#task-note").hasPrefix("Each task of the server needs"))
            }
        }

        @Test("A changed URL fragment changes the state of the page without a reload")
        func fragment() async throws {
            try await withComparison { page in
                try await page.evaluate("location.hash = '#task=list'")
                try await page.wait(until: "document.querySelector('#task').value === 'list'")
                #expect(try await page.text("#rest").hasPrefix("GET /employees?first=100"))
            }
        }

        @Test("The skip link moves the focus to the task, and does not change the requests or the URL")
        func skipLink() async throws {
            let state: KeyValuePairs = ["task": "own", "rest": "GET /departments", "query": "{ departments { id } }"]
            try await withComparison(state) { page in
                let address = try await page.evaluate("location.href")
                try await page.followSkipLink()
                #expect(try await page.evaluate("document.activeElement.id") == "task")
                #expect(try await page.text("#rest") == "GET /departments")
                #expect(try await page.evaluate("location.href") == address)
            }
        }

        @Test("On both sides, the copied curl command returns the responses of the requests")
        func curl() async throws {
            let state: KeyValuePairs = [
                "task": "own", "rest": "GET /employees/10004?fields=lastName\nGET /employees?name=O'*&first=1",
                "query": "query Q($id: ID!) { employee(id: $id) { lastName } }", "variables": "{\"id\": \"10004\"}",
            ]
            try await withComparison(state) { page in
                try await page.setPermission("clipboard-write", "granted")
                try await page.setPermission("clipboard-read", "granted")
                try await page.click("#rest-curl")
                try await page.wait(until: "document.querySelector('#announcement').textContent.includes('clipboard')")
                let rest = try await page.evaluate("navigator.clipboard.readText()").string ?? ""
                let answers = try await output(of: rest)
                #expect(answers.hasPrefix("{\"lastName\":\"Koblick\"}["))
                for sent in ["post", "hash"] {
                    try await page.choose(sent, of: "#sent")
                    try await page.evaluate("document.querySelector('#announcement').textContent = ''")
                    // A hash is valid only after its registration.
                    if sent == "hash" { try await page.runBoth() }
                    try await page.click("#graphql-curl")
                    try await page.wait(
                        until: "document.querySelector('#announcement').textContent.includes('clipboard')")
                    let command = try await page.evaluate("navigator.clipboard.readText()").string ?? ""
                    #expect(command.contains("sha256Hash") == (sent == "hash"))
                    let answer = try await output(of: command)
                    #expect(answer == #"{"data":{"employee":{"lastName":"Koblick"}}}"#)
                }
            }
        }
    }
}
