-- The original's six tables, keys and views. Periods are kept newest first, which is the order they are read in.
-- A table that is there already, with the original's columns, is left as it is.

CREATE TABLE IF NOT EXISTS employees (
    emp_no      INTEGER     NOT NULL PRIMARY KEY,
    birth_date  DATE        NOT NULL CHECK (birth_date IS date(birth_date)),
    first_name  VARCHAR(14) NOT NULL CHECK (length(first_name) <= 14),
    last_name   VARCHAR(16) NOT NULL CHECK (length(last_name) <= 16),
    gender      CHAR(1)     NOT NULL CHECK (gender IN ('M', 'F')),
    hire_date   DATE        NOT NULL CHECK (hire_date IS date(hire_date))
);

CREATE TABLE IF NOT EXISTS departments (
    dept_no     CHAR(4)     NOT NULL PRIMARY KEY,
    dept_name   VARCHAR(40) NOT NULL UNIQUE
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS dept_manager (
    emp_no      INTEGER     NOT NULL REFERENCES employees (emp_no) ON DELETE CASCADE,
    dept_no     CHAR(4)     NOT NULL REFERENCES departments (dept_no) ON DELETE CASCADE,
    from_date   DATE        NOT NULL CHECK (from_date IS date(from_date)),
    to_date     DATE        NOT NULL CHECK (to_date IS date(to_date)),
    PRIMARY KEY (emp_no, dept_no)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS dept_emp (
    emp_no      INTEGER     NOT NULL REFERENCES employees (emp_no) ON DELETE CASCADE,
    dept_no     CHAR(4)     NOT NULL REFERENCES departments (dept_no) ON DELETE CASCADE,
    from_date   DATE        NOT NULL CHECK (from_date IS date(from_date)),
    to_date     DATE        NOT NULL CHECK (to_date IS date(to_date)),
    PRIMARY KEY (emp_no, dept_no)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS titles (
    emp_no      INTEGER     NOT NULL REFERENCES employees (emp_no) ON DELETE CASCADE,
    title       VARCHAR(50) NOT NULL,
    from_date   DATE        NOT NULL CHECK (from_date IS date(from_date)),
    to_date     DATE        CHECK (to_date IS date(to_date)),
    PRIMARY KEY (emp_no, from_date DESC, title)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS salaries (
    emp_no      INTEGER     NOT NULL REFERENCES employees (emp_no) ON DELETE CASCADE,
    salary      INTEGER     NOT NULL,
    from_date   DATE        NOT NULL CHECK (from_date IS date(from_date)),
    to_date     DATE        NOT NULL CHECK (to_date IS date(to_date)),
    PRIMARY KEY (emp_no, from_date DESC)
) WITHOUT ROWID;

CREATE VIEW IF NOT EXISTS dept_emp_latest_date AS
    SELECT emp_no, MAX(from_date) AS from_date, MAX(to_date) AS to_date
    FROM dept_emp
    GROUP BY emp_no;

-- Only the current department of each employee.
CREATE VIEW IF NOT EXISTS current_dept_emp AS
    SELECT latest.emp_no, dept_no, latest.from_date, latest.to_date
    FROM dept_emp AS assignment
    INNER JOIN dept_emp_latest_date AS latest
        ON assignment.emp_no = latest.emp_no
        AND assignment.from_date = latest.from_date
        AND assignment.to_date = latest.to_date;
