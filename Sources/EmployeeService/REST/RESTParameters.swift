import SQLDatabase

/// The query parameters of a REST request: which there may be, and what they say.
struct RESTParameters {
    private let values: [String: [String]]

    /// - Parameters:
    ///   - pairs: names and values as they were sent, decoded.
    ///   - scalars: parameters that may be given once.
    ///   - lists: parameters that may be given several times, each with values between commas.
    /// - Throws: ``ServiceError`` that names an unknown or repeated parameter and lists what is allowed.
    init(_ pairs: [(name: String, value: String)], scalars: [String], lists: [String] = []) throws {
        var values: [String: [String]] = [:]
        for (name, value) in pairs {
            guard scalars.contains(name) || lists.contains(name) else {
                let allowed = lists + scalars
                throw ServiceError(
                    .unknownParameter,
                    allowed.isEmpty
                        ? "there is no parameter \(name) here, nor any other"
                        : "there is no parameter \(name) here; there are \(allowed.joined(separator: ", "))",
                    parameter: name, allowed: allowed)
            }
            if values[name] != nil, scalars.contains(name) {
                throw ServiceError(.repeatedParameter, "the parameter \(name) is given once", parameter: name)
            }
            values[name, default: []].append(value)
        }
        self.values = values
    }

    func text(_ name: String) -> String? { values[name]?.first }

    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = text(name) else { return nil }
        guard text.utf8.count <= 19, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text),
            range.contains(value)
        else {
            throw ServiceError(
                .invalidParameter, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)",
                parameter: name)
        }
        return value
    }

    func date(_ name: String) throws -> CalendarDate? {
        guard let text = text(name) else { return nil }
        guard let date = CalendarDate(iso: text) else {
            throw ServiceError(.invalidParameter, "\(name) is a date, as in 1995-12-01", parameter: name)
        }
        return date
    }

    /// The values of a list parameter, each once, in the order given; `nil` where it is absent.
    func list(_ name: String, of allowed: [String]) throws -> [String]? {
        guard let texts = values[name] else { return nil }
        var list: [String] = []
        for text in texts {
            for item in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                guard allowed.contains(item) else {
                    let wrong = item.isEmpty ? "\(name) has an empty value" : "\(name) knows no \(item)"
                    throw ServiceError(
                        .invalidParameter, "\(wrong); there are \(allowed.joined(separator: ", "))", parameter: name,
                        allowed: allowed)
                }
                if !list.contains(item) { list.append(item) }
            }
        }
        return list
    }
}
