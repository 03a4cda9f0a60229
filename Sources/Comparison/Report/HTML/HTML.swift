/// Pieces of a page. Text is escaped where it is put in, so what is inside is markup.
struct HTML: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    private(set) var description: String

    init(markup: String) {
        description = markup
    }

    /// A literal is markup.
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

        /// A text, with what means something in HTML escaped.
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

        /// A number, in tenths.
        mutating func appendInterpolation(_ number: Double) { markup += String((number * 10).rounded() / 10) }

        mutating func appendInterpolation(_ number: Int) { markup += String(number) }

        mutating func appendInterpolation(_ html: HTML) { markup += html.description }

        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { markup += part.description } }
    }
}
