/// The type of the numbers of which an aggregate is computed. It determines the digits of sums and averages.
public enum AggregateNumber: Sendable, Hashable {
    /// Whole numbers. Their sum is exact, and their average has four digits after the decimal point.
    case integer
    /// Exact decimal numbers. Their sum is exact, and their average has ``averageScale`` digits after the decimal
    /// point.
    ///
    /// The scale is the usual number of digits after the decimal point. The precision is that of a column of type
    /// `DECIMAL(precision, scale)`; nil if it is unknown, or if the column has another scale. MariaDB computes a sum
    /// faster if the precision is at most 43.
    case decimal(scale: Int, precision: Int? = nil)
    /// Floating-point numbers. Their sum and average are rounded.
    case double

    /// The number of digits after the decimal point of an average, rounded half away from zero; nil for floating-point
    /// numbers. It is four more than that of the numbers, but not more than 38, the maximum of MariaDB.
    public var averageScale: Int? {
        switch self {
        case .integer: Self.additionalDigits
        case .decimal(let scale, _): max(scale, min(scale + Self.additionalDigits, 38))
        case .double: nil
        }
    }

    private static let additionalDigits = 4
}
