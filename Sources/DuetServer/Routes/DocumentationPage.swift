import DuetResourceService
import HTTPTypes
import NIOCore

/// The HTML page that lists the routes, similar to the documentation of HTTP-RPC services.
struct DocumentationPage: Sendable {
    private let html: String

    /// Returns the page with the address of the server in its examples.
    /// - Parameters:
    ///   - authority: The authority of the request, which is the address of the server in the examples. An authority is
    ///     ignored if it contains anything other than a host of letters, digits, dots and hyphens, and an optional
    ///     port.
    ///   - scheme: The scheme of the request.
    func html(at authority: String?, scheme: String?) -> ByteBuffer {
        let isPlain = authority.map { $0.wholeMatch(of: /[A-Za-z0-9.\-]+(:[0-9]{1,5})?/) != nil } ?? false
        let address = isPlain ? authority ?? "127.0.0.1:8080" : "127.0.0.1:8080"
        return ByteBuffer(
            string: html.replacing("http://127.0.0.1:8080", with: "\(scheme ?? "http")://\(address)"))
    }

    init(_ table: RouteTable) {
        let examples = ExampleRequests(table.catalogue).targets
        func curl(_ options: String, _ target: String) -> String {
            "curl \(options)'http://127.0.0.1:8080\(target)'".escapedForHTML
        }
        var rows = ""
        for route in table.routes {
            let parameters = route.parameters.map { "<code>\($0)</code>" }.joined(separator: " ")
            rows += """
                <tr><td class="method">\(route.method.rawValue)</td><td><code>\(route.path)</code></td>\
                <td>\(route.summary.escapedForHTML)</td><td>\(parameters)</td></tr>

                """
        }
        html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Duet: routes</title>
            <link rel="stylesheet" href="\(PageFiles.all.path)/comparison/routes.css">
            </head>
            <body>
            <h1>Duet</h1>
            <p>\(table.catalogue.description.escapedForHTML)</p>
            <p>The API has two styles: REST and <a href="/graphql">GraphQL</a> (<a href="/schema.graphql">schema</a>).
            In a browser, <a href="/">the start page</a> compares them. <code>Accept</code> selects JSON, NDJSON or CSV for
            lists; <code>details</code> attaches relations, <code>fields</code> selects members.
            <a href="/openapi.yaml">openapi.yaml</a> (<a href="/openapi.json">JSON</a>) contains the complete contract, and
            <a href="/problems">problems</a> explains the errors.</p>
            <table>
            <thead><tr><th>Method</th><th>Path</th><th>Description</th><th>Query parameters</th></tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>
            <h2>Examples</h2>
            <pre><code>\(curl("", examples.related))
            \(curl("-i ", examples.sorted))
            \(curl("-H 'Accept: text/csv' ", examples.list))</code></pre>
            </body>
            </html>

            """
    }
}

extension String {
    /// The text, escaped as the content of an HTML element. Descriptions can come from comments in the database and can
    /// contain any character.
    fileprivate var escapedForHTML: String { replacing("&", with: "&amp;").replacing("<", with: "&lt;") }
}
