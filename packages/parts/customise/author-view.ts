import { type CustomDocument, customModule, fieldIn, linesField, modelIn, standardFields } from '@kontor/kernel';
import { customisable, type Env, type FieldSpec, mayAccessModel, mayReadField } from '@kontor/orm';
import { type Text, text } from '@kontor/protocol';

/** A field as its author sees it: of the running models, or of the document that is to be published. */
export interface SeenField {
  readonly label: string;
  readonly relation: string;
  readonly groups?: readonly string[];
  readonly mayRead: boolean;
}

/** What an author may see and change, in the running models and in those of a document. */
export interface AuthorView {
  readonly env: Env;
  /** The label of a model; undefined: there is none. */
  labelOf(model: string): string | undefined;
  mayAccess(model: string, operation: 'read' | 'write'): boolean;
  /** Whether fields can be added to it. */
  canExtend(model: string): boolean;
  field(model: string, name: string): SeenField | undefined;
}

type AddedSpec = Pick<FieldSpec, 'label' | 'relation' | 'groups'>;

export function authorView(env: Env, document: CustomDocument): AuthorView {
  const { models } = env.registry;
  const isIn = (groups: readonly string[] | undefined) => isInGroups(env, groups);
  return {
    env,
    labelOf: (name) => models.get(name)?.label ?? modelIn(document, name)?.label,
    mayAccess(name, operation) {
      const running = models.get(name);
      if (running) return mayAccessModel(env, running, operation);
      const rights = modelIn(document, name)?.access ?? [];
      return rights.some(({ group, write }) => (operation === 'read' || write === true) && isIn([group]));
    },
    canExtend(name) {
      const running = models.get(name);
      return running ? customisable(running) === 'all' : modelIn(document, name) !== undefined;
    },
    field(name, field) {
      const running = models.get(name)?.fields.get(field);
      const added = fieldIn(document, name, field);
      // What is to be published counts: a field may get another source than the one that runs.
      if (running && !(added && running.module === customModule))
        return { ...seen(running.label, running.spec), mayRead: mayReadField(env, running) };
      const own: AddedSpec | undefined = added ?? standardField(document, name, field);
      return own && { ...seen(own.label ?? field, own), mayRead: isIn(own.groups) };
    },
  };
}

function seen(
  label: string,
  { relation = '', groups }: { readonly relation?: string; readonly groups?: readonly string[] },
) {
  return { label, relation, ...(groups && { groups }) };
}

function standardField(document: CustomDocument, name: string, field: string): AddedSpec | undefined {
  const model = modelIn(document, name);
  const own = model && standardFields(name, model);
  if (own && Object.hasOwn(own, field)) return own[field];
  const part = Object.entries(document.models ?? {}).find(
    ([each, { partOf }]) => partOf?.model === name && linesField(each) === field,
  );
  return part && { label: part[1].partOf?.label ?? '', relation: part[0] };
}

export function isInGroups({ actor }: Env, groups: readonly string[] | undefined): boolean {
  return groups === undefined || groups.some((group) => actor.groups.has(group));
}

/** What of a path its author may not read. Names that do not exist are found when the models are assembled. */
export function pathProblems(view: AuthorView, from: string, path: readonly string[]): readonly Text[] {
  let model = from;
  for (const name of path) {
    const field = view.field(model, name);
    if (!field) return [];
    if (!view.mayAccess(model, 'read'))
      return [text('You may not read {model}.', { model: view.labelOf(model) ?? '' })];
    if (!field.mayRead) return [text('You may not see {field}.', { field: field.label })];
    model = field.relation;
  }
  return [];
}
