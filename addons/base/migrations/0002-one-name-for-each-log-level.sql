-- A level has one name, that of the key log_level.
update sys_log set level = 'warn' where level = 'warning';
