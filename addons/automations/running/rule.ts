import { type Env, inNameOf } from '@kontor/addon';
import { readSteps, type Step } from '../steps/step.ts';
import { readWhen, type When } from './when.ts';

const read = ['name', 'model', 'when', 'domain', 'steps', 'together', 'state', 'author_id', 'since'] as const;

export interface Rule {
  readonly id: number;
  readonly name: string;
  readonly model: string;
  readonly when: When;
  readonly domain: readonly unknown[];
  readonly steps: readonly Step[];
  readonly together: boolean;
  readonly state: 'on' | 'off' | 'paused';
  readonly author_id: number | null;
  readonly since: string | null;
}

/** Automations, read by the server. */
export async function readRules(env: Env, ids: readonly number[]): Promise<readonly Rule[]> {
  const rows = await env.model('automation.rule').read(ids, read);
  return rows.map((row) => ({
    ...{ ...row, when: readWhen(row.when) },
    ...{ domain: domainOf(row.domain), steps: readSteps(row.steps) },
  }));
}

export function domainOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [];
}

/**
 * Who an automation acts for: its author as an external caller, who reads and writes no more than in the browser, in all of their
 * companies at once, or in one of them. Automations that came with an addon are the server. Null if the author may not act there.
 */
export async function actingFor(
  env: Env,
  { author_id: id }: Pick<Rule, 'author_id'>,
  companyId: number | null = null,
): Promise<Env | null> {
  if (id === null) return env.as({ ...nobody, companyId, companyIds: companyId === null ? [] : [companyId] }).sudo();
  const author = await inNameOf(env, id, companyId);
  if (!author) return null;
  const { actor } = author;
  const shown = [actor.companyId, ...actor.companyIds].filter((each) => each !== null);
  return asOutside(companyId === null ? author.as({ ...actor, shownCompanyIds: [...new Set(shown)] }) : author);
}

const nobody = { uid: 0, groups: new Set<string>(), lang: 'en_US', tz: 'UTC' };

/** Nobody's rights, in a company: for the log, the queues and the notes of the server itself. */
export function serverIn(env: Env, companyId: number | null): Env {
  return env.as({ ...nobody, companyId, companyIds: companyId === null ? [] : [companyId] }).sudo();
}

/** Read-only fields are closed, as for every caller of the endpoint. */
export function asOutside(env: Env): Env {
  return (env as unknown as { outside(isOutside: boolean): Env }).outside(true);
}
