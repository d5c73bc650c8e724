-- Change sets that wait for their place in the audit trail are found without looking at the others.
create index if not exists sys_change_set_waiting on sys_change_set (id) where is_chained is not true;
update sys_change_set set uid = create_uid where uid is null;
