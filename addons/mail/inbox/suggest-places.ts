import { anyModel, type Env, KontorError } from '@kontor/addon';
import { checkMayComment, isAllowed } from '../chatter/thread.ts';
import { readableIds } from './read-inbox.ts';

export interface Place {
  readonly model: string;
  readonly id: number;
  readonly name: string;
  readonly modelLabel: string;
}

const most = 9;
const perModel = 3;
const mostModels = 16;

/**
 * Records that an unsorted e-mail may belong to, the likeliest first: those whose number its subject names, those that the sender wrote
 * about before, and those of the sender's contact. With a text, records with that name. Only what the reader may comment on.
 */
export async function suggestPlaces(env: Env, incoming: number, typed: string): Promise<readonly Place[]> {
  const [mail] = await env.model('mail.incoming').read([incoming], ['subject', 'sender_email', 'partner_id']);
  if (!mail) return [];
  const found: Place[] = [];
  const add = async (model: string, ids: readonly number[]) => {
    for (const place of await named(env, model, ids)) {
      const isKnown = found.some(({ model: own, id }) => own === place.model && id === place.id);
      if (found.length < most && !isKnown && (await isAllowed(checkMayComment(env, place)))) found.push(place);
    }
  };
  const models = chatterModels(env);
  if (typed !== '') {
    for (const model of models) await add(model, await byName(env, model, typed));
    return found;
  }
  for (const number of numbersIn(mail.subject ?? ''))
    for (const model of models) await add(model, await byName(env, model, number));
  for (const { model, res_id: id } of await earlier(env, mail.sender_email)) await add(model, [id]);
  if (mail.partner_id !== null) {
    for (const model of models) await add(model, await ofContact(env, model, mail.partner_id));
    await add('core.partner', [mail.partner_id]);
  }
  return found;
}

function chatterModels(env: Env): readonly string[] {
  return [...env.registry.models.values()]
    .filter(({ chatter }) => chatter !== null)
    .map(({ name }) => name)
    .slice(0, mostModels);
}

/** Words with digits, such as S00071 and INV-2026-0187. */
function numbersIn(subject: string): readonly string[] {
  const words = subject.match(/[\p{L}\d][\p{L}\d/_-]*\d[\p{L}\d/_-]*/gu) ?? [];
  return [...new Set(words.filter((word) => word.length >= 4))].slice(0, 3);
}

/** Nothing of models that the reader may not read. */
async function orNone(found: Promise<readonly number[]>): Promise<readonly number[]> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return [];
    throw error;
  }
}

function byName(env: Env, model: string, name: string): Promise<readonly number[]> {
  return orNone(anyModel(env, model).search([['display_name', 'ilike', name]], { limit: perModel, order: '-id' }));
}

async function ofContact(env: Env, model: string, contact: number): Promise<readonly number[]> {
  const field = env.registry.model(model).fields.get('partner_id');
  if (!field?.isStored || field.spec.relation !== 'core.partner') return [];
  return orNone(anyModel(env, model).search([['partner_id', '=', contact]], { limit: perModel, order: '-id' }));
}

/** As the server: which of the records the reader may see is checked when they are named. */
async function earlier(env: Env, address: string | null) {
  if (address === null) return [];
  return env
    .sudo()
    .model('mail.conversation')
    .searchRead(
      [
        ['sender_email', '=', address],
        ['model', '!=', 'mail.incoming'],
      ],
      ['model', 'res_id'],
      { order: '-last_at', limit: most },
    );
}

async function named(env: Env, model: string, ids: readonly number[]): Promise<readonly Place[]> {
  const open = await readableIds(env, model, ids);
  if (open.length === 0) return [];
  const rows = await anyModel(env, model).read(open, ['display_name']);
  const { label } = env.registry.model(model);
  return rows.map(({ id, display_name: name }) => ({ model, id, name: String(name ?? ''), modelLabel: label }));
}
