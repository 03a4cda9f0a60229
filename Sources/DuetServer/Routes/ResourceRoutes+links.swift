import DuetHTTPServer
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Links between rows.
extension ResourceRoutes {
    /// Adds or removes a link. The response has no body.
    func changeLink(_ write: Write, _ operation: RESTOperation, _ routed: RoutedRequest) async throws -> Response {
        var timing = ServerTiming()
        let preferences = routed.preferences
        let idempotency = try IdempotencyRequest(routed, preferences)
        let path = try style.path(operation, routed.segment)
        var change = try style.change(write, operation, path, try routed.query())
        change.precondition = routed.precondition
        change.isRolledBack = preferences.isRolledBack
        timing.endPlan()
        if write.kind != .delete {
            let body = try await routed.bytes(limit: settings.maximumBodySize)
            guard body.readableBytes == 0 else { throw RequestProblem(.malformedBody, Self.linkBody) }
        }
        timing.endParse()
        let answer = try await service(for: routed).write(change, key: idempotency?.key)
        timing.endSQL(answer.cost)
        var fields: HTTPFields = [.cacheControl: "no-store"]
        if answer.outcome.isNew { fields[.location] = Self.path(of: answer.outcome, operation, path.key, path) }
        fields.add(preferences, isReplayed: answer.isReplayed, settings.caching.namesEntities ? answer.tags : nil)
        return timing.finish(Response(status: answer.outcome.isNew ? .created : .noContent, headers: fields))
    }

    /// The detail of the problem of a link with a body.
    static let linkBody =
        "a link has no values, so the request must have no body; change the row of the link by its own path"
}
