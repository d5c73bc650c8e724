import type { Env, WriteValues } from '@kontor/addon';
import { customerPaths, fromCustomer } from './from-customer.ts';
import { firstStage, loadStages, type Stage } from './stages.ts';

type Lead = WriteValues<'crm.lead'>;

/** New leads get the team of their salesperson, the first stage of that team, and what follows from the stage. */
export async function fillNewLeads(env: Env, rows: readonly Lead[]): Promise<readonly Lead[]> {
  const stages = await loadStages(env);
  const teamOf = await teamsOf(env, rows);
  const customerOf = await customersOf(env, rows);
  const settingsOf = await companySettings(env, rows);
  const now = env.now.toISOString();
  return rows.map((given) => {
    const settings = settingsOf(given);
    const row = { type: settings?.crm_new_type ?? 'lead', ...given };
    const teamId = row.team_id === undefined ? (teamOf(row) ?? settings?.crm_team_id ?? null) : row.team_id;
    const stage = row.stage_id ? stages.get(row.stage_id) : firstStage(stages, teamId);
    return {
      ...customerOf(row),
      ...row,
      team_id: teamId,
      ...(stage && { stage_id: stage.id }),
      ...(isUnsaid(row) && { probability: probabilityOf(row, stage) }),
      ...(row.type === 'opportunity' && row.date_conversion === undefined && { date_conversion: row.date_open ?? now }),
      ...(row.state && row.state !== 'open' && row.date_closed === undefined && { date_closed: now }),
    };
  });
}

/** What the company of a lead says of new ones. */
async function companySettings(env: Env, rows: readonly Lead[]) {
  const companyOf = (row: Lead) => row.company_id ?? env.actor.companyId;
  const ids = [...new Set(rows.flatMap((row) => companyOf(row) ?? []))];
  const companies = await env.sudo().model('core.company').read(ids, ['crm_new_type', 'crm_team_id']);
  const known = new Map(companies.map((company) => [company.id, company]));
  return (row: Lead) => known.get(companyOf(row) ?? 0);
}

/** What was dropped into a won column is won. */
export async function settleNewLeads(env: Env, ids: readonly number[]): Promise<void> {
  const leads = env.model('crm.lead');
  const won = await leads.search([
    ['id', 'in', ids],
    ['state', '=', 'open'],
    ['stage_id.is_won', '=', true],
  ]);
  if (won.length > 0) await leads.write(won, { state: 'won' });
}

/** A form that has no stage yet sends its default along. */
function isUnsaid({ probability, stage_id: stage }: Lead): boolean {
  return probability === undefined || (!stage && Number(probability) === 0);
}

function probabilityOf({ state }: Lead, stage: Stage | undefined) {
  if (state === 'won' || state === 'lost') return state === 'won' ? 100 : 0;
  return stage?.probability ?? 0;
}

/** The first team that a salesperson leads or works in, in the company of the lead. */
async function teamsOf(env: Env, rows: readonly Lead[]): Promise<(row: Lead) => number | null> {
  if (rows.every((row) => row.team_id !== undefined)) return () => null;
  const server = env.sudo().model('crm.team');
  const teams = await server.searchRead([['active', '=', true]], ['user_id', 'member_ids', 'company_id']);
  return (row) => {
    const userId = row.user_id === undefined ? env.uid : row.user_id;
    const companyId = row.company_id ?? env.actor.companyId;
    const mine = teams.find(
      (team) =>
        (team.company_id === null || team.company_id === companyId) &&
        (team.user_id === userId || team.member_ids.some((id) => id === userId)),
    );
    return mine?.id ?? null;
  };
}

/** What is known of the customers; given values win. */
async function customersOf(env: Env, rows: readonly Lead[]): Promise<(row: Lead) => Lead> {
  const ids = [...new Set(rows.flatMap((row) => row.partner_id ?? []))];
  const partners = ids.length === 0 ? [] : await env.model('core.partner').load(ids, customerPaths);
  const known = new Map(partners.map((partner) => [partner.id, fromCustomer(partner)]));
  return (row) => known.get(row.partner_id ?? 0) ?? {};
}
