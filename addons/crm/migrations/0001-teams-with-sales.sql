-- Teams are those of sales now. The members of those that were joined are united.
do $$
begin
  if to_regclass('crm_team_member_rel') is not null then
    insert into sale_team_member_ids_rel (sale_team_id, core_user_id)
      select team_id, user_id from crm_team_member_rel on conflict do nothing;
  end if;
end $$;
drop table if exists crm_team_member_rel;
-- Demonstration teams keep their names, and get those under which they are shared.
insert into sys_model_data (module, name, model, res_id, noupdate)
  select 'team', name, model, res_id, true from sys_model_data
  where module = 'crm' and name in ('team_europe', 'team_overseas')
  on conflict do nothing;
