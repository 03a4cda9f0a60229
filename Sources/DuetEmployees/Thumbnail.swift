package import DuetResourceService
import DuetSQLDatabase

/// A picture for an employee: a symmetric pattern of squares in one of 360 colors.
///
/// The picture depends only on the employee number, so it is identical on every server and does not change with the
/// name.
public struct Thumbnail: Sendable {
    /// The number of rows, and of squares in a row.
    private static let side = 5
    /// The number of columns for which squares are selected; the other columns mirror them.
    private static let columns = (side + 1) / 2
    /// The number of filled squares in the selected columns. It is constant, so that no picture is empty or completely
    /// filled.
    private static let filled = 8
    /// The seed of the patterns. A different seed would result in different pictures.
    private static let seed: UInt64 = 1

    private let employeeNumber: Int
    /// The hue in degrees on the color wheel.
    private let hue: Int
    /// The column and row of each filled square, row by row.
    private let squares: [(column: Int, row: Int)]

    /// Creates the picture for the employee with a number.
    public init(employeeNumber: Int) {
        self.employeeNumber = employeeNumber
        var random = SplitMix64(seed: Self.seed, stream: UInt64(bitPattern: Int64(employeeNumber)))
        hue = random.below(360)
        var isFilled = [Bool](repeating: false, count: Self.columns * Self.side)
        // All selections of squares have the same probability (Knuth, *The Art of Computer Programming*, volume 2,
        // algorithm S).
        var left = Self.filled
        for index in isFilled.indices where random.below(isFilled.count - index) < left {
            isFilled[index] = true
            left -= 1
        }
        squares = (0..<Self.side).flatMap { row in
            (0..<Self.side).compactMap { column in
                isFilled[row * Self.columns + min(column, Self.side - 1 - column)] ? (column, row) : nil
            }
        }
    }

    /// The picture as SVG. Both colors have the same hue. Their contrast is more than 3:1 for every hue (WCAG 2.2,
    /// 1.4.11).
    public var svg: String {
        let path = squares.map { "M\($0.column) \($0.row)h1v1h-1z" }.joined()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="112" height="112" viewBox="-1 -1 7 7" role="img" \
            shape-rendering="crispEdges"><title>Employee \(employeeNumber)</title>\
            <path fill="hsl(\(hue),60%,92%)" d="M-1-1h7v7h-7z"/><path fill="hsl(\(hue),60%,30%)" d="\(path)"/></svg>
            """
    }
}

extension ItemRepresentation {
    /// The thumbnails at `/employees/{employeeNumber}/thumbnail`.
    package static let employeeThumbnail = ItemRepresentation(
        of: "employees", key: ["employeeNumber"], "thumbnail", mediaType: "image/svg+xml",
        summary: "A picture of an employee",
        description: "A pattern of squares that depends only on the employee's number.", content: "The picture."
    ) { key in
        guard case .integer(let number)? = key.first else {
            throw ServiceError(.init(rawValue: "unknown-path"), "the key of an employee must be a number")
        }
        return Thumbnail(employeeNumber: Int(number)).svg
    }
}
