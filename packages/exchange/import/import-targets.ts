import { type Env, type Field, type Model, mayAccessModel, mayReadField, neededFields } from '@kontor/orm';
import type { ImportTarget } from '@kontor/protocol';

/** The labels of a field in all languages: files come from everywhere. */
export type LabelsOf = (field: Field) => readonly string[];

/** Fields that a file can be imported into, with the names that files may use for them. */
export function importTargets(env: Env, model: Model, labelsOf: LabelsOf): ImportTarget[] {
  const own = importableFields(env, model).map((field) => targetOf(env, model, field, labelsOf));
  const id = { name: 'id', label: 'ID', type: 'id', required: false, unique: true };
  return [id, ...own, ...lineFields(env, model).flatMap((field) => lineTargets(env, field, labelsOf))];
}

function targetOf(env: Env, model: Model, field: Field, labelsOf: LabelsOf): ImportTarget {
  const { spec, selection } = field;
  const related = spec.relation === undefined ? null : env.registry.model(spec.relation);
  return {
    name: field.name,
    label: field.label,
    type: spec.type,
    required: neededFields(model).includes(field),
    unique: uniqueFields(model).includes(field),
    words: wordsFor(env, field, labelsOf),
    ...(related ? { relation: related.name, canCreate: nameToCreate(env, related) !== null } : {}),
    ...(selection ? { selection: [...selection] } : {}),
  };
}

/**
 * `line_ids/quantity`: each row of the file is a line, and rows without values of the record continue the record above.
 */
function lineTargets(env: Env, list: Field, labelsOf: LabelsOf): ImportTarget[] {
  const model = env.registry.model(list.spec.relation as string);
  const listWords = [list.label, ...wordsFor(env, list, labelsOf)];
  const within = (target: ImportTarget): ImportTarget => {
    const words = [target.label, ...(target.words ?? [])];
    // Lines that a record consists of can also be named without their list: Product, Quantity.
    const bare = isPartOf(env, list) ? words : [];
    return {
      ...target,
      name: `${list.name}/${target.name}`,
      label: `${list.label} / ${target.label}`,
      unique: false,
      lines: list.name,
      words: [...bare, ...listWords.flatMap((before) => words.map((word) => `${before}/${word}`))],
    };
  };
  const id: ImportTarget = { name: 'id', label: 'ID', type: 'id', required: false, unique: false };
  const [first, ...others] = [
    id,
    ...importableLineFields(env, list).map((field) => targetOf(env, model, field, labelsOf)),
  ].map(within) as [ImportTarget, ...ImportTarget[]];
  // A column named ID is the id of the record.
  return [{ ...first, words: listWords.map((before) => `${before}/ID`) }, ...others];
}

function wordsFor({ registry: known }: Env, field: Field, labelsOf: LabelsOf): string[] {
  const { synonyms = [] } = field.spec;
  const others = synonyms.flatMap((word) => [word, ...known.importWords(word, field.module)]);
  return [...new Set([...labelsOf(field), ...others])].filter((word) => word !== '' && word !== field.label);
}

/** Fields that the user can set by import: those that RPC lets them write, except files and lines. */
function importableFields(env: Env, model: Model): Field[] {
  return [...model.fields.values()].filter((field) => isImportable(env, field));
}

export function isImportable(env: Env, field: Field): boolean {
  const { spec, kind } = field;
  if (kind.isLines || kind.isFile || spec.secret || field.isReadonly || field.name === 'id') return false;
  if (field.compute !== null || field.related !== null) return false;
  return (field.column !== null || kind.isLinks) && mayReadField(env, field);
}

/** Lists whose lines can be imported with their record. */
function lineFields(env: Env, model: Model): Field[] {
  return [...model.fields.values()].filter((field) => isLineField(env, field));
}

export function isLineField(env: Env, field: Field): boolean {
  if (!field.kind.isLines || field.isReadonly || field.compute !== null || field.spec.inverse === undefined)
    return false;
  const lines = env.registry.model(field.spec.relation as string);
  return mayReadField(env, field) && mayAccessModel(env, lines, 'read') && mayAccessModel(env, lines, 'create');
}

/** The parent of a line is the record above it. */
export function importableLineFields(env: Env, list: Field): Field[] {
  const lines = env.registry.model(list.spec.relation as string);
  return importableFields(env, lines).filter(({ name }) => name !== list.spec.inverse);
}

/** Lines that cannot exist without their record, if it has only one such list. */
function isPartOf(env: Env, list: Field): boolean {
  const belongs = (field: Field): boolean => {
    const inverse = env.registry.model(field.spec.relation as string).fields.get(field.spec.inverse as string);
    return inverse?.required === true && inverse.spec.ondelete === 'cascade';
  };
  const parts = lineFields(env, env.registry.model(list.model)).filter(belongs);
  return parts.length === 1 && parts[0] === list;
}

/** The paths of the lines that a record consists of, for a template. */
export function partPaths(env: Env, model: Model): string[] {
  const lists = lineFields(env, model).filter((list) => isPartOf(env, list));
  return lists.flatMap((list) => importableLineFields(env, list).map(({ name }) => `${list.name}/${name}`));
}

/** The only field that a new record requires: its name. Null if the user may not create one, or it requires more. */
export function nameToCreate(env: Env, model: Model): Field | null {
  if (!mayAccessModel(env, model, 'create')) return null;
  const [only, ...rest] = model.displayName;
  const path = rest.length === 0 && only !== undefined && 'path' in only ? only.path.join('.') : 'name';
  const field = model.fields.get(path);
  if (!field?.kind.isText || !isImportable(env, field)) return null;
  return neededFields(model).every((each) => each === field) ? field : null;
}

/** Unique fields. */
export function uniqueFields(model: Model): Field[] {
  const alone = model.uniques.flatMap(({ fields, where }) => (fields.length === 1 && !where ? fields : []));
  return [...new Set(alone)].flatMap((name) => model.fields.get(name) ?? []).filter((field) => field.column !== null);
}
