/// A text that the program prints.
public let nameOfEmployees = "own Employees"
