import ArgumentParser
import Configuration

/// A setting of a command: an option such as `--pool-size` and the environment variable `DUET_POOL_SIZE`.
///
/// It is the single definition of the name, the default and the valid values for the help text, the parser and the
/// error messages.
struct Setting<Argument: ExpressibleByArgument & Sendable, Value: Sendable>: Sendable {
    /// The name of the option, without dashes.
    let name: String
    /// The value if neither the command line nor the environment contains a value.
    let defaultValue: Value
    /// The help text of the option, with the variable and the default.
    let help: ArgumentHelp
    /// The description of the valid arguments, such as "a number from 1 to 9".
    private let requirement: String
    /// Converts an argument; returns nil if the argument is invalid.
    private let convert: @Sendable (Argument) -> Value?

    /// - Parameters:
    ///   - summary: The sentence of the help text, without its final period.
    ///   - valueName: The name of the argument in the help text, such as `bytes`; nil for a flag.
    ///   - defaultText: The default as shown in the help text.
    init(
        _ name: String, _ summary: String, valueName: String?, default defaultValue: Value, defaultText: String,
        requirement: String, convert: @escaping @Sendable (Argument) -> Value?
    ) {
        self.name = name
        self.defaultValue = defaultValue
        self.requirement = requirement
        self.convert = convert
        help = ArgumentHelp(
            "\(summary). (environment: \(Self.variable(name)); default: \(defaultText))", valueName: valueName)
    }

    /// Returns the value from the command line, otherwise from the environment variable, otherwise the default.
    /// - Throws: `ValidationError` with the name of the option or the variable, and the valid values.
    func value(_ argument: Argument?) throws -> Value {
        if let argument {
            guard let value = convert(argument) else { throw ValidationError("--\(name) must be \(requirement)") }
            return value
        }
        guard let text = environmentText else { return defaultValue }
        guard let value = Argument(argument: text).flatMap(convert) else {
            throw ValidationError("\(Self.variable(name)) must be \(requirement), not \"\(text)\"")
        }
        return value
    }

    /// Returns the source of the value for error messages: `DUET_POOL_SIZE` if the value comes from the environment,
    /// otherwise `--pool-size`.
    func source(_ argument: Argument?) -> String {
        argument == nil && environmentText != nil ? Self.variable(name) : "--\(name)"
    }

    /// True if the command line or the environment contains a value.
    func isSet(_ argument: Argument?) -> Bool { argument != nil || environmentText != nil }

    private var environmentText: String? {
        let key = ConfigKey(stringLiteral: "duet." + name.replacing("-", with: "."))
        // A database URL can contain a password.
        let text = environment.string(forKey: key, isSecret: true)
        return text?.isEmpty == false ? text : nil
    }

    private static func variable(_ name: String) -> String {
        "DUET_" + name.uppercased().replacing("-", with: "_")
    }
}

private let environment = ConfigReader(provider: EnvironmentVariablesProvider())

/// A secret that only an environment variable can contain.
enum SecretVariable {
    /// Returns the value of a variable such as `DUET_TOKEN_SECRET`; nil if it is not set or empty.
    static func value(of name: String) -> String? {
        let key = ConfigKey(stringLiteral: name.lowercased().replacing("_", with: "."))
        let text = environment.string(forKey: key, isSecret: true)
        return text?.isEmpty == false ? text : nil
    }
}

// MARK: - Kinds of settings

extension Setting where Value == Argument {
    /// Creates a setting for a flag, a case of an enumeration, or a text.
    init(
        _ name: String, _ summary: String, valueName: String? = nil, default value: Value, defaultText: String? = nil
    ) {
        // The requirement lists the cases of an enumeration. A text is always valid.
        let cases = Argument.allValueStrings
        self.init(
            name, summary, valueName: valueName, default: value,
            defaultText: defaultText ?? value.defaultValueDescription,
            requirement: cases.isEmpty ? "true or false" : "one of \(cases.joined(separator: ", "))"
        ) { $0 }
    }
}

extension Setting where Argument: Comparable {
    /// Creates a setting for a number.
    /// - Parameter unit: The unit in the plural; nil for a number without a unit.
    init(
        _ name: String, _ summary: String, default value: Value, defaultText: String, in range: ClosedRange<Argument>,
        unit: String? = nil, convert: @escaping @Sendable (Argument) -> Value
    ) {
        let limits = (plain(range.lowerBound), plain(range.upperBound))
        self.init(
            name, "\(summary) (\(limits.0) to \(limits.1)\(unit.map { " \($0)" } ?? ""))", valueName: unit ?? "number",
            default: value, defaultText: defaultText,
            requirement: "a number\(unit.map { " of \($0)" } ?? "") from \(limits.0) to \(limits.1)"
        ) { range.contains($0) ? convert($0) : nil }
    }

    /// Creates a setting for a number with a fixed default.
    init(_ name: String, _ summary: String, default value: Value, in range: ClosedRange<Value>, unit: String? = nil)
    where Value == Argument {
        self.init(name, summary, default: value, defaultText: "\(value)", in: range, unit: unit) { $0 }
    }

    /// Creates a setting for a duration in seconds.
    init(_ name: String, _ summary: String, default value: Duration, in range: ClosedRange<Double> = 0.001...86_400)
    where Argument == Double, Value == Duration {
        self.init(
            name, summary, default: value, defaultText: plain(value / Duration.seconds(1)), in: range, unit: "seconds"
        ) { .seconds($0) }
    }
}

/// Formats a number. A whole number has no fraction.
private func plain(_ number: some Any) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

// MARK: - Options

extension Option {
    /// Creates the option of a setting. Its value is nil if the option is not on the command line.
    init<Argument, Configured>(_ setting: Setting<Argument, Configured>) where Value == Argument? {
        self.init(name: .customLong(setting.name), help: setting.help)
    }
}

extension Option {
    /// Creates an option that can be repeated. Its value is empty if the option is not on the command line.
    init<Configured>(wrappedValue: [String], _ setting: Setting<String, Configured>) where Value == [String] {
        self.init(wrappedValue: wrappedValue, name: .customLong(setting.name), help: setting.help)
    }
}

extension Flag where Value == Bool? {
    /// Creates the flag of a setting and its inversion. The value is nil if neither is on the command line.
    init<Configured>(_ setting: Setting<Bool, Configured>) {
        self.init(name: .customLong(setting.name), inversion: .prefixedNo, help: setting.help)
    }
}
