import { type Env, fieldAtPath } from '@kontor/addon';
import { NoExternalId, withExternalIds } from '../steps/references.ts';
import { domainOf } from './rule.ts';

type Json = Readonly<Record<string, unknown>>;

/** Names of models, fields and formulas in an exported addon. */
export interface Names {
  readonly model: (name: string) => string;
  readonly path: (path: string) => string;
  readonly formula: (formula: string) => string;
  readonly domain: (domain: unknown) => unknown;
}

const fields = ['name', 'model', 'when', 'domain', 'steps', 'together'] as const;

/**
 * Automations leave with the customisation without their state, their author and their key: they arrive switched off, and whoever switches
 * one on is its author from then on.
 */
export const carriedRules = {
  model: 'automation.rule',
  fields,
  async leave({ env, id }: { readonly env: Env; readonly id: number }) {
    const [rule] = await env.model('automation.rule').read([id], [...fields, 'uses']);
    if (!rule) return null;
    const { model, when, domain } = rule;
    if (namesRecords(env, model, when, domain)) return null;
    try {
      const { steps, modules } = await withExternalIds(env, model, rule.steps);
      const known = env.registry.models.get(model);
      const used = (Array.isArray(rule.uses) ? rule.uses : []).flatMap(
        (name) => known?.fields.get(String(name))?.module ?? [],
      );
      const values = { name: rule.name, model, when, domain: domain ?? null, steps, together: rule.together };
      return { values, modules: [...new Set([...(known ? [known.module] : []), ...used, ...modules])] };
    } catch (error) {
      if (error instanceof NoExternalId) return null;
      throw error;
    }
  },
  rename: renamed,
};

/** A record that exists in this database alone: a value that a link changes to, or that a condition compares with. */
function namesRecords(env: Env, model: string, when: unknown, domain: unknown): boolean {
  const isLink = (path: unknown) =>
    typeof path === 'string' &&
    (/(^|\.)id$/.test(path) || fieldAtPath(env.registry, model, path)?.spec.relation !== undefined);
  const { field, from, to } = objectOf(when);
  if (isLink(field) && (from ?? to ?? null) !== null) return true;
  const isLocal = (value: unknown): boolean =>
    typeof value === 'number' || (Array.isArray(value) && value.some(isLocal));
  return domainOf(domain).some(
    (leaf) => Array.isArray(leaf) && leaf.length === 3 && isLink(leaf[0]) && isLocal(leaf[2]),
  );
}

export function renamed(values: Json, names: Names): Json {
  const when = objectOf(values.when);
  const name = (given: unknown) => (typeof given === 'string' ? names.path(given) : given);
  const keyed = (given: unknown, change: (value: unknown) => unknown) =>
    Object.fromEntries(Object.entries(objectOf(given)).map(([key, value]) => [names.path(key), change(value)]));
  const same = (value: unknown) => value;
  return {
    ...values,
    model: typeof values.model === 'string' ? names.model(values.model) : values.model,
    when: {
      ...when,
      ...('field' in when && { field: name(when.field) }),
      ...('match' in when && { match: name(when.match) }),
      ...('fields' in when && { fields: keyed(when.fields, same) }),
    },
    domain: names.domain(values.domain ?? null),
    steps: Array.isArray(values.steps) ? values.steps.map((step) => renamedStep(objectOf(step), names)) : values.steps,
  };
}

function renamedStep(step: Json, names: Names): Json {
  const path = (given: unknown) => (typeof given === 'string' ? names.path(given) : given);
  const text = (given: unknown) =>
    typeof given === 'string'
      ? given.replaceAll(/\{([a-z][a-z0-9_.]*)\}/g, (_, at: string) => `{${names.path(at)}}`)
      : given;
  const value = (given: unknown): Json => {
    const known = objectOf(given);
    if (typeof known.formula === 'string') return { formula: names.formula(known.formula) };
    return 'from' in known ? { from: path(known.from) } : known;
  };
  const who = objectOf(step.who);
  return Object.fromEntries(
    Object.entries(step).map(([key, given]) => {
      if (key === 'model' && typeof given === 'string') return [key, names.model(given)];
      if (key === 'values')
        return [
          key,
          Object.fromEntries(Object.entries(objectOf(given)).map(([at, each]) => [names.path(at), value(each)])),
        ];
      if (key === 'who')
        return [
          key,
          { ...who, ...('path' in who && { path: path(who.path) }), ...('team' in who && { team: path(who.team) }) },
        ];
      if (key === 'field' || key === 'action') return [key, path(given)];
      return [key, key === 'do' ? given : text(given)];
    }),
  );
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
