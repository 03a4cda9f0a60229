import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Streams of rows with relations") struct StreamTests {
    @Test("A stream ends with an error if a piece would exceed the maximum size of a response")
    func bound() async throws {
        try await Library.withService(.sqlite) { library in
            let question = try library.restQuestion("authors?details=books.copies&first=1000")
            guard case .list(let resource, var window) = question.subject else {
                Issue.record("not a list")
                return
            }
            window.first = nil
            let whole = Question(.list(resource: resource, window), question.form)
            for (size, isLarge) in [(50, true), (1 << 20, false)] {
                let service = ResourceService(
                    library.catalogue, database: library.database, encoding: library.encoding, maximumAnswerSize: size)
                var bytes = 0
                do {
                    for try await piece in try await service.stream(try service.plan(whole), .ndjson) {
                        bytes += piece.readableBytes
                    }
                    #expect(!isLarge && bytes > 50)
                } catch let error as ServiceError {
                    #expect(isLarge && error.code == .answerTooLarge && bytes == 0)
                }
            }
        }
    }

    /// Returns the pieces of a stream.
    private static func pieces(
        _ service: ResourceService, _ target: String, _ format: RowFormat
    ) async throws -> [String] {
        let plan = try service.plan(service.restQuestion(target, format))
        #expect(plan.isUnbounded, "\(target)")
        var pieces: [String] = []
        for try await piece in try await service.stream(plan, format) { pieces.append(String(buffer: piece)) }
        return pieces
    }

    @Test(
        "A stream contains all rows in the order of the list, even if it has several pieces",
        arguments: TestBackend.available)
    func rows(_ backend: TestBackend) async throws {
        try await Library.withService(backend, more: Library.moreRows) { service async throws in
            for (target, isPaged) in [
                ("authors?fields=name&details=books&books.fields=title", true),
                ("authors?fields=name&sort=-born&details=mentor&mentor.fields=name", true),
                ("authors?fields=name&sort=-name&authorNumber.gte=2", false),
                ("subjects/2/books?fields=isbn&sort=-published&details=author&author.fields=name", true),
            ] {
                let pieces = try await Self.pieces(service, target, .ndjson)
                #expect((pieces.count > 1) == isPaged, "\(target)")
                let whole = try await service.answer(service.restQuestion("\(target)&first=1000"), .ndjson)
                #expect(pieces.joined() == String(buffer: whole.body), "\(target)")
                #expect(whole.rows > 250)
            }
            let csv = try await Self.pieces(service, "authors?fields=name,born", .csv).joined()
            #expect(csv.hasPrefix("name,born\r\nAda,1815-12-10\r\nBen,\r\n"))
            #expect(csv.split(separator: "\r\n").count == 255)
        }
    }

    @Test("A stream of the related rows of a missing parent row is an error", arguments: TestBackend.available)
    func missing(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for target in ["subjects/9/books", "subjects/9/books?details=author"] {
                let error = await #expect(throws: ServiceError.self, "\(target)") {
                    _ = try await Self.pieces(service, target, .ndjson)
                }
                #expect(error?.code == .unknown("subject"))
            }
            // The stream of a parent row without related rows is empty.
            #expect(try await Self.pieces(service, "subjects/3/books", .ndjson).joined() == "")
            #expect(try await Self.pieces(service, "subjects/3/books?details=author", .ndjson).joined() == "")
        }
    }
}
