/// The keys by which clients name things, as texts: in a path, or as GraphQL's ID.
public enum Identifier {
    /// - Throws: ``ServiceError`` for anything but a whole number that fits.
    public static func employeeNumber(_ text: String) throws -> Int {
        guard text.utf8.count <= 10, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), (1...Int(Int32.max)).contains(number)
        else {
            throw ServiceError(
                .invalidParameter, "an employee number is a whole number from 1 to \(Int32.max)",
                parameter: "employeeNumber")
        }
        return number
    }

    /// - Throws: ``ServiceError`` for anything but one to four letters and digits.
    public static func departmentNumber(_ text: String) throws -> String {
        guard (1...4).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) })
        else {
            throw ServiceError(
                .invalidParameter, "a department number is up to four letters and digits, as in d005",
                parameter: "departmentNumber")
        }
        return text
    }
}
