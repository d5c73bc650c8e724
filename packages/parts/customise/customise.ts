import {
  applyChange,
  type CustomChange,
  type CustomDocument,
  canonicalJson,
  customFieldUses,
  deletedFields,
  describeChanges,
  draftChanged,
  emptyDocument,
  type FieldUse,
  fieldIn,
  type Kernel,
  publishDocument,
  readDocument,
  readPublished,
  systemActor,
  viewPlaces,
} from '@kontor/kernel';
import { type Actor, type Env, mayAccessModel } from '@kontor/orm';
import { accessDenied, KontorError, type Text, text } from '@kontor/protocol';
import { checkAuthor, hiddenSources, type KnownFields } from './check-author.ts';

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
  const known = await knownFields(kernel);
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
  for (const change of changes) {
    const places =
      'view' in change
        ? { form: null, list: null }
        : await kernel.read(systemActor, (env) => viewPlaces(env, change.model), { isSudo: true });
    changed = readDocument(applyChange(changed, await restored(kernel, change), places));
  }
  return changed;
}

type PlainChange = Parameters<typeof applyChange>[1];

/** A deleted field is added again as it was in the last revision that had it; its column still has the data. */
async function restored(kernel: Kernel, change: CustomChange): Promise<PlainChange> {
  if (change.do !== 'restore_field') return change;
  const { model, name } = change;
  const deleted = (await deletedFields(kernel.database)).find((each) => each.model === model && each.name === name);
  const before = deleted && (await documentOf(kernel, deleted.revision));
  const field = before && fieldIn(before, model, name);
  if (!field) throw new KontorError('NOT_FOUND', text('There is no deleted field "{name}".', { name }));
  const { retired: _, ...spec } = field;
  return { do: 'add_field', model, name, field: spec, words: before.words, inList: true };
}

/** What uses an added field. Records that the author may not read, such as searches of others, are listed without their names. */
export async function customiseUses(
  kernel: Kernel,
  actor: Actor,
  { model, name }: { readonly model: string; readonly name: string },
): Promise<readonly Pick<FieldUse, 'kind' | 'name'>[]> {
  checkCustomiser(actor);
  const { document } = await customiseState(kernel);
  if (!fieldIn(document, model, name))
    throw new KontorError('NOT_FOUND', text('There is no added field "{name}".', { name: name.slice(0, 80) }));
  const uses = await kernel.inspectModules((context) =>
    customFieldUses(context, document, { model, name }, actor.lang),
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

function refuseOther(seen: SeenState, { base, draft }: SeenState): void {
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

async function knownFields({ database }: Kernel): Promise<KnownFields> {
  return { published: (await readPublished(database)).document, deleted: await deletedFields(database) };
}

async function publish(
  kernel: Kernel,
  actor: Actor,
  seen: SeenState,
  document: CustomDocument,
  note: string,
): Promise<SeenState> {
  const known = await knownFields(kernel);
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

async function saveDraft(kernel: Kernel, actor: Actor, seen: SeenState, document: CustomDocument): Promise<SeenState> {
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
