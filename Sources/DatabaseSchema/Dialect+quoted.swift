package import SQLDatabase

extension Dialect {
    /// Returns a name as an identifier of this SQL, between quotes that are doubled inside.
    package func quoted(identifier name: String) -> String {
        let quote = self == .sqlite ? "\"" : "`"
        return quote + name.replacing(quote, with: quote + quote) + quote
    }
}
