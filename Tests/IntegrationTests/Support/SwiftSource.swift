import ProcessTesting

/// The lines of a Swift file outside multi-line string literals, for rules that `swift format` does not check.
///
/// The reader is not a parser. It relies on the code format that `.swift-format` configures: the indentation of a line
/// shows its nesting depth.
struct SwiftSource {
    struct Line {
        /// The number in the file, from 1.
        let number: Int
        /// The line without indentation.
        let text: Substring
        /// The number of characters, including the indentation.
        let length: Int
        /// The indentation without that of the enclosing `#if` blocks.
        let indentation: Int
    }

    /// A case of a public enumeration.
    struct Case {
        let enumeration: String
        let line: Line
        let isDocumented: Bool
    }

    /// A file that does not have the expected format.
    struct Unreadable: Error {
        let path: String
    }

    let path: String
    private(set) var lines: [Line] = []

    init(_ path: String) throws {
        self.path = path
        var conditions = 0
        /// The delimiter that ends the current multi-line string literal.
        var end: String?
        let text = try Checkout.text(path)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0 == " " }
            var code = content
            if let delimiter = end {
                guard content.hasPrefix(delimiter) else { continue }
                code = content.dropFirst(delimiter.count)
                end = nil
            }
            if code.hasPrefix("#endif") { conditions -= 1 }
            let indentation = line.count - content.count - 4 * conditions
            lines.append(Line(number: index + 1, text: code, length: line.count, indentation: indentation))
            if code.hasPrefix("#if") { conditions += 1 }
            if !code.hasPrefix("//"), code.hasSuffix("\"\"\""), let delimiter = code.firstMatch(of: /(#*)"""$/) {
                end = "\"\"\"\(delimiter.1)"
            }
        }
        guard end == nil, conditions == 0 else { throw Unreadable(path: path) }
    }

    /// True if `duet generate` wrote the file.
    var isGenerated: Bool { lines.first?.text == "// swift-format-ignore-file" }

    /// The lines that contain only a comment.
    var comments: [Line] { lines.filter { $0.text.hasPrefix("//") } }

    /// The names of the public types that are not nested.
    var publicTypes: [String] {
        lines.filter { $0.indentation == 0 }.compactMap { $0.publicType?.name }
    }

    /// Returns the cases of public enumerations, in order.
    func publicCases() throws -> [Case] {
        var cases: [Case] = []
        var enumerations: [(name: String, indentation: Int)] = []
        var isDocumented = false
        for line in lines {
            if line.text.hasPrefix("///") {
                isDocumented = true
                continue
            }
            if let type = line.publicType, type.keyword == "enum" {
                if !line.text.hasSuffix("}") {
                    enumerations.append((type.name, line.indentation))
                } else if line.text.contains(" case ") {
                    // If the enumeration is on one line, no documentation comment can precede the case.
                    cases.append(Case(enumeration: type.name, line: line, isDocumented: false))
                }
            } else if let enumeration = enumerations.last {
                if line.text.hasPrefix("}"), line.indentation == enumeration.indentation {
                    enumerations.removeLast()
                } else if line.isEnumerationCase, line.indentation == enumeration.indentation + 4 {
                    cases.append(Case(enumeration: enumeration.name, line: line, isDocumented: isDocumented))
                }
            }
            // An attribute can be between a comment and its declaration.
            if !line.text.hasPrefix("@") || line.isEnumerationCase { isDocumented = false }
        }
        guard enumerations.isEmpty else { throw Unreadable(path: path) }
        return cases
    }
}

extension SwiftSource.Line {
    /// The keyword and the name of the public type that the line declares.
    fileprivate var publicType: (keyword: String, name: String)? {
        // Most lines are not public, and a search for a word is faster than a regular expression.
        guard text.contains("public ") || text.contains("open "), !text.contains("import "),
            let access = declaration.prefixMatch(of: /(?:\w+ )*?(?:public|open)\s/),
            let type = declaration[access.range.upperBound...].prefixMatch(
                of: /(?:\w+ )*?(struct|class|enum|actor|protocol|typealias) (\w+)/)
        else { return nil }
        return (String(type.1), String(type.2))
    }

    /// True for `case` at the beginning of a declaration. It is also true for a `case` of a `switch`.
    fileprivate var isEnumerationCase: Bool {
        declaration.hasPrefix("case ") || declaration.hasPrefix("indirect case ")
    }

    /// The line without the attributes of the declaration.
    private var declaration: Substring {
        text.hasPrefix("@") ? text.trimmingPrefix(/(?:@\w+(?:\([^)]*\))? )+/) : text
    }
}
