-- Events are kept without keys to users and companies: both may be deleted in the transaction that tells of it.
alter table sys_outbox drop constraint if exists sys_outbox_user_id_fk, drop constraint if exists sys_outbox_company_id_fk;
