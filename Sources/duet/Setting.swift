import ArgumentParser
import Configuration
import Foundation

/// Settings from the environment, for options that the command line does not give: `--pool-size` is `DUET_POOL_SIZE`.
struct Environment {
    private let reader = ConfigReader(provider: EnvironmentVariablesProvider())

    /// The option's value, else the environment's, else the default.
    /// - Throws: `ValidationError` that names the variable and what it should be.
    func value<Value: ExpressibleByArgument>(_ option: Value?, _ name: String, default standard: Value) throws -> Value
    {
        try value(option, name) ?? standard
    }

    /// The option's value, else the environment's.
    func value<Value: ExpressibleByArgument>(_ option: Value?, _ name: String) throws -> Value? {
        if let option { return option }
        let key = "duet." + name.replacing("-", with: ".")
        guard let text = reader.string(forKey: ConfigKey(stringLiteral: key), isSecret: name == "database"),
            !text.isEmpty
        else { return nil }
        guard let value = Value(argument: text) else {
            let variable = "DUET_" + name.uppercased().replacing("-", with: "_")
            throw ValidationError(
                name == "database"
                    ? "\(variable) cannot be used" : "\(variable) cannot be \"\(text)\"; see --help for --\(name)")
        }
        return value
    }

    /// The same for a number.
    /// - Throws: `ValidationError` for one out of range, too.
    func number(_ option: Int?, _ name: String, _ standard: Int, in range: ClosedRange<Int>) throws -> Int {
        let number = try value(option, name, default: standard)
        guard range.contains(number) else {
            throw ValidationError("--\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
