import '../models/signature.ts';
import { checkedComment, longestComment, postFromContact, type SentFile } from '@addons/mail';
import { anyModel, callerAddress, type NoticeSpec, text, UserError, type Words, wordsIn } from '@kontor/addon';
import { aboutRecord } from '../links/make-link.ts';
import { readContent } from '../pages/read-document.ts';
import { stepOf } from '../pages/read-page.ts';
import type { Visit } from './visit.ts';

export const customerActs: NoticeSpec = {
  name: 'portal.customer',
  label: text('A customer writes, signs or declines'),
  usual: 'both',
};

/** A comment of the customer in the discussion of the record. */
export async function comment(visit: Visit, given: string, files: readonly SentFile[]): Promise<void> {
  const body = await checkedComment(visit.env, visit, { contact: visit.visitor.id, given });
  const title = text('{name} wrote on the customer page', { name: visit.visitor.name });
  await write(visit, { body, files, title, told: body });
}

interface Written {
  readonly body: string;
  readonly files?: readonly SentFile[];
  readonly title: Words;
  /** What the notification says. */
  readonly told: string;
}

/** In the discussion; the person responsible and those who follow the record are told. */
async function write(visit: Visit, { body, files = [], title, told }: Written): Promise<void> {
  const { env, visitor, recipient, spec } = visit;
  await postFromContact(env, visit, {
    ...{ contact: { ...visitor, email: recipient }, body, files, responsible: spec.contact },
    subject: wordsIn(env, 'en_US', 'portal').say('Customer page'),
    notice: { spec: customerActs, title, body: told },
  });
}

export interface Acceptance {
  readonly version: string;
  readonly name: string;
  /** A data URL of a PNG. */
  readonly picture: string;
  /** Ids of ticked lines. */
  readonly chosen: readonly number[];
}

/**
 * The customer signs what they read: their ticks are kept, then the signature under the result, then the record moves as by hand,
 * with the same conditions and locks. As the server: the visitor has no rights to write, and the model names the move.
 */
export async function accept(visit: Visit, given: Acceptance): Promise<void> {
  const { env, model, id, visitor } = visit;
  const name = given.name.trim();
  if (name === '' || name.length > 100) throw new UserError('Enter your name, with up to 100 characters.');
  const picture = signaturePicture(given.picture);
  const signatures = env.sudo().model('portal.signature');
  // Counted before the record is looked at: whoever signs after that has signed with the same number, so only one of them is kept.
  const earlier = await signatures.count(aboutRecord(visit));
  const step = await stepOf(visit, 'accept');
  if (!step) throw new UserError('This can no longer be accepted: it was accepted, declined or withdrawn.');
  if ((await readContent(env, visit)).version !== given.version)
    throw new UserError('The document has changed since you opened it. Read it again before you sign.');
  await keepTicks(visit, given.chosen);
  const { content, version } = await readContent(env, visit);
  await signatures.create({
    ...{ model, res_id: id, partner_id: visitor.id, name, picture, content, number: earlier + 1 },
    ...{ signed_at: env.now.toISOString(), address: callerAddress(env), sha256: version },
  });
  await anyModel(env.sudo(), model).call([id], step.move);
  const title = text('{name} accepted and signed', { name });
  await write(visit, { body: `✓ ${wordsIn(env, visitor.lang, 'portal').say(title)}`, title, told: '' });
}

/** Only lines that are options of this very record. */
async function keepTicks({ env, model, id, spec }: Visit, chosen: readonly number[]): Promise<void> {
  const { lines } = spec;
  const relation = lines && env.registry.model(model).fields.get(lines.field)?.spec;
  if (!lines?.option || !lines.kind || !relation?.relation || !relation.inverse) return;
  const server = anyModel(env.sudo(), relation.relation);
  const editable = [...env.registry.model(relation.relation).fields.values()].filter((field) => field.isEditable);
  const ticked = await server.searchRead(
    [
      ['id', 'in', [...chosen]],
      [relation.inverse, '=', id],
      [lines.kind, '=', 'option'],
    ],
    editable.map((field) => field.name),
  );
  for (const line of ticked) {
    // Given again, so that the price and the taxes that the customer read are not computed anew.
    const kept = editable.map(({ name, kind }) => [name, kind.isList ? [['set', line[name]]] : line[name]] as const);
    await server.write([line.id], { ...Object.fromEntries(kept), [lines.kind]: lines.option.chosen });
  }
}

/** The customer declines: their reason is in the discussion, and the record moves as by hand. */
export async function decline(visit: Visit, reason: string): Promise<void> {
  const { env, model, id, visitor } = visit;
  const body = reason.trim();
  if (body === '' || body.length > longestComment) throw new UserError('Say in a few words why you decline.');
  const step = await stepOf(visit, 'decline');
  if (!step) throw new UserError('This can no longer be declined: it was accepted, declined or withdrawn.');
  await write(visit, { body, title: text('{name} declined', { name: visitor.name }), told: body });
  await anyModel(env.sudo(), model).call([id], step.move);
}

const mostBytes = 100_000;
const widest = 1_280;

/** The bytes of a PNG of a sensible size: a small file may unfold to gigabytes. */
function signaturePicture(given: string): string {
  const [, data = ''] = /^data:image\/png;base64,([A-Za-z0-9+/]+=*)$/.exec(given.slice(0, mostBytes * 2)) ?? [];
  const bytes = Buffer.from(data, 'base64');
  const isPng = bytes.length > 33 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n';
  if (!isPng) throw new UserError('Draw or type your signature first.');
  const isSmall = bytes.length <= mostBytes && bytes.readUInt32BE(16) <= widest && bytes.readUInt32BE(20) <= widest;
  if (!isSmall) throw new UserError('The picture of the signature is too large.');
  return bytes.toString('base64');
}
