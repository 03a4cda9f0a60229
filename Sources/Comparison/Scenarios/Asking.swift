import DuetJSON

/// How a style asks for what a task needs: questions in rounds. Those of one round do not depend on each other, so they may be asked
/// at once; those of the next one depend on what was answered before.
struct Asking<Question: Sendable>: Sendable {
    /// The questions of the next round; none when everything is known.
    let next: @Sendable (_ answers: [[Answer]]) throws -> [Question]
    /// What the task is about, made of the answers: the same whatever the style.
    let result: @Sendable (_ answers: [[Answer]]) throws -> JSONValue

    /// Rounds, each made of the answers to those before.
    init(
        rounds: @escaping @Sendable (_ answers: [[Answer]]) throws -> [Question],
        result: @escaping @Sendable (_ answers: [[Answer]]) throws -> JSONValue
    ) {
        next = rounds
        self.result = result
    }

    /// One round.
    init(_ questions: [Question], result: @escaping @Sendable (_ answers: [Answer]) throws -> JSONValue) {
        self.init(rounds: { $0.isEmpty ? questions : [] }, result: { try result($0.first ?? []) })
    }

    /// One question.
    init(_ question: Question, result: @escaping @Sendable (_ body: JSONValue) throws -> JSONValue) {
        self.init([question]) { answers in
            guard let answer = answers.first else { throw UnexpectedAnswer("there is no answer") }
            return try result(answer.body)
        }
    }

    /// One question after the other, each with what the one before has told.
    /// - Parameter limit: how many are asked at most.
    static func pages(
        from first: Question, limit: Int = .max, next: @escaping @Sendable (Answer) throws -> Question?,
        rows: @escaping @Sendable (Answer) throws -> [JSONValue]
    ) -> Asking {
        Asking(
            rounds: { answers in
                guard let last = answers.last?.first else { return [first] }
                guard answers.count < limit else { return [] }
                return try next(last).map { [$0] } ?? []
            },
            result: { answers in .array(try answers.flatMap { try $0.flatMap(rows) }) })
    }
}

/// An operation of GraphQL with its variables.
struct Operation: Sendable, Hashable {
    let document: String
    var variables = JSONObject()

    init(_ document: String, _ variables: JSONValue = .object(JSONObject())) {
        self.document = document
        if case .object(let object) = variables { self.variables = object }
    }
}

/// An answer that is not what a scenario expects.
struct UnexpectedAnswer: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
