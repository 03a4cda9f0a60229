/// A picture that stands for an employee: a pattern of squares, the same on its left and its right, in one of 360 colours.
///
/// It is drawn from the number and nothing else, so it is the same on every server, and stays the same when a name changes.
public struct Thumbnail: Sendable {
    /// Squares in a row, and rows.
    private static let side = 5
    /// Columns that are drawn; the others mirror them.
    private static let columns = (side + 1) / 2
    /// Filled squares among those drawn: always as many, so that no picture is empty, and none a block.
    private static let filled = 8
    /// Any other makes other pictures.
    private static let seed: UInt64 = 1

    private let employeeNumber: Int
    /// On the colour wheel, in degrees.
    private let hue: Int
    /// Column and row of each filled square, row by row.
    private let squares: [(column: Int, row: Int)]

    /// The picture of the employee with that number.
    public init(employeeNumber: Int) {
        self.employeeNumber = employeeNumber
        var random = SplitMix64(seed: Self.seed, stream: UInt64(bitPattern: Int64(employeeNumber)))
        hue = random.below(360)
        var isFilled = [Bool](repeating: false, count: Self.columns * Self.side)
        // Each square is as likely to be one of those as any other (Knuth, algorithm S).
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

    /// The picture as SVG. Both colours have the same hue; at these shades they are told apart by more than 3 to 1, whatever it is
    /// (WCAG 2.2, 1.4.11).
    public var svg: String {
        let path = squares.map { "M\($0.column) \($0.row)h1v1h-1z" }.joined()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="112" height="112" viewBox="-1 -1 7 7" role="img" \
            shape-rendering="crispEdges"><title>Employee \(employeeNumber)</title>\
            <path fill="hsl(\(hue),60%,92%)" d="M-1-1h7v7h-7z"/><path fill="hsl(\(hue),60%,30%)" d="\(path)"/></svg>
            """
    }
}
