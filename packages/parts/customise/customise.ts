import {
  type AddedModel,
  applyChange,
  type CustomChange,
  type CustomDocument,
  type CustomField,
  canonicalJson,
  customFieldUses,
  customModelUses,
  type DeletedModel,
  deletedParts,
  describeChanges,
  draftChanged,
  emptyDocument,
  extensionIn,
  type FieldUse,
  fieldIn,
  fieldsIn,
  type Kernel,
  modelIn,
  publishDocument,
  readDocument,
  readPublished,
  systemActor,
  viewPlaces,
} from '@kontor/kernel';
import { type Actor, type Env, mayAccessModel } from '@kontor/orm';
import { accessDenied, KontorError, type Text, text } from '@kontor/protocol';
import { authorView } from './author-view.ts';
import { checkAuthor, hiddenSources } from './check-author.ts';
import type { KnownParts } from './check-models.ts';

export const customiseGroup = 'base.group_customise';

/** What the author saw: others may have changed it since. */
export interface SeenState {
  /** The number of the published revision; 0: none. */
  readonly base: number;
  /** The version of the draft; 0: none. */
  readonly draft: number;
}

export interface CustomiseState extends SeenState {
  readonly document: CustomDocument;
}

/** Only members of the group edit customisations, and only by session. */
export function checkCustomiser({ groups }: Pick<Actor, 'groups'>): void {
  if (groups.has(customiseGroup)) return;
  throw accessDenied('sys.custom.draft', 'write', 'model', {
    message: text('This is for members of the group "Customise".'),
  });
}

const draftName = 'draft';

/** The draft, or what is published if there is none. */
export async function customiseState({ database, read }: Pick<Kernel, 'database' | 'read'>): Promise<CustomiseState> {
  const { number: base, document } = await readPublished(database);
  const [draft] = await read(
    systemActor,
    (env) => env.model('sys.custom.draft').searchRead([['name', '=', draftName]], ['version', 'document']),
    { isSudo: true },
  );
  if (!draft) return { base, draft: 0, document };
  return { base, draft: draft.version as number, document: draft.document as CustomDocument };
}

/** Adds changes to the draft, or publishes them at once with what the draft already has. */
export async function customise(
  kernel: Kernel,
  actor: Actor,
  seen: SeenState,
  request: { readonly changes: readonly CustomChange[]; readonly note: string; readonly isPublished: boolean },
): Promise<SeenState> {
  checkCustomiser(actor);
  const state = await customiseState(kernel);
  refuseOther(seen, state);
  const document = await changedDocument(kernel, state.document, request.changes);
  if (request.isPublished) return publish(kernel, actor, seen, document, request.note);
  const known = await knownParts(kernel);
  await kernel.read(actor, (env) => checkAuthor(env, known, document));
  return saveDraft(kernel, actor, seen, document);
}

/** The document after changes; each is checked with the whole. */
export async function changedDocument(
  kernel: Kernel,
  document: CustomDocument,
  changes: readonly CustomChange[],
): Promise<CustomDocument> {
  let changed = document;
  for (const [index, change] of changes.entries()) {
    const plain = await restored(kernel, change);
    const model = plain.do === 'add_model' ? plain.spec.partOf?.model : plain.model;
    const places =
      'view' in plain || model === undefined
        ? { form: null, list: null }
        : await kernel.read(systemActor, (env) => viewPlaces(env, model), { isSudo: true });
    const next = await withFields(applyChange(changed, plain, places), change, kernel);
    changed = readDocument(next, index === changes.length - 1);
  }
  return changed;
}

type PlainChange = Parameters<typeof applyChange>[1];

