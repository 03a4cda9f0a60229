/// A text that the program prints.
public let nameOfComparison = "own Comparison"
