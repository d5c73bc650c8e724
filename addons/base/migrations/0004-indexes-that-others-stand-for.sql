-- Change sets that wait for the audit trail have an index of their model; this one was of the same rows.
drop index if exists sys_change_set_waiting;
-- Kept answers are found by person and key, and so by person.
drop index if exists sys_idempotency_user_id_idx;
