import DuetSQLDatabase

/// The policy for values of rows and of requests in log lines.
package enum LogValues: Sendable {
    /// Errors and request targets are logged completely.
    case included
    /// Errors are logged without messages that can contain values, and request targets without keys and values of
    /// parameters.
    case omitted

    /// Returns the description of an error. Without values, an unknown type of error is represented by its type.
    package func text(_ error: any Error) -> String {
        switch (self, error) {
        case (.included, _): "\(error)"
        case (.omitted, let error as any ValueBearingError): error.descriptionWithoutValues
        case (.omitted, is CancellationError): "\(error)"
        case (.omitted, _): "an error of the type \(String(reflecting: type(of: error)))"
        }
    }

    /// Returns the target of a request. Without values, asterisks replace the keys in the path and the values of the
    /// parameters: `/employees/*/titles?first=*`. The second segment of a path is the key of a row, and the fourth one
    /// is the key of a related row.
    func target(_ target: String) -> String {
        guard self == .omitted else { return target }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let segments = parts[0].split(separator: "/").enumerated().map { index, segment in
            index == 0 || index == 2 ? Self.name(segment) : "*"
        }
        let path = target.hasPrefix("/") ? "/" + segments.joined(separator: "/") : "*"
        guard parts.count == 2 else { return path }
        let parameters = parts[1].split(separator: "&").map { parameter in
            let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return sides.count == 2 ? "\(Self.name(sides[0]))=*" : "*"
        }
        return "\(path)?\(parameters.joined(separator: "&"))"
    }

    /// Returns the name of a resource, relation or parameter; an asterisk for a text that is not a name.
    private static func name(_ text: Substring) -> Substring {
        text.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || "._-".utf8.contains($0)
        }
            ? text : "*"
    }
}