/** A deleted field is added again as it was in the last revision that had it; its column still has the data. */
async function restored(kernel: Kernel, change: CustomChange): Promise<PlainChange> {
  if (change.do === 'restore_model') {
    const { model, spec } = await deletedModel(kernel, change.model);
    const { retired: _, ...found } = spec;
    return { do: 'add_model', model, spec: found, words: (await lastWith(kernel, change.model)).words };
  }
  if (change.do !== 'restore_field') return change;
  const { model, name } = change;
  const { fields } = await deletedParts(kernel.database);
  const deleted = fields.find((each) => each.model === model && each.name === name);
  const before = deleted && (await documentOf(kernel, deleted.revision));
  const field = before && fieldIn(before, model, name);
  if (!field) throw new KontorError('NOT_FOUND', text('There is no deleted field "{name}".', { name }));
  const { retired: _, ...spec } = field;
  return { do: 'add_field', model, name, field: spec, words: before.words, inList: true };
}

async function deletedModel({ database }: Kernel, name: string): Promise<DeletedModel> {
  const found = (await deletedParts(database)).models.find(({ model }) => model === name);
  if (!found)
    throw new KontorError('NOT_FOUND', text('There is no deleted model "{name}".', { name: name.slice(0, 80) }));
  return found;
}

/** The last document that had a model which was deleted. */
async function lastWith(kernel: Kernel, name: string): Promise<CustomDocument> {
  return documentOf(kernel, (await deletedModel(kernel, name)).revision);
}

/** A model comes back with its fields and the changes of its screens. */
async function withFields(document: CustomDocument, change: CustomChange, kernel: Kernel): Promise<CustomDocument> {
  if (change.do !== 'restore_model') return document;
  const before = await lastWith(kernel, change.model);
  const own = before.views.filter(({ view }) => view.startsWith(`custom.${change.model}_`));
  const there = new Set(document.views.map(({ view }) => view));
  // A link to a model that is still deleted, or a sum of its lines, can be brought back later.
  const isGone = (name: string) => modelIn(before, name) !== undefined && !modelIn(document, name);
  const isLost = ({ relation = '', lines }: CustomField) =>
    isGone(relation) || isGone(lines?.path.split('.')[0]?.replace(/_ids$/, '') ?? '');
  const fields = Object.entries(fieldsIn(before, change.model)).filter(([, field]) => !isLost(field));
  const model = modelIn(document, change.model) as AddedModel;
  const kept = new Set(['name', ...fields.map(([name]) => name)]);
  const shown = model.shown.filter((name) => kept.has(name));
  return {
    ...document,
    models: { ...document.models, [change.model]: { ...model, shown } },
    extends: {
      ...document.extends,
      [change.model]: { ...extensionIn(before, change.model), fields: Object.fromEntries(fields) },
    },
    views: [...document.views, ...own.filter(({ view }) => !there.has(view))],
  };
}

/** What uses an added field, or with an empty name an added model. Records that the author may not read, such as searches of others, are listed without their names. */
export async function customiseUses(
  kernel: Kernel,
  actor: Actor,
  { model, name }: { readonly model: string; readonly name: string },
): Promise<readonly Pick<FieldUse, 'kind' | 'name'>[]> {
  checkCustomiser(actor);
  const { document } = await customiseState(kernel);
  const isThere = await kernel.read(actor, async (env) =>
    name === ''
      ? modelIn(document, model) !== undefined && authorView(env, document).mayAccess(model, 'read')
      : fieldIn(document, model, name) !== undefined,
  );
  if (!isThere)
    throw new KontorError('NOT_FOUND', text('There is no added field "{name}".', { name: name.slice(0, 80) }));
  const uses = await kernel.inspectModules((context) =>
    name === ''
      ? customModelUses(context, document, model, actor.lang)
      : customFieldUses(context, document, { model, name }, actor.lang),
  );
  return kernel.read(actor, async (env) => {
    const hidden = env.registry.wordsIn(actor.lang)(text('Not available to you'));
    const isOpen = await Promise.all(uses.map(({ record }) => !record || mayRead(env, record)));
    return uses.map(({ kind, name: used }, at) => ({ kind, name: isOpen[at] ? used : hidden }));
  });
}

