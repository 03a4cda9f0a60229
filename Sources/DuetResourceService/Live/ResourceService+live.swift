package import DuetResultSetJSON

extension ResourceService {
    /// Returns the answers to a plan, which ``live`` reads again after changes.
    /// - Parameters:
    ///   - request: A text that identifies the request, the rights of the caller and the format of the answer.
    ///   - owner: The identity of the caller, whose watchers are limited; nil without one.
    /// - Throws: ``ServiceError`` if there are too many watchers.
    package func watch(
        _ plan: Plan, _ format: RowFormat, request: String, owner: String?
    ) throws(ServiceError) -> LiveAnswers {
        try live.answers(
            to: LiveQueries.Question(key: catalogue.view.key(request), tables: sources(of: plan), owner: owner) {
                LiveAnswer(try await answer(plan, format))
            })
    }

    /// Returns the tables whose changes can change the answer to a plan; nil for any table.
    func sources(of plan: Plan) -> Set<String>? { catalogue.constraints.sources(of: plan.tables) }
}
