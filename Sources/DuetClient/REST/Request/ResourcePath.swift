public import Foundation

/// The path of a resource below the base address of a ``WebServiceProxy``.
///
/// A value in a literal is percent-encoded as one segment, whatever is in it:
///
/// ```swift
/// try await proxy.invoke(.delete, "employees/\(number)/departments/\(departmentNumber)")
/// ```
///
/// A value that is empty, `.` or `..` would make the address of another resource. A request with such a path is not sent, and
/// throws ``WebServiceError/Code-swift.enum/invalidRequest``.
public struct ResourcePath: Sendable, Hashable, ExpressibleByStringInterpolation {
    enum Form: Sendable, Hashable {
        /// A path, percent-encoded, to append to the base address.
        case below(String)
        /// A whole address, as a link has.
        case address(URL)
        /// A path that would be that of another resource, and the reason.
        case invalid(String)
    }

    let form: Form

    /// A path that is not percent-encoded yet. A slash at the beginning makes no difference.
    public init(_ path: String) {
        var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        interpolation.appendLiteral(path)
        self.init(stringInterpolation: interpolation)
    }

    /// The address of a link, see ``WebServiceResponse/link(_:)``. It must have the scheme, host and port of the base address, because
    /// the request has the header fields of the proxy, such as `Authorization`.
    public init(_ address: URL) {
        form = .address(address)
    }

    /// A path that is not percent-encoded yet.
    public init(stringLiteral path: String) {
        self.init(path)
    }

    /// A path of literal parts and values.
    public init(stringInterpolation: StringInterpolation) {
        if let fault = stringInterpolation.fault {
            form = .invalid(fault)
        } else if stringInterpolation.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            form = .invalid(
                "The path \(stringInterpolation.path) has a segment . or .., which leads to another resource.")
        } else {
            form = .below(String(stringInterpolation.path.drop { $0 == "/" }))
        }
    }

    /// Collects the parts of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path = ""
        fileprivate var fault: String?

        /// No parts yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a literal part, whose slashes separate segments.
        public mutating func appendLiteral(_ literal: String) {
            path += PercentEncoding.path(literal)
        }

        /// Adds a value. It must have exactly one text, which is not empty.
        public mutating func appendInterpolation(_ value: some WebServiceArgument) {
            let texts = value.argumentTexts
            guard texts.count == 1, !texts[0].isEmpty else {
                fault = "A value in the path after \(path) is empty or a list. Pass one value that is not empty."
                return
            }
            path += PercentEncoding.component(texts[0])
        }
    }
}
