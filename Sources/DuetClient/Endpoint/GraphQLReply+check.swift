import DuetJSON
import Foundation
import HTTPTypes

extension GraphQLReply {
    /// Rejects a response that is not a GraphQL response, such as an error page of a proxy. If the response has a 2xx
    /// status or the media type `application/graphql-response+json`, the method checks only the first and the last
    /// character of the body. Otherwise, it parses the body.
    /// - Throws: ``GraphQLClientError`` with the code `invalidResponse` and the status.
    func checkThatItIsGraphQL() throws(GraphQLClientError) {
        let mediaType = MediaType(head.headerFields[.contentType])
        guard mediaType.isJSON else { throw notGraphQL("is \(mediaType)", remedy: head.status.remedy) }
        let text = body.trimmingWhitespace
        guard !text.isEmpty else { throw notGraphQL("is empty", remedy: head.status.remedy) }
        guard text.first == UInt8(ascii: "{") else { throw notGraphQL("is not an object", remedy: head.status.remedy) }
        guard text.last == UInt8(ascii: "}") else { throw notGraphQL("is truncated", remedy: "Try again.") }
        // With any media type other than `application/graphql-response+json`, an error status may come from an
        // intermediary (GraphQL over HTTP, "Legacy Watershed").
        guard !head.status.isSuccess, !mediaType.isGraphQL else { return }
        guard let value = try? JSONValue(parsing: text, maximumDepth: 64) else {
            throw notGraphQL("is not JSON", remedy: head.status.remedy)
        }
        if value["errors"] != nil || value["data"] != nil { return }
        if let problem = value.problemText {
            throw GraphQLClientError(
                .invalidResponse, "The server responded with the status \(head.status.code): \(problem)",
                status: head.status.code)
        }
        throw notGraphQL("has neither data nor errors", remedy: head.status.remedy)
    }

    private func notGraphQL(_ fault: String, remedy: String) -> GraphQLClientError {
        let excerpt = body.excerpt
        return GraphQLClientError(
            .invalidResponse,
            "The server responded with the status \(head.status.code), and the response \(fault)"
                + (excerpt.isEmpty ? ". " : ": \"\(excerpt)\". ") + remedy,
            status: head.status.code)
    }
}

/// The media type of a response, without parameters.
struct MediaType: CustomStringConvertible {
    let name: String

    init(_ field: String?) {
        name = field?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    }

    var isGraphQL: Bool { name == "application/graphql-response+json" }
    /// A response without a media type may be JSON.
    var isJSON: Bool { name.isEmpty || name == "application/json" || name.hasSuffix("+json") }
    var description: String { name }
}

extension HTTPResponse.Status {
    /// Advice for a response that is not a GraphQL response.
    fileprivate var remedy: String {
        switch code {
        case 401, 403, 407: "Check the authorization of the request."
        case 413, 414, 431: "The request is too long. Request less data."
        case 408, 425, 429, 500...599: "Try again later."
        default: "Check that the address belongs to a GraphQL service."
        }
    }
}

extension JSONValue {
    /// The title and the detail of a problem document (RFC 9457).
    fileprivate var problemText: String? {
        guard case .object(let object) = self else { return nil }
        let problem = Problem(object)
        let texts = [problem.title, problem.detail].compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: ": ")
    }
}

extension [UInt8] {
    /// The bytes without ASCII white space at both ends.
    fileprivate var trimmingWhitespace: ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) }) else {
            return []
        }
        return self[start...end]
    }

    /// The beginning of the body as a single line of text.
    fileprivate var excerpt: String {
        let text = String(decoding: prefix(400), as: UTF8.self)
        let words = text.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 } }
        let line = words.joined(separator: " ")
        return line.count > 120 ? line.prefix(120) + "…" : line
    }
}
