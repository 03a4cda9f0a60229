import Testing

@testable import DuetSQLDatabase

@Suite("The table that a statement changes")
struct StatementTargetTests {
    @Test(
        "The text names the table",
        arguments: [
            ("INSERT INTO orders (id) VALUES (1)", "orders"), ("insert ignore into `Order``s` SELECT 1", "order`s"),
            ("INSERT OR REPLACE INTO \"a b\" VALUES (1)", "a b"), ("REPLACE INTO t VALUES (1)", "t"),
            ("UPDATE orders SET a = 1", "orders"), ("UPDATE OR IGNORE t AS x SET a = 1", "t"),
            ("DELETE FROM orders", "orders"), ("DELETE FROM t AS x WHERE x.a = 1", "t"),
            ("DELETE x FROM t AS x WHERE x.a = 1", "t"), ("\n  delete from t RETURNING a", "t"),
            ("INSERT INTO größe VALUES (1)", "größe"),
        ])
    func table(_ sql: String, _ name: String) {
        #expect(StatementTarget(of: sql) == .table(name))
    }

    @Test(
        "A read changes no table", arguments: ["SELECT 1", "  select a FROM t FOR UPDATE", "SAVEPOINT a", "EXPLAIN x"])
    func none(_ sql: String) {
        #expect(StatementTarget(of: sql) == .none)
    }

    @Test(
        "Any other statement can change any table",
        arguments: [
            "", "CREATE TABLE t (a)", "WITH x AS (SELECT 1) DELETE FROM t", "UPDATE a JOIN b SET a.x = 1",
            "UPDATE a, b SET a.x = 1", "INSERT INTO other.t VALUES (1)", "UPDATE other.t SET a = 1",
            "DELETE FROM other.t", "DELETE a, b FROM a JOIN b", "DELETE FROM a USING a JOIN b", "CALL f()",
            "/* x */ DELETE FROM t", "TRUNCATE t", "INSERT t (a) VALUES (1)", "INSERT IGNORE t VALUES (1)",
            "INSERT INTO `t", "UPDATE",
        ])
    func unknown(_ sql: String) {
        #expect(StatementTarget(of: sql) == .unknown)
    }
}
