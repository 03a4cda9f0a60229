import HTTPTypes
import JSON
import ResultSetJSON

extension RowFormat {
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8; header=present"
        }
    }

    private static let negotiation = MediaTypeNegotiation<RowFormat>([
        ("application/json", .json), ("application/x-ndjson", .ndjson), ("text/csv", .csv),
    ])

    private static let objectNegotiation = MediaTypeNegotiation<RowFormat>([("application/json", .json)])

    /// The form that the request likes best.
    /// - Parameter isList: an object is JSON only.
    /// - Throws: ``Problem`` with status 406.
    static func preferred(for fields: HTTPFields, isList: Bool) throws -> RowFormat {
        if let format = (isList ? negotiation : objectNegotiation).preferred(for: fields) { return format }
        let allowed = isList ? ["application/json", "application/x-ndjson", "text/csv"] : ["application/json"]
        throw Problem(
            .notAcceptable, "this can be sent as \(allowed.joined(separator: ", "))",
            members: [("allowed", .array(allowed.map { .string($0) }))])
    }
}
