import DuetHummingbird
import Testing

@Suite struct CanonicalPathsTests {
    static let paths = CanonicalPaths(
        [
            ("/", []), ("/books", []), ("/books/{number}", ["number"]), ("/authors/{name}/books", []),
            ("/codes/{number}", []),
        ] as [(path: String, numbers: Set<String>)])

    @Test(
        "A path that is not canonical is redirected to the canonical path with the same query",
        arguments: [
            ("//", "/"), ("/books/", "/books"), ("//books", "/books"), ("/b%6foks?a=/%2f", "/books?a=/%2f"),
            ("/x/../books/.", "/books"), ("/books/007", "/books/7"), ("/books/%30%37?", "/books/7?"),
            ("/authors/a%2fb%41/books", "/authors/a%2FbA/books"), ("/authors/007/books/", "/authors/007/books"),
        ])
    func redirection(target: String, location: String) {
        #expect(Self.paths.redirection(of: target) == location)
    }

    @Test(
        "A canonical path and a path without a route are not redirected",
        arguments: [
            "/", "/books", "/books?a=//", "/books/7", "/books/7a", "/books/0", "/books/02147483648",
            "/authors/a%2Fb/books", "/nothing/", "//evil.example/", "/books/%2", "/books//#", "books/", "*",
        ])
    func none(target: String) {
        #expect(Self.paths.redirection(of: target) == nil)
    }
}
