-- The positions that are there were given by people. They step aside, so that the columns are new and filled by the addresses.
do $$
begin
  if exists (select from pg_attribute where attrelid = 'core_partner'::regclass and attname = 'latitude' and not attisdropped) then
    alter table core_partner rename column latitude to placed_latitude;
    alter table core_partner rename column longitude to placed_longitude;
  end if;
end $$;
