do $$
begin
  if exists (select from pg_attribute where attrelid = 'core_partner'::regclass and attname = 'placed_latitude' and not attisdropped) then
    update core_partner set latitude = placed_latitude, longitude = placed_longitude, placed_by_hand = true
      where placed_latitude is not null;
    alter table core_partner drop column placed_latitude, drop column placed_longitude;
  end if;
end $$;
