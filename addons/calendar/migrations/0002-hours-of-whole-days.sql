-- Whole days had no hours; now they have those that people work on them, eight from Monday to Friday.
update calendar_event
  set hours = 8 * (select count(*) from generate_series(start, greatest(stop - interval '1 day', start), interval '1 day') day
    where extract(isodow from day at time zone 'UTC') < 6)
  where all_day and start is not null and stop is not null;
