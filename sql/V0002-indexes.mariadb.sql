-- The keys that lists can be sorted and filtered by, each with the employee's number behind it.

CREATE INDEX IF NOT EXISTS employees_last_name ON employees (last_name, emp_no);
CREATE INDEX IF NOT EXISTS employees_first_name ON employees (first_name, emp_no);
CREATE INDEX IF NOT EXISTS employees_hire_date ON employees (hire_date, emp_no);
CREATE INDEX IF NOT EXISTS employees_birth_date ON employees (birth_date, emp_no);
CREATE INDEX IF NOT EXISTS dept_emp_department ON dept_emp (dept_no, emp_no);
CREATE INDEX IF NOT EXISTS dept_manager_department ON dept_manager (dept_no, from_date DESC, emp_no);
