import DuetGraphQL
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import HTTPTypes
import HummingbirdCore
import NIOCore

extension ResourceRoutes {
    /// The media types of imports.
    static let importTypes = ImportBody.Format.allCases.map(\.rawValue)

    /// Adds the rows of the body of a request in one transaction.
    /// - Returns: The response; nil if the request is not an import.
    func importRows(_ write: Write, _ routed: RoutedRequest) async throws -> Response? {
        guard write.acceptsImports, let given = routed.request.headers.value(of: .contentType),
            let type = ContentType(given), let format = ImportBody.Format(rawValue: type.mediaType)
        else { return nil }
        var timing = ServerTiming()
        try routed.requireNoQuery()
        if let charset = type.charset, charset != "utf-8", charset != "us-ascii" {
            throw RequestProblem(.unsupportedMediaType, "the charset must be utf-8, not \(charset)")
        }
        try routed.requireNoContentCoding()
        let preferences = routed.preferences
        var idempotency = try IdempotencyRequest(routed, preferences)
        let limit = settings.imports.maximumSize
        try routed.requireLength(atMost: limit)
        let file = try await SpooledBody.collect(routed.request.body, limit: limit, &idempotency)
        timing.endParse()
        var body = ImportBody(format) { try file.read($0, $1) }
        body.idempotencyKey = idempotency?.key
        let answer = try await service(for: routed).importRows(
            body, for: write, precondition: routed.precondition,
            isRolledBack: preferences.isRolledBack, timeout: settings.imports.timeout)
        timing.endSQL(answer.cost)
        var fields: HTTPFields = [:]
        fields.add(preferences, isReplayed: answer.isReplayed, settings.caching.namesEntities ? answer.tags : nil)
        if preferences.isMinimal {
            fields[.cacheControl] = "no-store"
            return timing.finish(Response(status: .noContent, headers: fields))
        }
        var writer = JSONWriter(capacity: 32)
        writer.write(.object(["created": .integer(Int64(answer.count))]))
        return timing.finish(
            try builder.whole(
                writer.buffer, mediaType: RowFormat.json.mediaType, for: routed, headers: fields, tag: nil))
    }
}
