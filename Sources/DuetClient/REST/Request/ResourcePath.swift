public import Foundation

/// The path of a resource, relative to the base address of a ``WebServiceProxy``.
///
/// An interpolated value is percent-encoded as a single segment, regardless of its characters:
///
/// ```swift
/// try await proxy.invoke(.delete, "employees/\(number)/departments/\(departmentNumber)")
/// ```
///
/// A value that is empty, `.` or `..` would result in the path of a different resource. A request with such a path is
/// not sent. The call throws ``WebServiceError/Code-swift.enum/invalidRequest``.
public struct ResourcePath: Sendable, Hashable, ExpressibleByStringInterpolation {
    enum Form: Sendable, Hashable {
        /// A percent-encoded path that is appended to the base address.
        case below(String)
        /// A complete address, such as the target of a link.
        case address(URL)
        /// An invalid path that could address a different resource. The value is the reason.
        case invalid(String)
    }

    let form: Form

    /// Creates a path from text that is not percent-encoded. A leading slash has no effect.
    public init(_ path: String) {
        var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        interpolation.appendLiteral(path)
        self.init(stringInterpolation: interpolation)
    }

    /// Creates a path from the target of a link (see ``WebServiceResponse/link(_:)``). The target must have the scheme,
    /// the host and the port of the base address. Otherwise, the header fields of the proxy, such as `Authorization`,
    /// would be sent to a different server.
    public init(_ address: URL) {
        form = .address(address)
    }

    /// Creates a path from text that is not percent-encoded.
    public init(stringLiteral path: String) {
        self.init(path)
    }

    /// Creates a path from literal parts and values.
    public init(stringInterpolation: StringInterpolation) {
        if let fault = stringInterpolation.fault {
            form = .invalid(fault)
        } else if stringInterpolation.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            form = .invalid(
                "The path \(stringInterpolation.path) contains the segment . or .., which changes the addressed resource."
            )
        } else {
            form = .below(String(stringInterpolation.path.drop { $0 == "/" }))
        }
    }

    /// Collects the parts of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path = ""
        fileprivate var fault: String?

        /// Creates an interpolation without parts.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds literal text. A slash in it separates two segments.
        public mutating func appendLiteral(_ literal: String) {
            path += PercentEncoding.path(literal)
        }

        /// Adds a value as one segment. The value must have exactly one text, and the text must not be empty.
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
