import { checkModelAccess, type Env, type Model, mayAccessModel, type ReadQuery } from '@kontor/orm';
import { type ConditionNode, type DomainNode, invalidArgs, type KontorError, nearest } from '@kontor/protocol';
import { type FeedCursor, parseCursor } from './cursor.ts';

export interface FeedQuery {
  /** `now`: only the position at which the feed ends now. */
  readonly after: FeedCursor | 'now' | null;
  readonly models: ReadonlyMap<string, Model>;
  readonly ids: readonly number[] | null;
  /** The domain for records; deleted records are matched by their last values. */
  readonly domain: DomainNode | null;
  readonly fields: ReadonlySet<string> | null;
  readonly limit: number;
}

const columns = ['cursor', 'model', 'res_id', 'operation', 'fields', 'at', 'change_set', 'display_name'];
const maxLimit = 500;

/** The query of the feed; anything it cannot answer is rejected by name. */
export function toFeedQuery(env: Env, { domain, fields, options }: ReadQuery): FeedQuery {
  if (options.offset) throw refused('offset', 'The feed has no offset: ask for what is after the last cursor.');
  if (options.order !== undefined && options.order !== 'cursor') {
    throw refused('order', 'The feed comes in the order of its cursor.');
  }
  const conditions = new Map(topConditions(domain).map((condition) => [condition.path.join('.'), condition]));
  const { cursor, model, res_id, ...others } = Object.fromEntries(conditions);
  const [other] = Object.keys(others);
  if (other !== undefined) throw refused(other, 'The feed is asked by cursor, model and res_id.');
  const names = model && listed(model, isText);
  return {
    after: cursor ? cursorOf(cursor) : null,
    models: new Map((names ? named(env, names) : readable(env)).map((one) => [one.name, one])),
    ids: res_id ? listed(res_id, isId) : null,
    domain: null,
    fields: fields === undefined ? null : projected(fields),
    limit: Math.min(options.limit ?? maxLimit, maxLimit),
  };
}

function cursorOf({ operator, value }: ConditionNode): FeedCursor | 'now' {
  if (operator !== '>') throw refused('cursor', 'A cursor is asked for with ">".');
  return value === 'now' ? value : readCursor(value);
}

export function readCursor(value: unknown): FeedCursor {
  const cursor = typeof value === 'string' ? parseCursor(value) : null;
  if (!cursor) throw refused('cursor', 'A cursor is what a row of the feed has as one, or "now".');
  return cursor;
}

/** Conditions that must all match, each on another field. */
function topConditions(node: DomainNode): readonly ConditionNode[] {
  if (node.kind === 'all') return [];
  const nodes = node.kind === 'and' ? node.nodes : [node];
  const all = nodes.flatMap((one) => (one.kind === 'condition' ? one : []));
  const isPlain = all.length === nodes.length && new Set(all.map(({ path }) => path.join('.'))).size === all.length;
  if (!isPlain) throw refused('domain', 'The feed takes one condition for each of cursor, model and res_id.');
  return all;
}

function listed<T>({ path, operator, value }: ConditionNode, isOne: (value: unknown) => value is T): readonly T[] {
  const values = operator === 'in' && Array.isArray(value) ? value : [value];
  if ((operator === '=' || operator === 'in') && values.every(isOne)) return values;
  throw refused(path.join('.'), `The feed is asked for ${path.join('.')} with "=" or "in".`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= 2_147_483_647;
}

/** Models that are named explicitly. */
export function named(env: Env, names: readonly string[]): readonly Model[] {
  return names.map((name) => {
    const model = env.registry.model(name);
    // A model that is named explicitly and may not be read is rejected, as everywhere.
    if (model.quiet) throw refused('model', `Changes of ${name} are not kept.`);
    checkModelAccess(env, model, 'read');
    return model;
  });
}

function readable(env: Env): readonly Model[] {
  return [...env.registry.models.values()].filter((model) => !model.quiet && mayAccessModel(env, model, 'read'));
}

function projected(fields: readonly unknown[]): ReadonlySet<string> {
  const names = fields.filter((name) => name !== 'id');
  for (const name of names) {
    if (typeof name === 'string' && columns.includes(name)) continue;
    const hint = typeof name === 'string' ? nearest(name, columns) : null;
    throw invalidArgs(`The feed has no field ${JSON.stringify(name)}.`, { field: 'fields', ...(hint ? { hint } : {}) });
  }
  return new Set(names as string[]);
}

function refused(field: string, message: string): KontorError {
  return invalidArgs(message, { field });
}
