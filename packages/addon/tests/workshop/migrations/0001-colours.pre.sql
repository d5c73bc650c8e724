-- Before the schema is brought up to date, on upgrade only.
do $$ begin
  if to_regclass('workshop_bike') is not null then
    update workshop_bike set color = null where color = '';
  end if;
end $$;
