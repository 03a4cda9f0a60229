import DuetJSON
import Foundation

/// The location and the reason of a decoding error.
struct DecodingFailure {
    let place: WebServiceError.Place
    let reason: String

    init(_ error: any Error, in data: Data) {
        guard let error = error as? DecodingError else {
            self.init(place: .member(""), reason: "\(error)")
            return
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(context.codingPath + [key], "it is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self.init(context.codingPath, context.debugDescription)
        case .dataCorrupted(let context):
            // Foundation reports the location of a syntax error only in an English sentence, so the data is parsed
            // again.
            do throws(JSONError) {
                _ = try JSONValue(parsing: data, maximumDepth: 512)
                self.init(context.codingPath, context.debugDescription)
            } catch {
                self.init(place: .text(line: error.line, column: error.column), reason: error.message)
            }
        @unknown default:
            self.init(place: .member(""), reason: "\(error)")
        }
    }

    private init(place: WebServiceError.Place, reason: String) {
        self.place = place
        self.reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }

    private init(_ path: [any CodingKey], _ reason: String) {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        self.init(place: .member(text), reason: reason)
    }
}
