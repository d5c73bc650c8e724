import { databaseName } from '../model/database-name.ts';
import { frozenMap } from '../model/frozen-map.ts';
import { labelFromName } from '../model/label.ts';
import type { Action, DisplayNamePart, Field, Model, Unique } from '../model/model.ts';
import { buildAcyclic } from './acyclic.ts';
import { buildActions } from './build-actions.ts';
import { buildMoves, moveActions } from './build-moves.ts';
import { buildStates } from './build-states.ts';
import type { Draft } from './draft.ts';
import { buildExcludes } from './excludes.ts';
import { type FieldTable, walkPath } from './path.ts';
import type { Problems } from './problems.ts';
import { parseDisplayName, parseOrder, pathPart } from './terms.ts';
import { tableName } from './through.ts';

export function buildModel(draft: Draft, table: FieldTable, problems: Problems): Model {
  const fields = table.get(draft.name) as ReadonlyMap<string, Field>;
  const label = draft.label ?? labelFromName(draft.name);
  const hasActive = fields.get('active')?.kind.isBoolean === true;
  const moves = buildMoves(draft, table, problems);
  return Object.freeze({
    name: draft.name,
    module: draft.module,
    label,
    table: tableName(draft.name),
    was: Object.freeze(draft.was),
    joinedBy: Object.freeze(draft.joinedBy),
    fields: frozenMap(fields),
    order: parseOrder(draft.order?.value ?? 'id'),
    displayName: buildDisplayName(draft, label, table, problems),
    onchange: frozenMap(
      [...draft.onchange].map(([name, declared]) => [name, Object.freeze(declared.map(({ value }) => value))] as const),
    ),
    constraints: Object.freeze([...draft.constraints].map(([name, { value }]) => Object.freeze({ ...value, name }))),
    acyclic: Object.freeze(buildAcyclic(draft, fields)),
    uniques: Object.freeze(buildUniques(draft, fields)),
    excludes: Object.freeze(buildExcludes(draft)),
    normalise: Object.freeze([...draft.normalise.values()].map(({ value }) => value)),
    actions: frozenMap<string, Action>([...buildActions(draft, hasActive, table, problems), ...moveActions(moves)]),
    hooks: Object.freeze(draft.hooks.map(({ value }) => value).filter((hooks) => Object.keys(hooks).length > 0)),
    states: buildStates(draft, table, moves),
    chatter: draft.chatter,
    about: draft.about?.value ?? null,
    due: draft.due?.value ?? null,
    timeline: new Map([...draft.timeline].map(([kind, { value }]) => [kind, value])),
    mail: draft.mail?.value ?? null,
    portal: draft.portal?.value ?? null,
    partOf: partOf(draft, table),
    ownRules: draft.ownRules,
    noCompany: draft.noCompany,
    quiet: draft.quiet || draft.transient,
    isCached: draft.cached,
    isClosedToAgents: draft.closedToAgents,
    isTransient: draft.transient,
    served: draft.served,
    indexes: Object.freeze(draft.indexes.map(({ value }) => parseOrder(value))),
    hasCompany: fields.get('company_id')?.kind.isToOne === true,
    companyRule: draft.companyRule,
    hasActive,
  });
}

/** A field's own `unique` is listed like a declared one, so that all are in one place. */
function buildUniques(draft: Draft, fields: ReadonlyMap<string, Field>): Unique[] {
  const make = (name: string, unique: Omit<Unique, 'name' | 'index'>): Unique =>
    Object.freeze({ ...unique, name, index: databaseName(`${tableName(draft.name)}_${name}_unique`) });
  const own = [...fields.values()].filter((field) => field.spec.unique === true && !draft.uniques.has(field.name));
  return [
    ...own.map((field) => make(field.name, { fields: Object.freeze([field.name]) })),
    ...[...draft.uniques].map(([name, { value }]) => make(name, value)),
  ];
}

/** The declared one, otherwise the required cascading many2one whose model has a list of these records. */
function partOf(draft: Draft, table: FieldTable): string | null {
  if (draft.partOf !== null) return draft.partOf.value;
  if (draft.ownRules !== null) return null;
  const fields = table.get(draft.name) as ReadonlyMap<string, Field>;
  const isListed = ({ name, spec }: Field) =>
    [...(table.get(spec.relation as string)?.values() ?? [])].some(
      ({ kind, spec: list }) => kind.isLines && list.relation === draft.name && list.inverse === name,
    );
  const whole = [...fields.values()].find(
    (field) => field.kind.isToOne && field.required && field.spec.ondelete === 'cascade' && isListed(field),
  );
  return whole?.name ?? null;
}

/** The template's parts; without a template the field `name`, or `Sales order #7`. */
function buildDisplayName(
  draft: Draft,
  label: string,
  table: FieldTable,
  problems: Problems,
): readonly DisplayNamePart[] {
  if (draft.displayName === undefined) {
    const name = table.get(draft.name)?.get('name');
    const isUsable = name !== undefined && !name.spec.secret && (name.isStored || name.related !== null);
    return Object.freeze(isUsable ? [pathPart('name')] : [Object.freeze({ text: `${label} #` }), pathPart('id')]);
  }
  const at = { module: draft.displayName.module, model: draft.name };
  const parts = parseDisplayName(draft.displayName.value);
  if (parts === null || !parts.some((part) => 'path' in part)) {
    problems.add(at, `displayName "${draft.displayName.value}" is not a template such as "{name} ({ref})".`);
    return [];
  }
  return Object.freeze(parts.map((part) => ('path' in part ? checkPart(part.path) : part)));

  function checkPart(path: readonly string[]): DisplayNamePart {
    const walked = walkPath(table, draft.name, path);
    const fault = typeof walked === 'string' ? walked : pathFault(walked);
    if (fault !== null) problems.add(at, `displayName ${fault}`);
    const isRecord = typeof walked !== 'string' && walked.at(-1)?.kind.isToOne;
    return pathPart([...path, ...(isRecord ? ['display_name'] : [])].join('.'));
  }
}

function pathFault(walked: readonly Field[]): string | null {
  const path = `"${walked.map((field) => field.name).join('.')}"`;
  const many = walked.find((field) => field.kind.isList);
  if (many !== undefined) return `${path}: "${many.name}" has many values; only many2ones can be followed.`;
  const last = walked.at(-1) as Field;
  if (last.kind.isOpaque || last.kind.shownAs === 'html')
    return `${path}: a ${last.spec.type} cannot be part of a name.`;
  if (last.spec.secret) return `${path}: a secret cannot be part of a name.`;
  const valueless = walked.find((field) => !field.isStored && field.related === null && field.name !== 'display_name');
  return valueless === undefined ? null : `${path}: "${valueless.name}" is computed and not stored.`;
}
