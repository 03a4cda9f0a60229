import DuetJSON
import Testing

/// The explorer in a real browser, with the real server.
@Suite("Explorer", .browser, .serialized, .timeLimit(.minutes(15)))
enum ExplorerTests {}

/// The CSS selectors of the parts of the page.
enum Part {
    static let query = "#query"
    static let variables = "#variables"
    static let body = "#response-body"
    static let option = "#completions [role=option]"
}

extension BrowserPage {
    /// Places the cursor in the query after a text.
    func putCaret(behind text: String) async throws {
        let found = try await evaluate(
            """
            (() => {
              const field = document.querySelector('#query');
              const at = field.value.indexOf(\(literal(text)));
              if (at < 0) return false;
              field.focus();
              field.setSelectionRange(at + \(literal(text)).length, at + \(literal(text)).length);
              return true;
            })()
            """)
        guard found == true else { throw Failure(description: "The query does not have: \(text)") }
    }

    /// Waits until the page shows the status of a response.
    func waitForAnswer() async throws {
        try await wait(until: "/^[0-9]/.test(document.querySelector('#response-status').textContent)")
    }

    /// Returns a JavaScript string literal for a text: the text as a JSON string.
    func literal(_ text: String) -> String {
        JSONValue.string(text).compactText
    }
}
