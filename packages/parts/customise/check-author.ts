import {
  type CustomDocument,
  type CustomField,
  canonicalJson,
  type DocumentProblem,
  documentError,
  fieldIn,
} from '@kontor/kernel';
import { type Env, type Field, type Model, mayAccessModel, mayReadField } from '@kontor/orm';
import { conditionsIn, didYouMean, parseAuthoredDomain, type Text, text } from '@kontor/protocol';

/**
 * A field must not show its author, or anyone through them, what they may not read: the models and paths of new and changed fields are
 * checked with the author's rights. Throws with every mistake at its field.
 */
export async function checkAuthor(env: Env, before: CustomDocument, after: CustomDocument): Promise<void> {
  const problems: DocumentProblem[] = [];
  const groups = new Set((await env.sudo().model('core.group').searchRead([], ['key'])).map(({ key }) => String(key)));
  for (const [model, { fields }] of Object.entries(after.extends)) {
    for (const [name, field] of Object.entries(fields)) {
      const known = fieldIn(before, model, name);
      if (known && canonicalJson(known) === canonicalJson(field)) continue;
      const at = `${model}.${name}`;
      for (const message of fieldProblems(env, groups, model, name, field)) problems.push({ at, message });
    }
  }
  if (problems.length > 0) throw documentError(problems);
}

function fieldProblems(
  env: Env,
  groups: ReadonlySet<string>,
  modelName: string,
  name: string,
  field: CustomField,
): readonly Text[] {
  const model = env.registry.models.get(modelName);
  if (!model) return [text('There is no model {model}.', { model: modelName })];
  const problems: Text[] = [];
  if (!canExtend(model)) problems.push(text('Fields cannot be added to {model}.', { model: model.label }));
  else if (!mayAccessModel(env, model, 'write'))
    problems.push(text('You may not change {model}.', { model: model.label }));
  const shipped = model.fields.get(name);
  if (shipped && shipped.module !== 'custom')
    problems.push(text('"{name}" is the name of another field of this model.', { name }));
  for (const group of field.groups ?? []) {
    if (!groups.has(group))
      problems.push(text('There is no group "{group}".{hint}', { group, hint: didYouMean(group, groups) }));
  }
  const related = field.relation === undefined ? null : env.registry.models.get(field.relation);
  if (related && !mayAccessModel(env, related, 'read'))
    problems.push(text('You may not read {model}.', { model: related.label }));
  for (const path of [field.from, field.currency])
    if (path) problems.push(...pathProblems(env, model, path.split('.')));
  if (related && field.domain)
    for (const { path } of conditionsIn(parseAuthoredDomain(field.domain as never)))
      problems.push(...pathProblems(env, related, path));
  return problems;
}

/** The system's own tables, and models without a table. */
export function canExtend({ name, isTransient, served }: Model): boolean {
  return !name.startsWith('sys.') && !isTransient && !served;
}

/** Names that do not exist are found when the models are assembled. */
function pathProblems(env: Env, from: Model, path: readonly string[]): readonly Text[] {
  let model: Model | undefined = from;
  for (const name of path) {
    const field: Field | undefined = model?.fields.get(name);
    if (!model || !field) return [];
    if (!mayAccessModel(env, model, 'read')) return [text('You may not read {model}.', { model: model.label })];
    if (!mayReadField(env, field)) return [text('You may not see {field}.', { field: field.label })];
    model = env.registry.models.get(field.spec.relation ?? '');
  }
  return [];
}
