import ArgumentParser
import Configuration

/// A setting of a command: an option such as `--pool-size` and the environment variable `DUET_POOL_SIZE`.
///
/// It defines the name, the default and the valid values once, for the help text, the parser and the errors.
struct Setting<Argument: ExpressibleByArgument & Sendable, Value: Sendable>: Sendable {
    /// The option's name without dashes.
    let name: String
    /// The value if neither the command line nor the environment has one.
    let defaultValue: Value
    /// The option's help text, with the variable and the default.
    let help: ArgumentHelp
    /// The valid arguments, such as "a number from 1 to 9".
    private let requirement: String
    /// Returns `nil` for an argument that is not valid.
    private let convert: @Sendable (Argument) -> Value?

    /// - Parameters:
    ///   - summary: the help sentence, without its full stop.
    ///   - valueName: the argument's name in the help, such as `bytes`; `nil` for a flag.
    ///   - defaultText: the default as the help shows it.
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

    /// The value of the command line's argument, else of the environment variable, else the default.
    /// - Throws: `ValidationError` that names the option or the variable, and the valid values.
    func value(_ argument: Argument?) throws -> Value {
        if let argument {
            guard let value = convert(argument) else { throw ValidationError("--\(name) is \(requirement)") }
            return value
        }
        guard let text = environmentText else { return defaultValue }
        guard let value = Argument(argument: text).flatMap(convert) else {
            throw ValidationError("\(Self.variable(name)) is \(requirement), not \"\(text)\"")
        }
        return value
    }

    /// The source of the value, for errors: `DUET_POOL_SIZE` if the environment gives the value, else `--pool-size`.
    func source(_ argument: Argument?) -> String {
        argument == nil && environmentText != nil ? Self.variable(name) : "--\(name)"
    }

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

// MARK: - Kinds of settings

extension Setting where Value == Argument {
    /// A flag, a case of an enumeration, or a text.
    init(
        _ name: String, _ summary: String, valueName: String? = nil, default value: Value, defaultText: String? = nil
    ) {
        // An enumeration lists its cases, and every text is valid.
        let cases = Argument.allValueStrings
        self.init(
            name, summary, valueName: valueName, default: value,
            defaultText: defaultText ?? value.defaultValueDescription,
            requirement: cases.isEmpty ? "true or false" : "one of \(cases.joined(separator: ", "))"
        ) { $0 }
    }
}

extension Setting where Argument: Comparable {
    /// A number.
    /// - Parameter unit: in the plural; `nil` for a number without a unit.
    init(
        _ name: String, _ summary: String, default value: Value, defaultText: String, in range: ClosedRange<Argument>,
        unit: String? = nil, convert: @escaping @Sendable (Argument) -> Value
    ) {
        let limits = (plain(range.lowerBound), plain(range.upperBound))
        self.init(
            name, "\(summary), \(limits.0) to \(limits.1)\(unit.map { " \($0)" } ?? "")", valueName: unit ?? "number",
            default: value, defaultText: defaultText,
            requirement: "a number\(unit.map { " of \($0)" } ?? "") from \(limits.0) to \(limits.1)"
        ) { range.contains($0) ? convert($0) : nil }
    }

    /// A number with a fixed default.
    init(_ name: String, _ summary: String, default value: Value, in range: ClosedRange<Value>, unit: String? = nil)
    where Value == Argument {
        self.init(name, summary, default: value, defaultText: "\(value)", in: range, unit: unit) { $0 }
    }

    /// A time in seconds.
    init(_ name: String, _ summary: String, default value: Duration, in range: ClosedRange<Double> = 0.001...86_400)
    where Argument == Double, Value == Duration {
        self.init(
            name, summary, default: value, defaultText: plain(value / Duration.seconds(1)), in: range, unit: "seconds"
        ) { .seconds($0) }
    }
}

/// A number without the fraction of a whole one.
private func plain(_ number: some Any) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

// MARK: - Options

extension Option {
    /// The option of a setting; its value is `nil` if the command line does not have it.
    init<Argument, Configured>(_ setting: Setting<Argument, Configured>) where Value == Argument? {
        self.init(name: .customLong(setting.name), help: setting.help)
    }
}

extension Flag where Value == Bool? {
    /// The flag of a setting and its inversion; the value is `nil` if the command line has neither.
    init<Configured>(_ setting: Setting<Bool, Configured>) {
        self.init(name: .customLong(setting.name), inversion: .prefixedNo, help: setting.help)
    }
}
