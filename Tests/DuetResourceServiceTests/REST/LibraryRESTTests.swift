import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import NIOCore
import TestSupport
import Testing

@Suite("The library example over REST") struct LibraryRESTTests {
    static let answers: [(String, String)] = [
        ("authors/1", #"{"authorNumber":1,"name":"Ada","born":"1815-12-10"}"#),
        (
            "authors/2?fields=name&details=mentor,students",
            #"{"name":"Ben","mentor":{"authorNumber":1,"name":"Ada","born":"1815-12-10"},"students":[{"authorNumber":4,"name":"O'Dee *","born":null}]}"#
        ),
        ("authors/1?fields=name&details=mentor", #"{"name":"Ada","mentor":null}"#),
        (
            "authors/1?fields=name&details=books,editedBooks&books.fields=title&editedBooks.fields=title",
            #"{"name":"Ada","books":[{"title":"Apes"},{"title":"Crows"},{"title":"Zebras"}],"editedBooks":[{"title":"Lynxes"}]}"#
        ),
        (
            "authors?fields=name&details=books.copies.loans&books.fields=isbn&books.first=1&books.copies.fields=copyNumber&books.copies.loans.fields=reader&called=*e*",
            #"[{"name":"Ben","books":[{"isbn":"b3","copies":[{"copyNumber":1,"loans":[]}]}]},{"name":"Cleo","books":[]},{"name":"O'Dee *","books":[]}]"#
        ),
        (
            "copies/b1,1?details=loans",
            #"{"isbn":"b1","copyNumber":1,"shelf":"A","loans":[{"lentOn":"2021-01-01","reader":"Fay","returnedOn":null},{"lentOn":"2020-01-01","reader":"Eve","returnedOn":"2020-02-01"}]}"#
        ),
        ("copies/b1,1/loans?open=true", #"[{"lentOn":"2021-01-01","reader":"Fay","returnedOn":null}]"#),
        (
            "copies?details=loans,book&fields=copyNumber&loans.fields=reader&loans.first=1&book.fields=title,authorName",
            #"[{"copyNumber":1,"loans":[{"reader":"Fay"}],"book":{"title":"Zebras","authorName":"Ada"}},{"copyNumber":2,"loans":[{"reader":"Gil"}],"book":{"title":"Zebras","authorName":"Ada"}},{"copyNumber":1,"loans":[{"reader":"Eve"}],"book":{"title":"Apes","authorName":"Ada"}},{"copyNumber":1,"loans":[],"book":{"title":"Lynxes","authorName":"Ben"}}]"#
        ),
        (
            "subjects?details=books&books.fields=isbn&books.count=true",
            #"[{"subjectNumber":1,"name":"Animals","books":{"nodes":[{"isbn":"b1"},{"isbn":"b2"}],"pageInfo":{"hasNextPage":true,"hasPreviousPage":false,"startCursor":"S","endCursor":"E"},"totalCount":4}},{"subjectNumber":2,"name":"Birds","books":{"nodes":[{"isbn":"b4"}],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":"S","endCursor":"E"},"totalCount":1}},{"subjectNumber":3,"name":"Empty","books":{"nodes":[],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":null,"endCursor":null},"totalCount":0}}]"#
        ),
        (
            "subjects/1/books?fields=title&sort=-published,title&count=true",
            #"[{"title":"Lynxes"},{"title":"Crows"}] of 4 next N"#
        ),
        ("books?fields=isbn&sort=published&first=2", #"[{"isbn":"b2"},{"isbn":"b1"}] next N"#),
        ("books?fields=isbn&sort=-published&first=3", #"[{"isbn":"b3"},{"isbn":"b4"},{"isbn":"b1"}] next N"#),
        ("books?fields=isbn&published.null=true", #"[{"isbn":"b2"}]"#),
        ("books?fields=isbn&published.gte=2000", #"[{"isbn":"b3"}]"#),
        ("books?fields=isbn&language=FR", #"[{"isbn":"b3"}]"#),
        ("books?fields=isbn&isbn.in=b1&isbn.in=b3", #"[{"isbn":"b1"},{"isbn":"b3"}]"#),
        ("books?fields=isbn&authorName.like=A*&price.gt=10.5", #"[{"isbn":"b4"}]"#),
        (
            #"books?fields=isbn&filter={"or":[{"language":{"eq":"FR"}},{"copies":{"some":{"shelf":{"null":true}}}}]}"#,
            #"[{"isbn":"b1"},{"isbn":"b3"}]"#
        ),
        (
            #"books?fields=isbn&filter={"copies":{"none":{"loans":{"some":{"isbn":{"null":false}}}}}}&count=true"#,
            #"[{"isbn":"b3"},{"isbn":"b4"}] of 2"#
        ),
        (#"books?fields=isbn&filter={"not":{"author":{"name":{"eq":"Ada"}}}}"#, #"[{"isbn":"b3"}]"#),
        (
            #"authors?fields=name&filter={"not":{"students":{"some":{"authorNumber":{"null":false}}}}}&count=true"#,
            #"[{"name":"Cleo"},{"name":"O'Dee *"}] of 2"#
        ),
        (
            #"books?fields=isbn&filter={"not":{"editor":{"authorNumber":{"null":false}}}}&count=true"#,
            #"[{"isbn":"b2"}] of 1"#
        ),
        (#"books?fields=isbn&filter={"isbn":{"in":[]}}&count=true"#, "[] of 0"),
        (#"books?fields=isbn&filter={"not":{"isbn":{"in":[]}}}&first=1"#, #"[{"isbn":"b1"}] next N"#),
        ("copies/b1,1/loans?fields=reader&count=true", #"[{"reader":"Fay"},{"reader":"Eve"}] of 2"#),
        ("books?fields=isbn&sort=title,title,-title&first=1", #"[{"isbn":"b2"}] next N"#),
        (#"authors?fields=name&name.like=*\**"#, #"[{"name":"O'Dee *"}]"#),
    ]

    @Test("A catalog alone is sufficient to serve REST requests", arguments: TestBackend.available)
    func answers(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service in
            for (target, expected) in Self.answers {
                var body = try await service.restBody(target)
                body.replace(/"startCursor":"[^"]*"/, with: #""startCursor":"S""#)
                body.replace(/"endCursor":"[^"]*"/, with: #""endCursor":"E""#)
                body.replace(/\ next .*/, with: " next N")
                #expect(body == expected, "\(target)")
            }
        }
    }

    @Test("The pages of a list together contain each row once, for any sort order", arguments: TestBackend.available)
    func pages(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service in
            for sort in ["", "published", "-published", "price,title", "-price,-title", "published,-price", "-title"] {
                let query = "fields=isbn" + (sort.isEmpty ? "" : "&sort=\(sort)")
                let whole = try await service.restBody("books?\(query)")
                var rows: [String] = []
                var after = ""
                repeat {
                    let page = try await service.restBody("books?\(query)&first=1\(after)")
                    let parts = page.split(separator: " next ")
                    rows.append(String(parts[0].dropFirst().dropLast()))
                    after = parts.count > 1 ? "&after=\(parts[1])" : ""
                } while !after.isEmpty && rows.count < 10
                #expect("[\(rows.joined(separator: ","))]" == whole, "sort=\(sort)")
            }
        }
    }

    static let refusals: [(String, code: String, parameter: String)] = [
        ("books?colour=red", "unknown-parameter", "colour"), ("books?title.foo=1", "unknown-parameter", "title.foo"),
        ("books?published.like=1*", "unknown-parameter", "published.like"),
        ("books?copies.first=1", "invalid-parameter", "copies.first"),
        ("books?details=copies&copies.after=x", "unknown-parameter", "copies.after"),
        ("books?details=copies&copies.page=true", "unknown-parameter", "copies.page"),
        ("authors?details=books&books.page=maybe", "invalid-parameter", "books.page"),
        ("authors?details=books.nothing", "invalid-parameter", "details"),
        ("authors?details=mentor&mentor.name=Ada", "unknown-parameter", "mentor.name"),
        ("authors/1?name=Ada", "unknown-parameter", "name"), ("authors/0", "invalid-parameter", "authorNumber"),
        ("books?published=1.5", "invalid-parameter", "published"), ("books?price=x", "invalid-parameter", "price"),
        ("books?language=DE", "invalid-parameter", "language"),
        ("authors?born=1990-02-30", "invalid-parameter", "born"),
        ("books?title=a&title=b", "repeated-parameter", "title"), ("books?sort=isbn", "invalid-parameter", "sort"),
        ("books?filter=[]", "invalid-parameter", "filter"), ("books?filter={", "invalid-parameter", "filter"),
        (#"books?filter={"isbn":{"eq":1}}"#, "invalid-parameter", "filter.isbn.eq"),
        (#"books?filter={"colour":{"eq":1}}"#, "invalid-parameter", "filter"),
        (#"books?filter={"copies":{"every":{}}}"#, "invalid-parameter", "filter.copies"),
        (#"books?filter={"or":{}}"#, "invalid-parameter", "filter.or"),
        (#"books?filter={"published":{"in":3}}"#, "invalid-parameter", "filter.published.in"),
        (#"books?filter={"published":{"null":1}}"#, "invalid-parameter", "filter.published.null"),
        ("authors?details=" + String(repeating: "mentor.", count: 20) + "mentor", "invalid-parameter", "details"),
        (
            #"books?filter={"isbn":{"in":["# + String(repeating: #""a","#, count: 100) + #""a"]}}"#,
            "invalid-parameter", "filter.isbn.in"
        ),
        ("books?after=WzEsMl0", "invalid-cursor", "after"),
        ("copies/b1,0", "invalid-parameter", "copyNumber"),
    ]

    @Test("An invalid request is an error that names the parameter")
    func refusals() async throws {
        try await Library.withService(.sqlite) { service in
            for (target, code, parameter) in Self.refusals {
                let error = await #expect(throws: ServiceError.self, "\(target)") {
                    _ = try await service.restBody(target)
                }
                #expect(error?.code.rawValue == code, "\(target): \(String(describing: error?.detail))")
                #expect(error?.parameter == parameter, "\(target): \(String(describing: error?.detail))")
            }
            let depth =
                String(repeating: #"{"not":"#, count: 11) + #"{"isbn":{"eq":"b1"}}"# + String(repeating: "}", count: 11)
            let error = await #expect(throws: ServiceError.self) {
                _ = try await service.restBody("books?filter=\(depth)")
            }
            #expect(error?.detail.contains("more than 10 nested objects") == true)
        }
    }

    @Test(
        "A cursor is rejected by every other list, including a list with the same name and order",
        arguments: TestBackend.available)
    func cursors(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service in
            /// Returns the end cursor of the page of related rows in a response.
            func cursor(_ target: String) async throws -> String {
                let body = try await service.restBody(target)
                return String(try #require(body.firstMatch(of: /"endCursor":"([^"]+)"/)).1)
            }
            let page = "details=books&books.page=true&books.first=1"
            let ofSubjects = try await cursor("subjects?\(page)&books.sort=title")
            let ofAuthors = try await cursor("authors?\(page)&books.sort=title")
            #expect(ofSubjects != ofAuthors)
            for (target, isValid) in [
                ("subjects?\(page)&books.sort=title&books.after=\(ofSubjects)", true),
                ("authors?\(page)&books.sort=title&books.after=\(ofSubjects)", false),
                ("authors?\(page)&books.sort=title&books.after=\(ofAuthors)", true),
                ("authors?\(page)&books.sort=-title&books.after=\(ofAuthors)", false),
                ("authors/1/books?sort=title&after=\(ofAuthors)", false),
            ] {
                do {
                    _ = try await service.restBody(target)
                    #expect(isValid, "\(target)")
                } catch let error as ServiceError {
                    #expect(!isValid && error.code == .invalidCursor, "\(target): \(error)")
                }
            }
            let first = try await service.restBody("authors/1/books?first=1")
            let next = try #require(first.split(separator: " next ").last)
            #expect(try await service.restBody("authors/1/books?first=1&after=\(next)").contains("Crows"))
            let error = await #expect(throws: ServiceError.self) {
                _ = try await service.restBody("authors/2/books?first=1&after=\(next)")
            }
            #expect(error?.code == .invalidCursor)
        }
    }

    @Test("The error code for a missing row names the resource")
    func missing() async throws {
        try await Library.withService(.sqlite) { service in
            for (target, code, detail) in [
                ("authors/9", "unknown-author", "there is no author 9"),
                ("copies/b1,9", "unknown-copy", "there is no copy b1, 9"),
                ("authors/9/books", "unknown-author", "there is no author 9"),
            ] {
                let error = await #expect(throws: ServiceError.self, "\(target)") {
                    _ = try await service.restBody(target)
                }
                #expect(error?.code.rawValue == code)
                #expect(error?.detail == detail)
            }
        }
    }
}
