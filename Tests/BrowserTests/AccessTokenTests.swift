import DuetJSON
import ProcessTesting
import Testing

/// The pages of a server that requires a token for data.
@Suite(
    "Access token of the pages", .browserRequiringToken, .enabled(if: Nginx.executable != nil), .serialized,
    .timeLimit(.minutes(15)))
struct AccessTokenTests {
    private static let isOpen = "document.querySelector('#access').open"
    private static let note = "#access-note"

    /// Types a token into the view, and waits until the page was loaded again.
    private func enter(_ token: String, _ page: BrowserPage) async throws {
        if try await page.evaluate(Self.isOpen) == false { try await page.click("#access summary") }
        try await page.evaluate("document.querySelector('#access-token').focus()")
        try await page.type(token)
        try await page.waitForEvent("Page.loadEventFired") { try await page.press("Enter") }
    }

    @Test("The explorer asks for a token after a 401, and then sends it with introspection and queries")
    func explorer() async throws {
        try await withExplorer(BrowserTests.explorer(query: "{ departments { id } }")) { page async throws in
            #expect(try await page.evaluate("document.body.dataset.schema") == "unknown")
            #expect(try await page.evaluate(Self.isOpen) == true)
            #expect(try await page.text(Self.note) == "The server requires an access token (401).")
            #expect(try await page.text("#docs-page").contains("A token is required."))
            try await enter("Bearer \(TokenServer.token)", page)
            try await page.wait(until: "document.body.dataset.schema === 'known'")
            #expect(try await page.evaluate(Self.isOpen) == false)
            #expect(try await page.text("#access-state") == "Token in use")
            #expect(try await page.text(Part.query) == "{ departments { id } }")
            try await page.click("#run")
            try await page.waitForAnswer()
            #expect(try await page.text("#response-status") == "200 OK")
            // The token is neither in the address, nor in the text of the page, nor in the history, nor in the field.
            let shown = try await page.evaluate(
                """
                [location.href, document.documentElement.outerHTML, JSON.stringify(localStorage), \
                document.querySelector('#access-token').value].join()
                """
            ).string
            #expect(shown?.contains("anna-token") == false)
            #expect(try await page.evaluate("document.querySelector('#access-token').type") == "password")
        }
    }

    @Test("A refused token is reported with the reason of the server, and can be removed")
    func refused() async throws {
        try await withExplorer { page async throws in
            try await enter("expired", page)
            try await page.wait(until: "document.body.dataset.schema === 'unknown'")
            #expect(
                try await page.text(Self.note) == "The server does not accept the token (401): The token has expired.")
            try await page.waitForEvent("Page.loadEventFired") { try await page.click("#access-remove") }
            try await page.wait(until: "document.body.dataset.schema === 'unknown'")
            #expect(try await page.text(Self.note) == "The server requires an access token (401).")
            #expect(try await page.evaluate("sessionStorage.length") == 0)
        }
    }

    @Test("A text that is not a token is not sent")
    func invalid() async throws {
        try await withExplorer { page async throws in
            let before = page.requests.count
            try await page.evaluate(
                "document.querySelector('#access-token').value = 'two words'; document.querySelector('#access-use').click()"
            )
            #expect(try await page.text(Self.note).hasPrefix("A token consists of letters"))
            #expect(page.requests.count == before)
            #expect(try await page.evaluate("sessionStorage.length") == 0)
        }
    }

    @Test("The copied curl command reads the token from the environment")
    func curl() async throws {
        try await withExplorer(BrowserTests.explorer(query: "{ departments { id } }")) { page async throws in
            try await enter(TokenServer.token, page)
            try await page.wait(until: "document.body.dataset.schema === 'known'")
            let command = try await page.evaluate(
                """
                import('\(BrowserPage.files)/explorer/curl.js').then(({ curlCommand }) => \
                curlCommand('http://x/', { method: 'GET', headers: {}, body: undefined }))
                """)
            #expect(command == "curl 'http://x/' \\\n  -H \"Authorization: Bearer $DUET_TOKEN\"")
        }
    }

    @Test("The page at / loads its tasks, keys, data and pictures with the token, also after a reload of the tab")
    func comparison() async throws {
        try await withComparison(["task": "names", "view": "task"]) { page async throws in
            #expect(try await page.evaluate(Self.isOpen) == true)
            #expect(try await page.text("#announcement").contains("A token is required."))
            try await enter(TokenServer.token, page)
            try await page.wait(until: "document.body.dataset.state === 'ready'")
            #expect(try await page.text("#task") == "names")
            #expect(try await page.evaluate(Self.isOpen) == false)
            try await page.runBoth()
            #expect(try await page.texts(".summary") == ["Status 200", "Status 200"])
            try await page.click("#tab-screen")
            try await page.wait(until: "document.querySelector('#rest-screen img[src^=data]')")
            #expect(
                try await page.evaluate(
                    """
                    (async () => {
                      const image = document.querySelector('#rest-screen img[src]');
                      await image.decode();
                      return image.naturalWidth;
                    })()
                    """) == 112)
            #expect(try await page.evaluate("location.href").string?.contains("anna-token") == false)
            try await page.reload()
            try await page.wait(until: "document.body.dataset.state === 'ready'")
            #expect(try await page.text("#access-state") == "Token in use")
        }
    }

    @Test("The page reports a request that the token does not permit")
    func forbidden() async throws {
        let state: KeyValuePairs = ["task": "own", "rest": "GET /employees/403", "query": "{ departments { id } }"]
        try await withComparison(state) { page async throws in
            try await enter(TokenServer.token, page)
            try await page.wait(until: "document.body.dataset.state === 'ready'")
            #expect(try await page.evaluate(Self.isOpen) == false)
            try await page.runBoth()
            #expect(try await page.evaluate(Self.isOpen) == true)
            #expect(
                try await page.text(Self.note)
                    == "The server refused a request (403). A different token may permit it.")
            try await page.press("Escape")
        }
    }

    @Test("fetchAsCaller sends the token to the page's origin only")
    func otherOrigin() async throws {
        try await withExplorer { page async throws in
            try await enter(TokenServer.token, page)
            try await page.wait(until: "document.body.dataset.schema === 'known'")
            let sent = try await page.evaluate(
                """
                import('\(BrowserPage.files)/explorer/access-token.js').then(async ({ fetchAsCaller }) => {
                  const sent = [];
                  const original = window.fetch;
                  window.fetch = async (address, options) => {
                    sent.push(options?.headers?.Authorization ?? null);
                    return new Response('');
                  };
                  try {
                    for (const address of ['/a', location.origin + '/a', 'https://example.org/a', '//example.org/a']) {
                      await fetchAsCaller(address);
                    }
                  } finally {
                    window.fetch = original;
                  }
                  return sent;
                })
                """)
            let field = JSONValue.string("Bearer \(TokenServer.token)")
            #expect(sent == .array([field, field, .null, .null]))
        }
    }
}

/// The pages of a server that requires no token.
extension ExplorerTests {
    @Suite("Access token without need")
    struct UnusedToken {
        @Test("If no token is needed, the view of the token is closed, and no request has the field Authorization")
        func closed() async throws {
            try await withExplorer { page async throws in
                #expect(try await page.evaluate("document.querySelector('#access').open") == false)
                #expect(try await page.text("#access-state") == "Token")
                let requests = page.events("Network.requestWillBeSent").compactMap { $0["request"] }
                #expect(requests.allSatisfy { $0["headers"]?["Authorization"] == nil })
            }
        }
    }
}
