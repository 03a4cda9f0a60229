import DuetJSON
import Foundation
import Testing

extension ExplorerTests {
    @Suite("Running queries")
    struct Running {
        static let employee =
            "query Q($id: ID!) { employee(id: $id) { firstName titles { title } salaries { salary } } }"

        @Test("Ctrl-Enter runs the query and shows the response, its timing and its number of statements")
        func answer() async throws {
            // The test expects the phase `validate`. The server does not validate a cached document again, so the
            // document must be new.
            let query = Self.employee + " # for the first time"
            try await withExplorer(explorer(query: query, variables: "{\"id\": 10004}")) { page in
                try await page.putCaret(behind: "query Q")
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                #expect(try await page.text("#response-status") == "200 OK")
                let answer = try JSONValue(parsing: try await page.text(Part.body).utf8)
                #expect(answer["data"]?["employee"]?["firstName"] == "Chirstian")
                #expect(answer["data"]?["employee"]?["titles"]?.items.first?["title"] == "Senior Engineer")
                let facts = try await page.texts("#response-facts span")
                #expect(facts.count == 3)
                #expect(facts.first?.wholeMatch(of: /[0-9.]+ m?s/) != nil)
                #expect(facts.dropFirst().first == "3 statements")
                #expect(facts.last?.wholeMatch(of: /[0-9,]+ bytes/) != nil)
                #expect(try await page.texts("#response-timing dt") == ["parse", "validate", "plan", "sql", "encode"])
                #expect(
                    try await page.texts("#response-timing .phase-sql dd").first?.hasSuffix("· 3 statements") == true)
                #expect(try await page.evaluate("document.querySelectorAll('.phases-bar > span').length") == 5)
                #expect(try await page.texts("\(Part.body) .token-key").first == "\"data\"")
            }
        }

        @Test("Ctrl-Enter in the variables runs the query")
        func fromVariables() async throws {
            try await withExplorer(explorer(query: Self.employee)) { page in
                try await page.evaluate("document.querySelector('#variables').focus()")
                try await page.type("{\"id\": 404404}")
                #expect(try await page.text(Part.variables) == "{\"id\": 404404}")
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                #expect(try JSONValue(parsing: try await page.text(Part.body).utf8) == ["data": ["employee": nil]])
            }
        }

