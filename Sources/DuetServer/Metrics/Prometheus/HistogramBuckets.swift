/// The upper bounds of a histogram's buckets.
public enum HistogramBuckets {
    /// Bounds in seconds for the duration of requests.
    public static let requestSeconds = [
        0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Bounds in seconds for the duration of statements, which can take about ten microseconds.
    public static let statementSeconds = [0.000_025, 0.000_05, 0.000_1, 0.000_25] + requestSeconds
    /// Bounds for numbers of an unknown range.
    public static let powersOfTen = [0.001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
}
