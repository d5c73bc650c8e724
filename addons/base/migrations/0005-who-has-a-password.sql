-- Whoever has none is invited; the others can have theirs reset.
update core_user set has_password = true where password is not null;
