/// The names of tables and columns in a statement.
public enum SQLIdentifier {
    /// Returns the name in a form that both databases accept. A *word* consists of ASCII letters, digits and
    /// underscores, and does not begin with a digit. A word that neither database reserves is returned unchanged. Any
    /// other name is enclosed in backticks, and each backtick in the name is doubled.
    ///
    /// SQLite accepts both backticks and double quotes (sqlite.org/lang_keywords.html). With backticks, an unknown name
    /// is an error. With double quotes, SQLite would treat an unknown name as a string literal.
    public static func quoted(_ name: String) -> String {
        let isPlain = isWord(name) && !reserved.contains(name.lowercased())
        return isPlain ? name : "`\(name.replacing("`", with: "``"))`"
    }

    private static func isWord(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    /// The words, in lower case, that SQLite or MariaDB does not accept as the unquoted name of a table or a column, or
    /// as an unquoted alias. The words of SQLite 3.40 and MariaDB 10.11 were found by testing all their keywords. The
    /// list also contains some words of other versions.
    static let reserved: Set<String> = words.union(characterSets.map { "_\($0)" })

    private static let words: Set<String> = list(
        """
        accessible add all alter analyze and any as asc asensitive autoincrement before between bigint binary \
        blob both by call cascade case cast change char character check collate column commit condition \
        constraint continue convert create cross cube current current_date current_role current_time \
        current_timestamp current_user cursor database databases day day_hour day_microsecond day_minute \
        day_second dec decimal declare default deferrable delayed delete delete_domain_id desc describe \
        deterministic distinct distinctrow div do_domain_ids double drop dual each else elseif enclosed end \
        escape escaped except exists exit explain false fetch float float4 float8 for force foreign from full \
        fulltext function general grant group having high_priority hour hour_microsecond hour_minute hour_second \
        if ignore ignore_domain_ids ignore_server_ids in index infile inner inout insensitive insert int int1 \
        int2 int3 int4 int8 integer intersect interval into is isnull iterate join key keys kill leading leave \
        left like limit linear lines load localtime localtimestamp lock long longblob longtext loop low_priority \
        master master_demote_to_replica master_demote_to_slave master_heartbeat_period \
        master_ssl_verify_server_cert match maxvalue mediumblob mediumint mediumtext merge middleint minute \
        minute_microsecond minute_second mod modifies natural new no no_write_to_binlog not nothing notnull null \
        numeric of off offset on optimize option optionally or order out outer outfile over overwrite \
        page_checksum parse_vcol_expr partition portion position precision primary procedure purge raise range \
        rank read read_write reads real recursive ref_system_id references regexp release rename repeat replace \
        require resignal restrict return returning revoke right rlike rollup row row_number rownum rows schema \
        schemas second second_microsecond select sensitive separator set show signal smallint spatial specific \
        sql sql_big_result sql_buffer_result sql_cache sql_calc_found_rows sql_no_cache sql_small_result \
        sqlexception sqlstate sqlwarning ssl starting stats stats_auto_recalc stats_persistent stats_sample_pages \
        straight_join system table terminated text then time timestamp tinyblob tinyint tinytext to \
        trailing transaction trigger true undo union unique unlock unsigned update usage use using utc_date \
        utc_time utc_timestamp value values varbinary varchar varcharacter varying vector view virtual when where \
        while window with write xor year year_month zerofill
        """)

    /// The names of MariaDB's character sets. With a leading underscore, such a name sets the character set of the
    /// following string literal.
    private static let characterSets: Set<String> = list(
        """
        armscii8 ascii big5 binary cp1250 cp1251 cp1256 cp1257 cp850 cp852 cp866 cp932 dec8 eucjpms euckr gb2312 \
        gbk geostd8 greek hebrew hp8 keybcs2 koi8r koi8u latin1 latin2 latin5 latin7 macce macroman sjis swe7 \
        tis620 ucs2 ujis utf16 utf16le utf32 utf8 utf8mb3 utf8mb4
        """)

    private static func list(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }
}