async function mayRead(
  env: Env,
  { model: name, id }: { readonly model: string; readonly id: number },
): Promise<boolean> {
  if (!mayAccessModel(env, env.registry.model(name), 'read')) return false;
  return (await env.model(name).search([['id', '=', id]])).length > 0;
}

/** Publishes the document of an earlier revision; 0 is the state before the first. */
export async function returnTo(kernel: Kernel, actor: Actor, seen: SeenState, revision: number): Promise<SeenState> {
  checkCustomiser(actor);
  refuseOther(seen, await customiseState(kernel));
  const document = revision === 0 ? emptyDocument : await documentOf(kernel, revision);
  return publish(kernel, actor, seen, document, `Return to revision ${revision}`);
}

export async function discardDraft(kernel: Kernel, actor: Actor, seen: SeenState): Promise<SeenState> {
  checkCustomiser(actor);
  const state = await customiseState(kernel);
  refuseOther(seen, state);
  await kernel.transact(
    actor,
    async (env) => {
      const drafts = env.model('sys.custom.draft');
      await drafts.unlink(await drafts.search([['version', '=', seen.draft]]));
    },
    { isSudo: true },
  );
  return { base: seen.base, draft: 0 };
}

export function refuseOther(seen: SeenState, { base, draft }: SeenState): void {
  if (seen.base !== base || seen.draft !== draft) throw draftChanged();
}

export async function documentOf(kernel: Kernel, revision: number): Promise<CustomDocument> {
  const [row] = await kernel.read(
    systemActor,
    (env) => env.model('sys.custom.revision').searchRead([['number', '=', revision]], ['document']),
    { isSudo: true },
  );
  if (!row) throw new KontorError('NOT_FOUND', text('There is no revision {revision}.', { revision }));
  return row.document as CustomDocument;
}

export async function knownParts({ database }: Kernel): Promise<KnownParts> {
  return { published: (await readPublished(database)).document, deleted: await deletedParts(database) };
}

async function publish(
  kernel: Kernel,
  actor: Actor,
  seen: SeenState,
  document: CustomDocument,
  note: string,
): Promise<SeenState> {
  const known = await knownParts(kernel);
  const before = known.published;
  if (canonicalJson(before) === canonicalJson(document))
    throw new KontorError('USER_ERROR', text('There is nothing to publish.'));
  const checked = await kernel.read(actor, async (env) => {
    await checkAuthor(env, known, document);
    const changes = describeChanges(before, document, labelsIn(env)).map(({ english, params }) => [english, params]);
    return { changes, hidden: await hiddenSources(env, before, document) };
  });
  const publication = { ...seen, document, authorId: actor.uid, note, ...checked };
  const { number } = (await kernel.changeModules((context) => publishDocument(context, publication))) as Awaited<
    ReturnType<typeof publishDocument>
  >;
  return { base: number, draft: 0 };
}

function labelsIn({ registry }: Env): (model: string) => string {
  return (model) => registry.models.get(model)?.label ?? model;
}

export async function saveDraft(
  kernel: Kernel,
  actor: Actor,
  seen: SeenState,
  document: CustomDocument,
): Promise<SeenState> {
  const version = seen.draft + 1;
  await kernel.transact(
    actor,
    async (env) => {
      const drafts = env.model('sys.custom.draft');
      const [known] = await drafts.searchRead([['name', '=', draftName]], ['version']);
      if ((known?.version ?? 0) !== seen.draft) throw draftChanged();
      if (known) await drafts.write([known.id], { version, document }, { base: { version: seen.draft } });
      else await drafts.create({ name: draftName, base: seen.base, version, document });
    },
    { isSudo: true },
  );
  return { base: seen.base, draft: version };
}

/** The stored form of what changed, as texts. */
export function changesOf(stored: unknown): readonly Text[] {
  const rows = (Array.isArray(stored) ? stored : []) as readonly [string, Text['params']][];
  return rows.map(([english, params]) => text(english, params));
}
