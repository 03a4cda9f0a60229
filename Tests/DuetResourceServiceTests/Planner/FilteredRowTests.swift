import DuetResourceService
import NIOCore
import TestSupport
import Testing

@Suite("Rows that match a filter") struct FilteredRowTests {
    /// Filters of books, and the numbers of the matching books. The book b2 has no year, no price and no editor.
    static let filters: [(query: String, books: [Int])] = [
        ("published=1999", [1, 4]), ("published.ne=1999", [3]), ("published.lt=2001", [1, 4]),
        ("published.lte=2001", [1, 3, 4]), ("published.gt=1999", [3]), ("published.gte=1999", [1, 3, 4]),
        ("published.in=1999&published.in=5", [1, 4]), ("published.null=true", [2]),
        ("published.null=false", [1, 3, 4]),
        ("price=7.25", [3]), ("price.lt=1e1", [3]), ("title=Owls", []), ("title.lt=Lynxes", [2, 4]),
        ("title.like=*e*", [1, 2, 3]), ("title.like=*r*s", [1, 4]), ("title.like=a*", []), ("title.like=Apes", [2]),
        ("language.in=EN&price.null=false", [1, 4]), ("authorName.gt=Ada", [3]),
        // A comparison with NULL is unknown, and the negation of the comparison is also unknown.
        (#"filter={"not":{"published":{"eq":1999}}}"#, [3]), (#"filter={"not":{"published":{"ne":1999}}}"#, [1, 4]),
        (#"filter={"not":{"published":{"null":true}}}"#, [1, 3, 4]),
        (#"filter={"not":{"or":[{"published":{"eq":1999}},{"price":{"gt":100}}]}}"#, [3]),
        (#"filter={"not":{"not":{"price":{"gt":10}}}}"#, [1, 4]),
        (#"filter={"or":[]}"#, []), (#"filter={"not":{"or":[]}}"#, [1, 2, 3, 4]),
        (#"filter={"not":{"not":{"or":[]}}}"#, []), ("filter={}", [1, 2, 3, 4]),
        (#"filter={"published":{"in":[]}}"#, []), (#"filter={"not":{"published":{"in":[]}}}"#, [1, 2, 3, 4]),
        // Relations
        (#"filter={"editor":{"authorNumber":{"null":false}}}"#, [1, 3, 4]),
        (#"filter={"editor":{"name":{"ne":"Ben"}}}"#, [3]),
        (#"filter={"not":{"editor":{"name":{"eq":"Ben"}}}}"#, [2, 3]),
        (#"filter={"author":{"mentor":{"name":{"eq":"Ada"}}}}"#, [3]),
        (#"filter={"copies":{"some":{"isbn":{"null":false}}}}"#, [1, 2, 3]),
        (#"filter={"copies":{"none":{"isbn":{"null":false}}}}"#, [4]),
        (#"filter={"copies":{"some":{"not":{"or":[]}}}}"#, [1, 2, 3]),
        (#"filter={"copies":{"some":{"shelf":{"null":true}}}}"#, [1]),
        (#"filter={"copies":{"none":{"shelf":{"eq":"A"}}}}"#, [2, 4]),
        (#"filter={"not":{"copies":{"some":{"copyNumber":{"gte":1}}}}}"#, [4]),
        (#"filter={"copies":{"some":{"shelf":{"eq":"A"}},"none":{"shelf":{"null":true}}}}"#, [3]),
        (#"filter={"subjects":{"some":{"name":{"eq":"Birds"}}}}"#, [4]),
        (#"filter={"subjects":{"none":{"subjectNumber":{"gt":1}}}}"#, [1, 2, 3]),
        (#"filter={"copies":{"some":{"loans":{"some":{"open":true}}}}}"#, [1, 2]),
        (#"filter={"copies":{"some":{"loans":{"none":{"reader":{"null":false}}}}}}"#, [3]),
        (#"filter={"copies":{"some":{"book":{"title":{"like":"L*"}}}}}"#, [3]),
        (
            #"filter={"or":[{"language":{"eq":"FR"}},{"and":[{"price":{"gte":20}},{"editor":{"name":{"null":false}}}]}]}"#,
            [3, 4]
        ),
    ]

    @Test(
        "A list contains the rows that match the filter, and the count is their number",
        arguments: TestBackend.available)
    func rows(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for (query, books) in Self.filters {
                let rows = books.map { #"{"isbn":"b\#($0)"}"# }.joined(separator: ",")
                let body = try await service.restBody("books?fields=isbn&count=true&\(query)")
                #expect(body == "[\(rows)] of \(books.count)", "\(query)")
            }
        }
    }

    @Test("A filter on related rows selects the same rows as the filter on a list", arguments: TestBackend.available)
    func attachedRows(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for (query, books) in Self.filters where !query.contains("&") && query.hasPrefix("filter") {
                let question = try service.restQuestion(
                    "authors/1?fields=name&details=books&books.fields=isbn&books.sort=title&books.count=true&books.\(query)"
                )
                let body = String(buffer: try await service.answer(question).body)
                // Ada wrote b2 (Apes), b4 (Crows) and b1 (Zebras).
                let own = [2, 4, 1].filter(books.contains)
                let rows = own.map { #"{"isbn":"b\#($0)"}"# }.joined(separator: ",")
                #expect(body.hasPrefix(#"{"name":"Ada","books":{"nodes":[\#(rows)],"#), "\(query): \(body)")
                #expect(body.hasSuffix(#""totalCount":\#(own.count)}}"#), "\(query): \(body)")
            }
        }
    }
}
