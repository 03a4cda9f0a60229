/// The label of a column in a statement.
enum SQLLabel {
    /// The label, in quotes if it is a word that SQLite or MariaDB reserves; both take MariaDB's quotes.
    static func quoted(_ label: String) -> String {
        reserved.contains(label.lowercased()) ? "`\(label)`" : label
    }

    /// The reserved words of both that a field may well be called.
    private static let reserved: Set<String> = Set(
        """
        add all alter analyze and any as asc before between both by call cascade case change character check collate column \
        condition constraint continue convert create cross current cursor database databases day declare default delayed delete \
        desc describe distinct div double drop dual each else end escape except exists exit explain false fetch float for force \
        foreign from full fulltext function general grant group having hour if ignore in index inner inout insert int integer \
        intersect interval into is iterate join key keys kill leading leave left like limit linear lines load localtime lock long \
        loop master match merge minute mod natural new no not null numeric of off offset on optimize option or order out outer \
        over overwrite partition position precision primary procedure purge range rank read real recursive references regexp \
        release rename repeat replace require resignal restrict return returning revoke right rlike row rows rownum schema schemas \
        second select sensitive separator set show signal smallint spatial specific sql sqlexception sqlstate sqlwarning ssl \
        starting stats system table terminated text then time timestamp to trailing transaction trigger true undo union unique \
        unlock unsigned update usage use using value values varchar varying view virtual when where while window with write xor \
        year
        """.split(separator: " ").map(String.init))
}
