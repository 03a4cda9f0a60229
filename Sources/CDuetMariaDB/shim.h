#include <mysql.h>
#include <mariadb_rpl.h>
#include <errmsg.h>
#include <mysqld_error.h>
