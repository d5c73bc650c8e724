import type { Env, Loaded, WriteValues } from '@kontor/addon';
import { firstStage, loadStages, type Stages, wonStage } from './stages.ts';

type Change = WriteValues<'crm.lead'>;
const paths = [
  'state',
  'type',
  'stage_id.id',
  'stage_before_id.id',
  'team_id.id',
  'date_conversion',
  'lost_reason_id.id',
] as const;
type Lead = Loaded<'crm.lead', (typeof paths)[number]>;

/**
 * State, stage and dates go together, whoever changes which: a card that is dragged into a won column is won, and what is
 * won by a button stands in the won column.
 */
export async function followChange(env: Env, ids: readonly number[], change: Change): Promise<void> {
  if (!('state' in change || 'stage_id' in change || 'type' in change)) return;
  const stages = await loadStages(env);
  const leads = env.model('crm.lead');
  const groups = new Map<string, { ids: number[]; values: Change }>();
  for (const lead of await leads.load(ids, paths)) {
    const values = following(env, lead, change, stages);
    const key = JSON.stringify(values);
    if (key === '{}') continue;
    const known = groups.get(key);
    if (known) known.ids.push(lead.id);
    else groups.set(key, { ids: [lead.id], values });
  }
  for (const { ids: own, values } of groups.values()) await leads.write(own, values);
}

function following(env: Env, lead: Lead, change: Change, stages: Stages): Change {
  const now = env.now.toISOString();
  if ('state' in change) return afterState(lead, change, stages, now);
  if ('stage_id' in change) return afterStage(lead, change, stages);
  return lead.type === 'opportunity' && lead.date_conversion === null ? { date_conversion: now } : {};
}

function afterState(lead: Lead, change: Change, stages: Stages, now: string): Change {
  const stage = stages.get(lead.stage_id.id);
  const teamId = lead.team_id?.id;
  if (lead.state === 'lost') return { probability: 0, date_closed: change.date_closed ?? now };
  if (lead.state === 'won') {
    const before = stage?.isWon ? {} : { stage_id: wonStage(stages, teamId).id, stage_before_id: lead.stage_id.id };
    return { ...before, probability: 100, date_closed: change.date_closed ?? now };
  }
  const back = stage && !stage.isWon ? stage : stageBefore(lead, stages);
  return {
    stage_id: back.id,
    stage_before_id: null,
    probability: change.probability ?? back.probability,
    date_closed: null,
    lost_reason_id: null,
  };
}

function stageBefore(lead: Lead, stages: Stages) {
  const before = stages.get(lead.stage_before_id?.id ?? 0);
  return before && !before.isWon ? before : firstStage(stages, lead.team_id?.id);
}

function afterStage(lead: Lead, change: Change, stages: Stages): Change {
  const stage = stages.get(lead.stage_id.id);
  if (stage?.isWon && lead.state !== 'won') return { state: 'won' };
  if (stage && !stage.isWon && lead.state === 'won') return { state: 'open' };
  if (!stage || lead.state !== 'open' || change.probability !== undefined) return {};
  return { probability: stage.probability };
}
