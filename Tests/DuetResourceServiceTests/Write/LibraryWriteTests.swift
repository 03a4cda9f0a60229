import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import Synchronization
import TestSupport
import Testing

@Suite("Writes") struct LibraryWriteTests {
    private static let loan: JSONValue = ["isbn": "b2", "copyNumber": 1, "lentOn": "2023-03-01", "reader": "Hal"]

    // MARK: Success

    @Test(
        "A new row has the key of the input. The response is equal to the response to a read",
        arguments: TestBackend.available)
    func create(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            for (query, day) in [
                ("", "2023-03-01"), ("?fields=reader,returnedOn", "2023-03-02"),
                ("?fields=reader&details=copy.book&copy.book.fields=title", "2023-03-03"),
            ] {
                let body: JSONValue = [
                    "isbn": "b1", "copyNumber": 2, "lentOn": .string(day), "reader": "Hal", "returnedOn": .string(day),
                ]
                let written = try await service.restWrite("POST", "loans\(query)", body)
                #expect(written.outcome.isNew)
                let date = try #require(CalendarDate(iso: day))
                #expect(written.outcome.key == [.text("b1"), .integer(2), .date(date)])
                let read = try await service.answer(service.restQuestion("loans/b1,2,\(day)\(query)"))
                #expect(written.answers.map(\.body) == [read.body])
            }
        }
    }

    @Test("An update changes only the members of the input", arguments: TestBackend.available)
    func change(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let target = "loans/b1,1,2021-01-01?fields=reader,returnedOn"
            for (body, row) in [
                (["returnedOn": "2021-02-03"], #"{"reader":"Fay","returnedOn":"2021-02-03"}"#),
                (["reader": "O'Hara"], #"{"reader":"O'Hara","returnedOn":"2021-02-03"}"#),
                ([:], #"{"reader":"O'Hara","returnedOn":"2021-02-03"}"#),
            ] as [(JSONValue, String)] {
                let written = try await service.restWrite("PATCH", target, body)
                #expect(!written.outcome.isNew)
                #expect(written.answers.map { String(buffer: $0.body) } == [row])
                #expect(try await service.restBody(target) == row)
            }
            #expect(try await service.rows(Library.loansSQL).count == 4)
        }
    }

    @Test("A delete removes one row and has no response body", arguments: TestBackend.available)
    func removal(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let before = try await service.rows(Library.loansSQL)
            let written = try await service.restWrite("DELETE", "loans/b1,2,2020-01-01")
            #expect(written.answers.isEmpty && !written.outcome.isNew)
            #expect(try await service.rows(Library.loansSQL) == before.filter { $0[1] != "2" })
            let error = await #expect(throws: ServiceError.self) {
                try await service.restWrite("DELETE", "loans/b1,2,2020-01-01")
            }
            #expect(error == ServiceError(.unknown("loan"), "there is no loan b1, 2, 2020-01-01"))
        }
    }

    @Test(
        "POST creates a related row. A repeated PUT does not create the row again",
        arguments: TestBackend.available)
    func related(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let added = try await service.restWrite("POST", "books/b3/copies", ["copyNumber": 7])
            #expect(added.outcome.isNew)
            #expect(
                added.answers.map { String(buffer: $0.body) }
                    == [#"[{"copyNumber":1,"shelf":"A"},{"copyNumber":7,"shelf":null}]"#])
            for isNew in [true, false] {
                let classified = try await service.restWrite("PUT", "books/b1/subjects/2?fields=name")
                #expect(classified.outcome.isNew == isNew)
                #expect(classified.answers.map { String(buffer: $0.body) } == [#"{"name":"Birds"}"#])
            }
            #expect(
                try await service.restBody("books/b1/subjects?fields=name") == #"[{"name":"Animals"},{"name":"Birds"}]"#
            )
        }
    }

    @Test(
        "A write locks the row, changes the row and reads the response in one transaction",
        arguments: TestBackend.available)
    func transaction(_ backend: TestBackend) async throws {
        let recorder = StatementRecorder()
        try await Library.withWritableService(backend, observer: recorder.observer) { service async throws in
            recorder.take()
            let written = try await service.restWrite(
                "PATCH", "loans/b1,1,2021-01-01?fields=reader", ["reader": "Ida"],
                Precondition(required: .any))
            #expect(recorder.acquisitions == 1)
            let statements = recorder.take()
            #expect(written.cost.statements == statements.count)
            #expect(written.cost.nanoseconds > 0)
            // The precondition is evaluated between the lock and the change.
            #expect(statements.map { $0.prefix(6) } == ["SELECT", "SELECT", "UPDATE", "SELECT"])
            #expect(statements.map { $0.hasSuffix(" FOR UPDATE") } == [backend == .mariaDB, false, false, false])
        }
    }

    @Test(
        "The representations of a change are read after the change. The row has its new key",
        arguments: TestBackend.available)
    func questions(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let list = try service.restQuestion("loans?fields=reader&isbn=b3")
            let parent = try service.restQuestion("copies/b3,1/loans?fields=reader")
            let other = try service.restQuestion("books/b4?fields=title")
            func row(_ fields: String...) -> Change.Representation {
                .row(Selection(fields.map { .field(name: $0, $0) }))
            }
            let lent = try #require(CalendarDate(iso: "2023-03-01"))
            var create = Change.insert(
                ["isbn": "b3", "copyNumber": 1, "lentOn": .date(lent), "reader": "Hal"], into: "loans")
            create.representations = [.question(list), row("lentOn"), .question(parent), .question(other)]
            let created = try await service.write(create)
            #expect(
                created.answers.map { String(buffer: $0.body) } == [
                    #"[{"reader":"Hal"}]"#, #"{"lentOn":"2023-03-01"}"#, #"[{"reader":"Hal"}]"#, #"{"title":"Crows"}"#,
                ])
            // This write changes the key of the row.
            let day = try #require(CalendarDate(iso: "2021-01-01"))
            var move = Change.update("loans", key: ["b1", 1, .date(day)], set: ["copyNumber": 2])
            move.representations = [row("copyNumber", "reader")]
            let moved = try await service.write(move)
            #expect(moved.outcome == ChangeOutcome(keys: [["b1", 2, .date(day)]], count: 1, isNew: false))
            #expect(moved.answers.map { String(buffer: $0.body) } == [#"{"copyNumber":2,"reader":"Fay"}"#])
            #expect(moved.tags.names == ["Copy", "Copy:b1/1", "Copy:b1/2"])
        }
    }

    // MARK: Errors

    static let invalid: [(body: JSONValue, errors: [String: String])] = [
        (
            [:],
            [
                "isbn": "is missing", "copyNumber": "is missing", "lentOn": "is missing", "reader": "is missing",
            ]
        ),
        (
            ["isbn": "b-1", "copyNumber": 0, "lentOn": "2023-02-30", "reader": " ", "color": 1],
            [
                "isbn": "must be up to 13 letters and digits", "copyNumber": "must be a whole number from 1 to 999",
                "lentOn":
                    "must be a date in the year 1000 or later, such as \"1995-12-01\"",
                "reader": "must not be blank",
                "color": "is unknown; valid members are copyNumber, isbn, lentOn, reader, returnedOn",
            ]
        ),
        (
            ["isbn": 1, "copyNumber": "1", "lentOn": nil, "reader": "a\nb"],
            [
                "isbn": "must be a string, not a number", "copyNumber": "must be a whole number from 1 to 999",
                "lentOn":
                    "must be a date in the year 1000 or later, such as \"1995-12-01\"",
                "reader": "must not contain control characters",
            ]
        ),
        (
            ["isbn": "b1", "copyNumber": 1, "lentOn": "2023-03-02", "reader": "Hal", "returnedOn": "2023-03-01"],
            ["returnedOn": "must not be earlier than lentOn"]
        ),
    ]

    @Test("All invalid members of an input are reported together, and nothing is written")
    func validation() async throws {
        try await Library.withWritableService(.sqlite) { service async throws in
            for (body, errors) in Self.invalid {
                try await Library.expectUnchanged(service) {
                    let error = await #expect(throws: ServiceError.self) {
                        try await service.restWrite("POST", "loans", body)
                    }
                    #expect(error?.code == .validationFailed)
                    var found: [String: String] = [:]
                    for field in error?.fields ?? [] { found[field.field] = field.message }
                    #expect(found == errors)
                    #expect(error?.detail.hasPrefix("the body has invalid members: ") == true)
                }
            }
            for body in [[], nil, "x", 1] as [JSONValue] {
                let error = await #expect(throws: ServiceError.self) {
                    try await service.restWrite("POST", "loans", body)
                }
                #expect(error == ServiceError(.malformedBody, "the body must be a JSON object, not \(body.typeName)"))
            }
        }
    }

    static let missing: [(method: String, target: String, body: JSONValue, detail: String)] = [
        ("PATCH", "loans/b1,1,2000-01-01", ["reader": "Hal"], "there is no loan b1, 1, 2000-01-01"),
        ("DELETE", "loans/b9,1,2021-01-01", [:], "there is no loan b9, 1, 2021-01-01"),
        ("POST", "books/b9/copies", ["copyNumber": 1], "there is no book b9"),
        ("PUT", "books/b9/subjects/1", [:], "there is no book b9"),
        (
            "POST", "loans", ["isbn": "b3", "copyNumber": 9, "lentOn": "2023-03-01", "reader": "Hal"],
            "there is no copy b3, 9"
        ),
    ]

    @Test("A write to a missing row is an error with any precondition", arguments: TestBackend.available)
    func missingRows(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            for (method, target, body, detail) in Self.missing {
                for precondition in [nil, Precondition(required: .any), Precondition(excluded: .any)] {
                    try await Library.expectUnchanged(service) {
                        let error = await #expect(throws: ServiceError.self, "\(method) \(target)") {
                            try await service.restWrite(method, target, body, precondition)
                        }
                        #expect(error?.detail == detail)
                        #expect(error?.code.missingNoun != nil)
                    }
                }
            }
        }
    }

    @Test("A conflict is an error, and the transaction is rolled back", arguments: TestBackend.available)
    func conflicts(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            try await Library.expectUnchanged(service) {
                let lent = await #expect(throws: ServiceError.self) {
                    try await service.restWrite("POST", "loans", Self.loan)
                }
                #expect(lent == ServiceError(.conflict, "the copy is lent; record its return first"))
                let same = await #expect(throws: ServiceError.self) {
                    try await service.restWrite(
                        "POST", "loans",
                        [
                            "isbn": "b1", "copyNumber": 2, "lentOn": "2020-01-01", "reader": "Hal",
                            "returnedOn": "2020-01-01",
                        ])
                }
                #expect(same?.code == .conflict && same?.key == "isbn, copyNumber and lentOn")
            }
            // After the return, the copy can be lent.
            try await service.restWrite("PATCH", "loans/b2,1,2022-05-05", ["returnedOn": "2022-05-06"])
            try await service.restWrite("POST", "loans", Self.loan)
            #expect(try await service.rows(Library.loansSQL).count == 5)
        }
    }

    // MARK: Rollback

    private struct Failure: Error {}

    /// Writes a row, and then fails in one of the steps.
    private struct FailingRules: ChangeHook {
        var failsCheck = false
        var failsPerform = false

        func check(_ change: Change, in transaction: ChangeTransaction) throws {
            try transaction.connection.execute("INSERT INTO book_subjects (isbn, subject_id) VALUES ('b1', 3)")
            if failsCheck { throw Failure() }
        }

        func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
            let outcome = try transaction.perform(change)
            if failsPerform { throw Failure() }
            return outcome
        }
    }

    @Test("An error of any step rolls back the write and is thrown unchanged", arguments: TestBackend.available)
    func rollback(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let question = try service.restQuestion("books/b1?details=subjects")
            func write(
                _ rules: FailingRules, _ precondition: Precondition? = nil, maximumSize: Int = 1_000_000
            ) async throws -> ChangeAnswer {
                var change = Change.update("books", key: ["b1"], set: ["title": "Zebras and others"])
                change.precondition = precondition
                change.representations = [.question(question)]
                return try await ResourceService(
                    service.catalogue, database: service.database, encoding: service.encoding,
                    maximumAnswerSize: maximumSize, hooks: ["books": rules]
                ).write(change)
            }
            try await Library.expectUnchanged(service) { () async throws in
                for rules in [FailingRules(failsCheck: true), FailingRules(failsPerform: true)] {
                    await #expect(throws: Failure.self) { try await write(rules) }
                }
                let failed = await #expect(throws: ServiceError.self) {
                    try await write(FailingRules(), Precondition(excluded: .any))
                }
                #expect(failed?.code == .preconditionFailed)
                // The response is read in the transaction, so an error of the response also rolls back the write.
                let tooLarge = await #expect(throws: ServiceError.self) {
                    try await write(FailingRules(), maximumSize: 20)
                }
                #expect(tooLarge?.code == .answerTooLarge)
                #expect(try await service.restBody("books/b1?fields=title") == #"{"title":"Zebras"}"#)
            }
            // Without an error, the same write takes effect.
            let written = try await write(FailingRules())
            #expect(written.answers.map { String(buffer: $0.body).contains("Empty") } == [true])
            #expect(try await service.restBody("books/b1?fields=title") == #"{"title":"Zebras and others"}"#)
        }
    }

    // MARK: Repetition

    private final class Counter: Sendable {
        private let state = Mutex(0)

        var count: Int { state.withLock { $0 } }

        /// Increments and returns the count.
        func increment() -> Int {
            state.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// Writes a row, and requests a repetition until an attempt succeeds.
    private struct RepeatingRules: ChangeHook {
        let attempts: Counter
        let success: Int
        let isPermitted: Bool

        func isRepeatable(_ change: Change) -> Bool { isPermitted }

        func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
            // Without the rollback, the second insert would violate the primary key.
            try transaction.connection.execute("INSERT INTO book_subjects (isbn, subject_id) VALUES ('b1', 3)")
            guard attempts.increment() == success else { throw ChangeRepetition(Failure()) }
            return try transaction.perform(change)
        }
    }

    @Test("A repeatable write runs again after a rollback, at most ten times", arguments: TestBackend.available)
    func repetition(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for (success, isPermitted, expected) in [(3, false, 1), (20, true, 11), (3, true, 3)] {
                let attempts = Counter()
                let rules = RepeatingRules(attempts: attempts, success: success, isPermitted: isPermitted)
                let repeating = ResourceService(
                    service.catalogue, database: service.database, encoding: service.encoding, hooks: ["books": rules])
                let change = Change.update("books", key: ["b1"], set: [:])
                if expected == success {
                    #expect(try await repeating.write(change).outcome.key == [.text("b1")])
                } else {
                    await #expect(throws: Failure.self) { try await repeating.write(change) }
                    #expect(try await service.rows("SELECT * FROM book_subjects WHERE subject_id = 3").isEmpty)
                }
                #expect(attempts.count == expected)
            }
            #expect(try await service.rows("SELECT isbn FROM book_subjects WHERE subject_id = 3") == [["b1"]])
        }
    }
}
