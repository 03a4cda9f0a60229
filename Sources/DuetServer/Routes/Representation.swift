import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResultSetJSON
import HTTPTypes

extension RowFormat {
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8; header=present"
        }
    }

    private typealias Negotiation = MediaTypeNegotiation<RowFormat>

    private static let list: Negotiation = offering([.json, .ndjson, .csv])
    private static let listWithDetails: Negotiation = offering([.json, .ndjson])
    private static let object: Negotiation = offering([.json])

    private static func offering(_ formats: [RowFormat]) -> Negotiation {
        Negotiation(formats.map { ($0.mediaType, $0) })
    }

    /// The kind of a response's content, which determines the formats that can represent it.
    enum Content {
        case object
        case list
        /// A list with attached relations, which CSV cannot represent.
        case listWithDetails
    }

    /// Returns the format that the request prefers among the formats that can represent the content.
    /// - Throws: ``RequestProblem`` with status 406.
    static func preferred(for fields: HTTPFields, of content: Content) throws -> RowFormat {
        let negotiation =
            switch content {
            case .object: object
            case .list: list
            case .listWithDetails: listWithDetails
            }
        if let format = negotiation.preferred(for: fields) { return format }
        let allowed = negotiation.mediaTypes
        let offer = "the supported media types are \(allowed.joined(separator: ", "))"
        let wantsCSV = content == .listWithDetails && list.preferred(for: fields) == .csv
        throw RequestProblem(
            .notAcceptable,
            wantsCSV ? "CSV does not support details; \(offer), or text/csv without details" : offer,
            members: [("allowed", .array(allowed.map { .string($0) }))])
    }
}
