import { type ActionCall, type Env, fields, open, UserError, type WriteValues } from '@kontor/addon';
import { emailKey, phoneKey } from '../duplicates/match-keys.ts';
import { chosenIn, combinedValues } from './combined-values.ts';
import { compareRecords } from './compare-records.ts';
import { type Move, moveReferences } from './move-references.ts';

const model = 'core.partner';

/** Merges several contacts into one: it takes over missing values and all references to the others, which are then deleted. */
export async function mergePartners(
  env: Env,
  keep: number,
  others: readonly number[],
  comparison: unknown = null,
): Promise<void> {
  await checkCompanies(env, keep, others);
  const partners = env.model(model);
  const move = { model, keep, others } as const;
  const values = await combinedValues(env, move, chosenIn(env, move, comparison));
  const lines = await keepContactLines(env, move);
  const comment = await joinedComments(env, [keep, ...others]);
  // As the server: with values that who merges may not read, and which are not shown to them.
  await env
    .sudo()
    .model(model)
    .write([keep], { ...values, ...comment, ...(await parentAfter(env, keep, others)) });
  await moveReferences(env, move);
  if (lines !== null) await partners.write([keep], lines);
  await removeRepeatedLines(env, keep);
  await partners.unlink(others);
}

/** Users who could see one of the others must see the kept one. */
async function checkCompanies(env: Env, keep: number, others: readonly number[]): Promise<void> {
  const rows = await env.model(model).read([keep, ...others], ['company_id']);
  const kept = rows[0]?.company_id ?? null;
  if (kept === null || rows.every((row) => row.company_id === kept)) return;
  throw new UserError('Contacts of different companies can be merged only into one that all companies share.');
}

async function joinedComments(env: Env, ids: readonly number[]): Promise<{ readonly comment?: string }> {
  const rows = await env.model(model).read(ids, ['comment']);
  const comments = [...new Set(rows.map((row) => row.comment).filter((comment) => comment))];
  return comments.length > 1 ? { comment: comments.join('') } : {};
}

/** The kept contact keeps its company, or gets that of one of the others; never a deleted one, nor one below itself. */
async function parentAfter(
  env: Env,
  keep: number,
  others: readonly number[],
): Promise<{ readonly parent_id?: number | null }> {
  const rows = await env.model(model).read([keep, ...others], ['parent_id']);
  const own = rows[0]?.parent_id ?? null;
  if (own !== null && !others.includes(own)) return {};
  const merged = new Set([keep, ...others]);
  const wanted = rows.flatMap((row) => row.parent_id ?? []).filter((id) => !merged.has(id));
  const below = await env.model(model).search([
    ['id', 'in', wanted],
    ['id', 'child_of', [keep, ...others]],
  ]);
  const parent = wanted.find((id) => !below.includes(id)) ?? null;
  return parent === own ? {} : { parent_id: parent };
}

type Lines = Pick<WriteValues<'core.partner'>, 'email_ids' | 'phone_ids'>;

/** The main e-mails and phones of all, as further lines of the one that stays; those that repeat its own are removed. */
async function keepContactLines(env: Env, { keep, others }: Move): Promise<Lines | null> {
  const rows = await env.model('core.partner').read([keep, ...others], ['email', 'phone', 'mobile']);
  const emails = rows.flatMap(({ email }) => (emailKey(email) ? [email as string] : []));
  const phones = rows.flatMap(({ phone, mobile }) => [
    ...(phone ? [{ number: phone, kind: 'work' as const }] : []),
    ...(mobile ? [{ number: mobile, kind: 'mobile' as const }] : []),
  ]);
  if (emails.length + phones.length === 0) return null;
  return {
    email_ids: emails.map((address) => ['create', { address }] as const),
    phone_ids: phones.map((phone) => ['create', phone] as const),
  };
}

/** Removes lines that repeat the contact or an earlier line. */
async function removeRepeatedLines(env: Env, partnerId: number): Promise<void> {
  const [partner] = await env
    .model('core.partner')
    .load([partnerId], ['email', 'phone', 'mobile', 'country_id.phone_code', 'email_ids.address', 'phone_ids.number']);
  if (!partner) return;
  const code = partner.country_id?.phone_code ?? null;
  const keyOf = (number: string | null) => phoneKey(number, code) ?? number;
  const emails = repeated([partner.email], partner.email_ids, (line) => line.address, emailKey);
  const phones = repeated([partner.phone, partner.mobile], partner.phone_ids, (line) => line.number, keyOf);
  if (emails.length > 0) await env.model('core.partner.email').unlink(emails);
  if (phones.length > 0) await env.model('core.partner.phone').unlink(phones);
}

function repeated<Line extends { readonly id: number }>(
  main: readonly (string | null)[],
  lines: readonly Line[],
  textOf: (line: Line) => string,
  keyOf: (text: string | null) => string | null,
): number[] {
  const seen = new Set(main.map(keyOf));
  return lines
    .filter((line) => {
      const key = keyOf(textOf(line));
      if (seen.has(key)) return true;
      seen.add(key);
      return false;
    })
    .map(({ id }) => id);
}

export const mergeAsks = {
  keep: fields.many2one('core.partner', { label: 'Keep', domain: [['active', 'in', [true, false]]] }),
  comparison: fields.json({ label: 'What is kept' }),
};
type Call = ActionCall<'core.partner', typeof mergeAsks>;

/** The contacts beside each other, for people to see what a merge does. Null: there are fewer than two. */
export async function comparePartners(env: Env, ids: readonly number[], keep: number | null) {
  if (keep === null || ids.length < 2) return null;
  const others = ids.filter((id) => id !== keep);
  const rules = {
    joined: ['comment'],
    further: ['email', 'phone', 'mobile'],
    taken: ['parent_id', 'latitude', 'longitude'],
  };
  return compareRecords(env, { model, keep, others }, rules);
}

/** By default the oldest active contact of the selection is kept. */
export async function proposeKept({ env, records }: Pick<Call, 'env' | 'records'>) {
  const domain = [
    ['id', 'in', records.ids],
    ['active', 'in', [true, false]],
  ] as const;
  const keep = await oldest(env, records.ids);
  return { value: { keep, comparison: await comparePartners(env, records.ids, keep) }, domain: { keep: domain } };
}

export async function mergeChosen({ env, records, answers }: Call) {
  const { ids } = records;
  if (ids.length < 2) throw new UserError('Choose two contacts or more to merge.');
  const keep = answers.keep ?? (await oldest(env, ids));
  if (keep === null || !ids.includes(keep))
    throw new UserError('The contact to keep must be one of those that are merged.');
  await mergePartners(
    env,
    keep,
    ids.filter((id) => id !== keep),
    answers.comparison,
  );
  return open('core.partner', { view: 'form', id: keep });
}

async function oldest(env: Env, ids: readonly number[]): Promise<number | null> {
  const partners = await env.model('core.partner').read(ids, ['active']);
  const [first] = partners.sort((a, b) => Number(b.active) - Number(a.active) || a.id - b.id);
  return first?.id ?? null;
}
