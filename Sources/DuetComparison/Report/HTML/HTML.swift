/// A fragment of a page. Interpolated text is escaped, so a text cannot add markup.
struct HTML: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    private(set) var description: String

    init(markup: String) {
        description = markup
    }

    /// A string literal is treated as markup.
    init(stringLiteral value: String) {
        description = value
    }

    init(stringInterpolation interpolation: Interpolation) {
        description = interpolation.markup
    }

    static func += (left: inout HTML, right: HTML) { left.description += right.description }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            markup.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: String) { markup += literal }

        /// Appends a text with the special characters of HTML escaped.
        mutating func appendInterpolation(_ text: String) {
            for character in text {
                switch character {
                case "&": markup += "&amp;"
                case "<": markup += "&lt;"
                case ">": markup += "&gt;"
                case "\"": markup += "&quot;"
                default: markup.append(character)
                }
            }
        }

        /// Appends a number, rounded to one decimal place.
        mutating func appendInterpolation(_ number: Double) { markup += String((number * 10).rounded() / 10) }

        mutating func appendInterpolation(_ number: Int) { markup += String(number) }

        mutating func appendInterpolation(_ html: HTML) { markup += html.description }

        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { markup += part.description } }
    }
}
