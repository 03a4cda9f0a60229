/// Upper bounds of a histogram's buckets.
public enum HistogramBuckets {
    /// In seconds, for what a client waits for.
    public static let requestSeconds = [
        0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// In seconds, for the parts of it: a statement may take some ten microseconds.
    public static let statementSeconds = [0.000_025, 0.000_05, 0.000_1, 0.000_25] + requestSeconds
    /// For numbers of which nothing is known.
    public static let powersOfTen = [0.001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
}
