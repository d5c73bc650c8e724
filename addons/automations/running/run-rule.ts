import { anyModel, type Env, KontorError } from '@kontor/addon';
import { checkSteps } from '../steps/check-steps.ts';
import { type Done, runSteps, StepFailure } from '../steps/run-steps.ts';
import { StepError } from '../steps/step.ts';
import { actingFor, type Rule, serverIn } from './rule.ts';

/** The author may no longer do what the automation does. */
export class RightsLost extends Error {
  readonly reason: 'rights' | 'owner';

  constructor(reason: 'rights' | 'owner', cause?: unknown) {
    super('The author may not do this.', { cause });
    this.reason = reason;
  }
}

/** Throws RightsLost unless the author may do all of it by themselves, now. */
export async function checkAuthor(env: Env, rule: Rule): Promise<void> {
  if (rule.author_id === null) return;
  const author = await actingFor(env, rule);
  if (!author) throw new RightsLost('owner');
  try {
    await checkSteps(author, rule.model, rule.steps);
  } catch (error) {
    if (error instanceof KontorError) throw new RightsLost('rights', error);
    throw error;
  }
}

/** Runs the steps for records with the rights of the author, in the company of each. */
export async function runFor(env: Env, rule: Rule, ids: readonly number[]): Promise<readonly Done[]> {
  await checkAuthor(env, rule);
  let done: readonly Done[] = [];
  for (const [company, own] of await byCompany(env, rule.model, ids)) {
    const { tz, lang } = await companyWords(env, company);
    const author = await actingFor(env, rule, company);
    if (!author) throw new RightsLost('owner');
    const place = { env: author, server: serverIn(env, company), ruleId: rule.id, model: rule.model, tz, lang };
    done = await runSteps(place, rule.steps, own);
  }
  return done;
}

async function byCompany(
  env: Env,
  model: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number | null, readonly number[]>> {
  if (!env.registry.model(model).hasCompany) return new Map([[null, ids]]);
  const companies = new Map<number | null, number[]>();
  for (const row of await anyModel(env, model).read(ids, ['company_id'])) {
    const company = typeof row.company_id === 'number' ? row.company_id : null;
    companies.set(company, [...(companies.get(company) ?? []), row.id]);
  }
  return companies;
}

/** Records without a company have the time zone and the language of the first one. */
async function companyWords(env: Env, id: number | null): Promise<{ readonly tz: string; readonly lang: string }> {
  const domain = id === null ? ([] as const) : ([['id', '=', id]] as const);
  const [company] = await env.model('core.company').searchRead(domain, ['tz', 'lang'], { order: 'id', limit: 1 });
  return { tz: company?.tz ?? 'UTC', lang: company?.lang ?? 'en_US' };
}

interface Explained {
  readonly step: number | null;
  readonly reason: string;
  /** Trying again cannot help. */
  readonly isFinal: boolean;
  /** The author may do it, but not to this record. */
  readonly isClosed: boolean;
}

export function explain(error: unknown): Explained {
  const [step, cause] = error instanceof StepFailure ? [error.step, error.cause] : [null, error];
  if (cause instanceof StepError) return { step, reason: String(cause.problem), isFinal: true, isClosed: false };
  if (cause instanceof KontorError) {
    const isClosed = cause.code === 'ACCESS_DENIED';
    return { step, reason: cause.message, isFinal: cause.code !== 'CONFLICT', isClosed };
  }
  return { step, reason: cause instanceof Error ? cause.message : String(cause), isFinal: false, isClosed: false };
}
