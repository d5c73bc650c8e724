-- Whole days were kept from midnight to midnight of the meeting's zone; now they are days of UTC.
update calendar_event
  set start = date_trunc('day', start at time zone tz) at time zone 'UTC',
    stop = greatest(
      date_trunc('day', start at time zone tz) + interval '1 day',
      date_trunc('day', (stop at time zone tz) + interval '1 day' - interval '1 microsecond')
    ) at time zone 'UTC'
  where all_day and (start <> date_trunc('day', start, 'UTC') or stop <> date_trunc('day', stop, 'UTC') or stop <= start);
