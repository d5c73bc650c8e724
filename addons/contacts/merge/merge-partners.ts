import { type Env, UserError } from '@kontor/addon';
import { combinedValues } from './combined-values.ts';
import { keepContactLines, removeRepeatedLines } from './contact-lines.ts';
import { moveReferences } from './move-references.ts';

const model = 'core.partner';

/** Makes one contact of several: it takes over what it lacks and everything that points at the others, which then go. */
export async function mergePartners(env: Env, keep: number, others: readonly number[]): Promise<void> {
  await checkCompanies(env, keep, others);
  const partners = env.model(model);
  const move = { model, keep, others } as const;
  const values = await combinedValues(env, move);
  const lines = await keepContactLines(env, move);
  const comment = await joinedComments(env, [keep, ...others]);
  await env
    .sudo()
    .model(model)
    .write([keep], { ...values, ...comment, ...(await parentAfter(env, keep, others)) });
  await moveReferences(env, move);
  if (lines !== null) await partners.write([keep], lines);
  await removeRepeatedLines(env, keep);
  await partners.unlink(others);
}

/** Whoever saw one of the others must see the one that is kept. */
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

/** The kept contact keeps its company, or gets that of one of the others; never one that goes, nor one below itself. */
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
