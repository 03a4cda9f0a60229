/// A text that the program prints.
public let nameOfTestSupport = "own TestSupport"
