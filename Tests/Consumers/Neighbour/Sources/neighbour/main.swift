import Comparison
import DuetGraphQL
import DuetJSON
import Employees
import GraphQL
import JSON
import TestSupport

let document = try DuetGraphQL.Parser.parse("{ greeting }")
let value = try DuetJSON.JSONValue(parsing: "[1]".utf8)
print(document.definitions.count, value, GraphQL.Parser.name, JSON.JSONValue.name)
print(nameOfComparison, nameOfEmployees, nameOfTestSupport)
