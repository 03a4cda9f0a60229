import DuetHTTPServer
import Testing

@Suite struct PathRouterTests {
    static let router = PathRouter([
        .init("/"), .init("/books"), .init("/books/{number}", numbers: ["number"]), .init("/authors/{name}/books"),
        .init("/codes/{number}"), .init("/books/new"), .init("/books/{id}/pages/{page}"), .init("/books/new/drafts"),
        .init("/orders/{orderId},{productId}"), .init("/books/{other}"),
    ])

    /// Returns the position of the template that a target matches, and the values of the parameters.
    private func match(_ target: String, _ parameters: String...) -> [String?] {
        guard let match = Self.router.match(target) else { return [] }
        return [String(match.template)] + parameters.map { match.parameters[$0] }
    }

    @Test("A path matches the template with the same literal segments, and has the values of its parameters")
    func parameters() {
        #expect(match("/") == ["0"] && match("") == ["0"])
        #expect(match("/books") == ["1"] && match("/books?first=1/2") == ["1"])
        #expect(match("/books/7?a", "number", "other") == ["2", "7", nil])
        #expect(match("/authors/a%2Fb/books", "name") == ["3", "a%2Fb"])
        #expect(match("/books/7/pages/12", "id", "page") == ["6", "7", "12"])
        #expect(match("/orders/10248,11", "orderId,productId", "orderId") == ["8", "10248,11", nil])
    }

    @Test("A literal has priority over a parameter, unless the rest of the path matches only below the parameter")
    func priority() {
        #expect(match("/books/new", "number") == ["5", nil])
        #expect(match("/books/new/drafts") == ["7"])
        #expect(match("/books/new/pages/1", "id", "page") == ["6", "new", "1"])
    }

    @Test("Empty segments are ignored, and an escaped slash does not end a segment")
    func segments() {
        #expect(match("//books//7/", "number") == ["2", "7"])
        #expect(match("/books%2F7").isEmpty)
    }

    @Test(
        "A path with more, fewer or other segments matches no template",
        arguments: ["/x", "/authors", "/books/7/x", "*"])
    func unknown(target: String) {
        #expect(match(target).isEmpty)
    }

    @Test("Each of a thousand templates is found")
    func many() {
        let paths = (0..<1000).flatMap { ["/table\($0)", "/table\($0)/{id}"] }
        let router = PathRouter(paths.map { .init($0) })
        for number in 0..<1000 {
            #expect(router.match("/table\(number)")?.template == 2 * number)
            #expect(router.match("/table\(number)/5")?.template == 2 * number + 1)
        }
        #expect(router.match("/table1000") == nil)
    }

    @Test(
        "A path that is not canonical is redirected to the canonical path with the same query",
        arguments: [
            ("//", "/"), ("/books/", "/books"), ("//books", "/books"), ("/b%6foks?a=/%2f", "/books?a=/%2f"),
            ("/x/../books/.", "/books"), ("/books/007", "/books/7"), ("/books/%30%37?", "/books/7?"),
            ("/authors/a%2fb%41/books", "/authors/a%2FbA/books"), ("/authors/007/books/", "/authors/007/books"),
        ])
    func redirection(target: String, location: String) {
        #expect(Self.router.redirection(of: target) == location)
    }

    @Test(
        "A canonical path and a path without a template are not redirected",
        arguments: [
            "/", "/books", "/books?a=//", "/books/7", "/books/7a", "/books/0", "/books/02147483648",
            "/authors/a%2Fb/books", "/nothing/", "//evil.example/", "/books/%2", "/books//#", "books/", "*",
        ])
    func none(target: String) {
        #expect(Self.router.redirection(of: target) == nil)
    }
}
