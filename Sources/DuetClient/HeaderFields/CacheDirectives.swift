import DuetHTTPSemantics
package import HTTPTypes

/// The directives of `Cache-Control` (RFC 9111 §5.2, RFC 5861).
package struct CacheDirectives: Sendable, Hashable {
    /// A directive that the cache supports.
    package enum Directive: String, Sendable {
        case maxAge = "max-age"
        case maxStale = "max-stale"
        case minFresh = "min-fresh"
        case mustRevalidate = "must-revalidate"
        case mustUnderstand = "must-understand"
        case noCache = "no-cache"
        case noStore = "no-store"
        case onlyIfCached = "only-if-cached"
        case `private` = "private"
        case `public` = "public"
        case staleIfError = "stale-if-error"
    }

    /// The arguments of the directives that are present; an empty string for a directive without an argument. If a
    /// directive occurs twice, the first occurrence is used (§4.2.1).
    private var arguments: [Directive: String] = [:]

    /// Parses the directives of a request or of a response.
    package init(_ fields: HTTPFields) {
        for var value in fields[values: .cacheControl] {
            value.withUTF8 { add(FieldValueScanner($0)) }
        }
    }

    private mutating func add(_ scanner: FieldValueScanner) {
        var scanner = scanner
        while !scanner.isAtEnd {
            scanner.skipWhitespace()
            let name = scanner.text(until: "=,").lowercased()
            let argument = scanner.consume(.equals) ? scanner.value(until: ",") : ""
            _ = scanner.text(until: ",")
            _ = scanner.consume(.comma)
            if let directive = Directive(rawValue: name), arguments[directive] == nil {
                arguments[directive] = argument
            }
        }
    }

    /// Returns true if the directive is present. If `no-cache` or `private` lists field names, the list is ignored: the
    /// directive applies to the whole response, which is the stricter interpretation.
    package func contains(_ directive: Directive) -> Bool { arguments[directive] != nil }

    /// Returns the argument of a directive in seconds (§1.2.2), at most 68 years; `nil` if the directive is absent. An
    /// argument that is not a number counts as 0, so that the response is stale (§4.2.1).
    package func seconds(_ directive: Directive) -> Double? {
        guard let argument = arguments[directive] else { return nil }
        guard !argument.isEmpty, argument.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return 0 }
        let longest = 2_147_483_648
        return Double(min(Int(argument) ?? longest, longest))
    }

    /// The number of seconds for which a client accepts a stale response (`max-stale`); infinity if the directive has
    /// no argument.
    package var maximumStaleness: Double? {
        arguments[.maxStale] == "" ? .infinity : seconds(.maxStale)
    }
}
