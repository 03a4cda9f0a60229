/// Functions that convert English nouns, in lower case, between singular and plural.
///
/// If two nouns have the same plural, the noun that is more common in the names of tables is returned: the singular of
/// `bases` is `base`, not `basis`.
enum EnglishNoun {
    /// Returns the singular of a plural. Any other word is returned unchanged. Returns `nil` for a noun whose singular
    /// and plural are equal.
    static func singular(_ word: String) -> String? {
        if isInvariable(word) { return nil }
        if let noun = nouns[word] { return noun }
        if plurals[word] != nil || singulars.contains(word) { return word }
        if let noun = person(word, "men", "man") { return noun }
        return withoutS(word)
    }

    /// Returns the plural of a singular. A plural is returned unchanged. Returns `nil` for a noun whose singular and
    /// plural are equal.
    static func plural(_ word: String) -> String? {
        guard let singular = singular(word) else { return nil }
        if singular != word { return word }
        return plurals[word] ?? person(word, "man", "men") ?? withS(word)
    }

    private static func isInvariable(_ word: String) -> Bool {
        invariable.contains(word) || word.hasSuffix("ware") || (word.hasSuffix("data") && word != "datas")
    }

    /// Converts `salesmen` to `salesman` and `woman` to `women`, but does not convert `specimen` or `human`.
    private static func person(_ word: String, _ ending: String, _ other: String) -> String? {
        guard word.hasSuffix(ending), word.hasSuffix("wo" + ending) || !noPersons.contains(where: word.hasSuffix) else {
            return nil
        }
        return word.dropLast(ending.count) + other
    }

    private static func withoutS(_ word: String) -> String {
        func dropping(_ count: Int, _ ending: String = "") -> String { word.dropLast(count) + ending }
        func ends(in endings: [String]) -> Bool { endings.contains(where: word.hasSuffix) }
        guard word.hasSuffix("s"), word.utf8.count > 2 else { return word }
        if ends(in: ["ss", "us", "is"]) { return word }
        if word.hasSuffix("ies") { return isIE(dropping(1)) ? dropping(1) : dropping(3, "y") }
        if ends(in: ["sses", "shes", "xes", "zzes", "tzes"]) { return dropping(2) }
        if word.hasSuffix("ches") { return endsInChe(dropping(1)) ? dropping(1) : dropping(2) }
        if word.hasSuffix("oes") { return endsInOE(dropping(1)) ? dropping(1) : dropping(2) }
        // The singulars of `statuses` and `campuses` end in `us`. The singulars of `causes`, `houses` and `uses` end in
        // `use`.
        if word.hasSuffix("uses") {
            return ends(in: ["auses", "ouses"]) || use.contains(dropping(1)) ? dropping(1) : dropping(2)
        }
        return dropping(1)
    }

    private static func withS(_ word: String) -> String {
        func ends(in endings: [String]) -> Bool { endings.contains(where: word.hasSuffix) }
        if word.hasSuffix("y"), let before = word.dropLast().last, !"aeou".contains(before) || word.hasSuffix("quy") {
            return word.dropLast() + "ies"
        }
        if word.hasSuffix("sis") { return word.dropLast(2) + "es" }
        if word.hasSuffix("ch"), hardCH.contains(where: word.hasSuffix) { return word + "s" }
        if ends(in: ["s", "x", "z", "ch", "sh"]) || esAfterO.contains(word) { return word + "es" }
        return word + "s"
    }

    /// Returns true if the singular ends in `ie`: the word has one letter before `ie`, is in a list, or is a compound
    /// that ends with a listed word.
    private static func isIE(_ word: String) -> Bool {
        word.utf8.count <= 3 || ie.contains { word == $0 || ($0.utf8.count > 3 && word.hasSuffix($0)) }
    }

    private static func endsInChe(_ word: String) -> Bool {
        word.hasSuffix("cache") || word.hasSuffix("headache") || che.contains(word)
    }

    private static func endsInOE(_ word: String) -> Bool { word.hasSuffix("shoe") || oe.contains(word) }
}
