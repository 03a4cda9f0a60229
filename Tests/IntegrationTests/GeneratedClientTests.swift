import Foundation
import ProcessTesting
import Testing

/// A Python client that is generated from the OpenAPI document.
@Suite("Generated client") struct GeneratedClientTests {
    @Test(
        "openapi-python-client accepts the whole document, and its client reads and writes an employee",
        .enabled("\(PythonClientGenerator.requirement)", PythonClientGenerator.install))
    func python() async throws {
        try await SampleDatabase.with { folder, url in
            try Checkout.text("openapi/openapi.yaml").write(
                to: folder.appending(path: "openapi.yaml"), atomically: true, encoding: .utf8)
            try Checkout.text("openapi/python-client.yaml").write(
                to: folder.appending(path: "python-client.yaml"), atomically: true, encoding: .utf8)
            let generated = try await PythonClientGenerator.shell(
                """
                openapi-python-client generate --path openapi.yaml --config python-client.yaml --meta none \
                    --output-path duet_client
                """, in: folder)
            #expect(generated.status == 0, "\(generated.errors)")
            let said = generated.output + generated.errors
            #expect(!said.localizedCaseInsensitiveContains("warning"), "\(said)")
            try Self.script.write(to: folder.appending(path: "use.py"), atomically: true, encoding: .utf8)
            try await Server.with(["--database", url], in: folder) { server in
                let used = try await Program.run(["use.py", server.base], of: PythonClientGenerator.python, in: folder)
                #expect(used.status == 0, "\(used.errors)")
                #expect(
                    used.output == """
                        Koblick Senior Engineer 817794000000
                        F True
                        M True
                        1 True
                        Ada Okonkwo
                        Ada Reyes 1000699200000

                        """)
            }
        }
    }

    private static let script = """
        import datetime, sys
        from duet_client import Client
        from duet_client.api.employees import create_employee, get_employee, list_employees, update_employee
        from duet_client.models import EmployeeAggregateGroup, EmployeeChanges, EmployeeField, Gender, NewEmployee

        client = Client(base_url=sys.argv[1])
        employee = get_employee.sync(10004, client=client, details=["titles"], titles_first=1)
        print(employee.last_name, employee.titles[0].title, employee.titles[0].from_date)
        # No member of a row is required, so the client reads groups as rows.
        for row in list_employees.sync(client=client, group="gender", aggregate="count,hireDate.max"):
            group = EmployeeAggregateGroup.from_dict(row.to_dict())
            print(group.gender, group.count > 1 and group.hire_date_max > 0)
        total = list_employees.sync(client=client, aggregate="count", employee_number=10004)
        row = list_employees.sync(
            client=client, details=["titles"], titles_first=0, titles_aggregate="count", employee_number=10004)[0]
        print(total.count, row.titles_aggregate.count == 2)
        person = NewEmployee(first_name="Ada", last_name="Okonkwo", birth_date=datetime.date(1970, 3, 1),
            gender=Gender.F, hire_date=datetime.date(2001, 9, 17))
        made = create_employee.sync(client=client, body=person)
        print(made.first_name, made.last_name)
        changed = update_employee.sync(made.employee_number, client=client, body=EmployeeChanges(last_name="Reyes"),
            fields=[EmployeeField.FIRSTNAME, EmployeeField.LASTNAME, EmployeeField.HIREDATE])
        print(changed.first_name, changed.last_name, changed.hire_date)

        """
}
