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
}
