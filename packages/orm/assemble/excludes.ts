import { chooseOne, conditionsIn, parseAuthoredDomain } from '@kontor/protocol';
import type { Exclude } from '../model/behaviour.ts';
import { databaseName } from '../model/database-name.ts';
import type { Field, Model } from '../model/model.ts';
import { canBeSame, canBound } from '../schema/overlap-text.ts';
import { whereFault } from '../schema/where-text.ts';
import type { Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { tableName } from './through.ts';

export function buildExcludes(draft: Draft): Exclude[] {
  return [...draft.excludes].map(([name, { value }]) =>
    Object.freeze({
      ...value,
      name,
      constraint: databaseName(tableName(draft.name), name, 'excl'),
      on: [...new Set([...(value.same ?? []), ...value.range, ...namesIn(value.where)])],
    }),
  );
}

function namesIn(where: Exclude['where']): string[] {
  try {
    return where === undefined ? [] : conditionsIn(parseAuthoredDomain(where)).map(({ path }) => path.join('.'));
  } catch {
    return []; // `checkExcludes` reports it.
  }
}

export function checkExcludes(draft: Draft, model: Model, problems: Problems): void {
  for (const [name, { module, value }] of draft.excludes) {
    const addProblem = (message: string) => problems.add({ module, model: model.name }, `exclude "${name}" ${message}`);
    const [from, to] = value.range.map((each) => storedField(model, each, addProblem));
    for (const field of (value.same ?? []).flatMap((each) => storedField(model, each, addProblem) ?? [])) {
      if (!canBeSame(field))
        addProblem(`cannot compare "${field.name}": "same" takes many2ones, whole numbers, dates and yes or no.`);
    }
    for (const field of [from, to]) {
      if (field && !canBound(field)) addProblem(`cannot range over "${field.name}", which is ${field.spec.type}.`);
    }
    if (from && to && from.spec.type !== to.spec.type)
      addProblem(`ranges from a ${from.spec.type} to a ${to.spec.type}: both must be of one type.`);
    const fault = value.where === undefined ? null : whereFault(value.where, (each) => model.fields.get(each));
    if (fault !== null) addProblem(`has a "where" that does not fit: ${fault}`);
  }
}

function storedField(model: Model, name: string, addProblem: (message: string) => void): Field | undefined {
  const field = model.fields.get(name);
  if (field === undefined) addProblem(`has no field "${name}" to use.${chooseOne(name, model.fields.keys())}`);
  else if (!field.column) addProblem(`cannot use "${name}", which is not stored.`);
  return field?.column ? field : undefined;
}
