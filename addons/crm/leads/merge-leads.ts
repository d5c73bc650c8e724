import { chosenIn, combinedValues, compareRecords, moveReferences } from '@addons/contacts';
import { type ActionCall, fields, type Loaded, open, UserError } from '@kontor/addon';

const model = 'crm.lead';

export const mergeAsks = {
  keep: fields.many2one('crm.lead', { label: 'Keep' }),
  comparison: fields.json({ label: 'What is kept' }),
};
type Call = ActionCall<'crm.lead', typeof mergeAsks>;

/** The values that decide which of several leads is the most advanced. */
const mergePaths = ['type', 'state', 'probability'] as const;
type Compared = Loaded<'crm.lead', (typeof mergePaths)[number]>;

/** The most advanced first, then the oldest. */
function furthestFirst<Lead extends Compared>(leads: readonly Lead[]): readonly Lead[] {
  return leads.toSorted(
    (a, b) =>
      Number(b.state === 'open') - Number(a.state === 'open') ||
      Number(b.type === 'opportunity') - Number(a.type === 'opportunity') ||
      b.probability.cmp(a.probability) ||
      a.id - b.id,
  );
}

/** By default the most advanced lead of the selection is kept. */
export async function proposeKept({ env, records }: Pick<Call, 'env' | 'records'>) {
  const [furthest, ...others] = furthestFirst(await records.load(...mergePaths));
  const move = furthest && { model, keep: furthest.id, others: others.map(({ id }) => id) };
  const comparison = move && others.length > 0 ? await compareRecords(env, move, { joined: ['description'] }) : null;
  return {
    value: { keep: furthest?.id ?? null, comparison },
    domain: { keep: [['id', 'in', records.ids]] as const },
  };
}

/** The kept lead takes over missing values, the notes, and all references to the others, which are then deleted. */
export async function mergeLeads({ env, records, answers }: Call) {
  if (records.ids.length < 2) throw new UserError('Choose two leads or more to merge.');
  const leads = await records.load(...mergePaths, 'company_id.id', 'description', 'expected_revenue');
  if (leads.some((lead) => lead.state === 'won'))
    throw new UserError('Won opportunities cannot be merged. Deselect them.');
  if (leads.some((lead) => lead.company_id.id !== leads[0]?.company_id.id)) {
    throw new UserError('Leads of different companies cannot be merged.');
  }
  const [kept, ...rest] = keptFirst(leads, answers.keep);
  const move = { model, keep: kept.id, others: rest.map((lead) => lead.id) } as const;
  const notes = [...new Set([kept, ...rest].map((lead) => lead.description).filter((note) => note))];
  const values = await combinedValues(env, move, chosenIn(env, move, answers.comparison));
  const revenue = [kept, ...rest].map((lead) => lead.expected_revenue).find((amount) => amount.gt(0));
  // As the server: it takes over values that the user may not read, and shows them to nobody new.
  const server = env.sudo().model(model);
  await server.write([kept.id], {
    ...(revenue && { expected_revenue: revenue }),
    ...values,
    ...(notes.length > 1 && { description: notes.join('') }),
  });
  await moveReferences(env, move);
  // Users who may change all of them may merge them; deleting leads is another right.
  await server.unlink(move.others);
  return open(model, { view: 'form', id: kept.id });
}

function keptFirst<Lead extends Compared>(leads: readonly Lead[], keep: number | null): [Lead, ...Lead[]] {
  const sorted = furthestFirst(leads);
  if (keep === null) return sorted as [Lead, ...Lead[]];
  const chosen = sorted.find((lead) => lead.id === keep);
  if (!chosen) throw new UserError('The lead that is kept must be one of those chosen.');
  return [chosen, ...sorted.filter((lead) => lead !== chosen)];
}