        @Test("Variables that are not valid JSON are not sent, and the error is shown with its location")
        func wrongVariables() async throws {
            try await withExplorer(explorer(query: Self.employee, variables: "{\"id\": 1,}")) { page in
                #expect(
                    try await page.texts("#variables-problems li") == [
                        "1:10Expected a name in double quotes, but found “}”."
                    ])
                #expect(
                    try await page.evaluate("document.querySelector('#variables').getAttribute('aria-invalid')")
                        == "true")
                let before = page.requests.count
                try await page.press("Enter", .control)
                try await page.wait(until: "document.querySelector('#response-status').dataset.state === 'failed'")
                #expect(page.requests.count == before)
                #expect(
                    try await page.text("#response-status") == "The variables are not a JSON object. Nothing was sent.")
            }
        }

        @Test("Errors of a response are described, and link to their locations in the query")
        func errors() async throws {
            try await withExplorer(explorer(query: "{\n  departments {\n    nonsense\n  }\n}")) { page in
                try await page.click("#run")
                try await page.waitForAnswer()
                #expect(try await page.text("#response-facts").contains("1 error"))
                #expect(try await page.texts("#response-errors .place") == ["3:5"])
                try await page.click("#response-errors button")
                #expect(
                    try await page.evaluate("[document.activeElement.id, document.activeElement.selectionStart]") == [
                        "query", 22,
                    ])
            }
        }

        @Test(
            "If the query has several operations, the page runs the selected one or the one at the cursor")
        func operations() async throws {
            let query = "query One { departments { id } }\nquery Two { employee(id: 10004) { id } }"
            try await withExplorer(explorer(query: query)) { page in
                #expect(try await page.texts("#operation option") == ["at the cursor", "One", "Two"])
                try await page.putCaret(behind: "query Two {")
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                #expect(try await page.text(Part.body).contains("\"employee\""))
                try await page.evaluate(
                    "{ const select = document.querySelector('#operation'); select.value = 'One'; select.dispatchEvent(new Event('change')) }"
                )
                try await page.press("Enter", .control)
                try await page.wait(
                    until: "document.querySelector('#response-body').textContent.includes('departments')")
                #expect(try await page.evaluate("location.hash").string?.contains("operationName=One") == true)
            }
        }

        @Test("A long response is shown completely without syntax highlighting, and has a download button")
        func long() async throws {
            let query =
                "{ employees(first: 1000) { nodes { employeeNumber firstName titles { title fromDate toDate } } } }"
            try await withExplorer(explorer(query: query)) { page in
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                #expect(try await page.text("#response-note") == "This response is too long for colors.")
                #expect(try await page.evaluate("document.querySelector('#response-body').childElementCount") == 0)
                let count = try await page.evaluate(
                    "JSON.parse(document.querySelector('#response-body').textContent).data.employees.nodes.length")
                #expect(count == 1000)
                #expect(try await page.evaluate("document.querySelector('#response-download').hidden") == false)
            }
        }

        @Test("The run button cancels a request in progress")
        func stop() async throws {
            try await withExplorer(explorer(query: "{ departments { id } }")) { page in
                try await page.holdRequests()
                try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                #expect(try await page.text("#run") == "Stop")
                #expect(
                    try await page.evaluate("document.querySelector('#response').getAttribute('aria-busy')") == "true")
                let failure = try await page.waitForEvent("Network.loadingFailed") { try await page.click("#run") }
                #expect(failure["canceled"] == true)
                try await page.wait(until: "document.querySelector('#run').innerText === 'Run'")
                #expect(try await page.text("#response-status") == "You stopped the request.")
            }
        }

        @Test("The page reports an unreachable server")
        func unreachable() async throws {
            try await withExplorer(explorer(query: "{ departments { id } }")) { page in
                try await page.holdRequests()
                let held = try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                try await page.send(
                    "Fetch.failRequest", ["requestId": held["requestId"] ?? .null, "errorReason": "ConnectionRefused"])
                try await page.wait(until: "document.querySelector('#response-status').dataset.state === 'failed'")
                #expect(try await page.text("#response-status").hasPrefix("The server cannot be reached"))
            }
        }

        @Test("Numbers are shown digit for digit as the server sent them")
        func digits() async throws {
            try await withExplorer(explorer(query: "{ departments { id } }")) { page in
                try await page.holdRequests()
                let held = try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                try await page.answer(
                    held, status: 200, mediaType: "application/json",
                    body: #"{"data":{"a":12345678901234567890,"b":1.0,"c":[]}}"#)
                try await page.waitForAnswer()
                #expect(
                    try await page.text(Part.body)
                        == "{\n  \"data\": {\n    \"a\": 12345678901234567890,\n    \"b\": 1.0,\n    \"c\": []\n  }\n}")
            }
        }

        @Test("The parts of an incremental response are shown as one merged response")
        func parts() async throws {
            let query = "{ employee(id: 1) { id ... @defer { titles { title } } } departments @stream { id } }"
            try await withExplorer(explorer(query: query)) { page in
                try await page.holdRequests()
                let held = try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                #expect(held["request"]?["headers"]?["Accept"]?.string?.hasPrefix("multipart/mixed") == true)
                let payloads = [
                    #"{"data":{"employee":{"id":"1"},"departments":[{"id":"a"}]},"pending":[{"id":"0","path":["employee"]},{"id":"1","path":["departments"]}],"hasNext":true}"#,
                    #"{"incremental":[{"id":"0","data":{"titles":[{"title":"Staff"}]}},{"id":"1","items":[{"id":"b"}]}],"completed":[{"id":"0"}],"hasNext":true}"#,
                    #"{"incremental":[{"id":"1","items":[{"id":"c"}]}],"completed":[{"id":"1"}],"hasNext":false}"#,
                ]
                let body =
                    payloads.map { "\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\($0)" }.joined()
                    + "\r\n-----\r\n"
                try await page.answer(held, status: 200, mediaType: "multipart/mixed; boundary=\"-\"", body: body)
                try await page.wait(until: "document.querySelector('#response-facts').textContent.includes('3 parts')")
                #expect(
                    try JSONValue(parsing: try await page.text(Part.body).utf8) == [
                        "data": [
                            "employee": ["id": "1", "titles": [["title": "Staff"]]],
                            "departments": [["id": "a"], ["id": "b"], ["id": "c"]],
                        ]
                    ])
            }
        }

        @Test("Without introspection, queries still run and the docs show the reason for the missing schema")
        func withoutIntrospection() async throws {
            try await withExplorer(
                explorer(query: "{ departments { nonsense } }"),
                introspection: #"{"errors":[{"message":"introspection is off"}]}"#
            ) { page in
                #expect(try await page.text("#docs-page").contains("introspection is off"))
                #expect(try await page.texts("#query-problems li") == [])
                try await page.putCaret(behind: "{ departments {")
                try await page.press(" ", .control)
                #expect(try await page.evaluate("document.querySelector('.completion').hidden") == true)
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                #expect(try await page.text("#response-errors").contains("nonsense"))
            }
        }
    }
}
