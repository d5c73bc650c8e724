-- Once, after the schema is brought up to date.
update workshop_bike set color = lower(color) where color is not null;
