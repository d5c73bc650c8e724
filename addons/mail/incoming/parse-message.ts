import { setImmediate } from 'node:timers/promises';
import { isMailAddress } from '@kontor/addon';
import type { Address, Attachment, Email } from 'postal-mime';
import { plainName, plainType, type SentFile } from '../chatter/message-files.ts';
import { type Invitation, readInvitation } from '../invitation/read-invitation.ts';
import { classify, type MessageKind, messageIds } from './classify.ts';
import { htmlBody, longestBody, type MessageBody, textBody } from './message-body.ts';

/** An e-mail as far as it matters here: plain values within bounds, whatever the sender put in. */
export interface ParsedMessage {
  /** Without angle brackets; null if there is none. */
  readonly messageId: string | null;
  /** Message-IDs that it answers, the nearest first. For a bounce, those of the e-mail that came back. */
  readonly references: readonly string[];
  readonly from: { readonly name: string; readonly address: string } | null;
  /** Addresses it was sent to, in lower case. */
  readonly recipients: readonly string[];
  /** As its head names them. */
  readonly people: MailPeople;
  readonly subject: string;
  /** ISO 8601; null if there is none, or none that makes sense. */
  readonly date: string | null;
  readonly body: MessageBody;
  readonly files: readonly SentFile[];
  readonly kind: MessageKind;
  readonly isFromList: boolean;
  /** Addresses that a bounce reports as failed. */
  readonly failed: readonly string[];
  /** The meeting that it is about: an invitation, its end or an answer to ours. */
  readonly invitation: Invitation | null;
  /** Parts could not be read: the original is among its files. */
  readonly isPartial: boolean;
}

export interface MailPerson {
  readonly name: string;
  readonly address: string;
}

export interface MailPeople {
  readonly to: readonly MailPerson[];
  readonly cc: readonly MailPerson[];
  /** Where its sender wants answers, if that is not the sender. */
  readonly replyTo: MailPerson | null;
}

/** The largest message that is accepted, as providers do. */
export const maxMessageBytes = 25_000_000;
const maxParts = 100;
const maxNesting = 20;
const maxHeaderBytes = 256_000;
const dash = 0x2d;
const maxDashedLines = 2_000;
/** Lines of encoded files have 76 characters. Of shorter ones, a text has at most so many. */
const encodedLine = 60;
const maxShortLines = 20_000;
const maxReferences = 50;

/** Never throws for what a sender wrote: a message that is not within the bounds is reduced to its head, with the original as a file. */
export async function parseMessage(raw: Uint8Array): Promise<ParsedMessage> {
  const { files, ...message } = await readMessage(raw);
  return { ...storable(message), files: files.map((file) => ({ ...file, name: stored(file.name) })) };
}

async function readMessage(raw: Uint8Array): Promise<ParsedMessage> {
  // Each step of the largest e-mails takes some tens of milliseconds: others are answered in between.
  const isReadable = await isWithinBounds(raw);
  const whole = isReadable ? await parseInTurns(raw).catch(() => null) : null;
  await setImmediate();
  if (whole !== null && whole.attachments.length <= maxParts) return toMessage(whole, raw);
  const head = await parseInTurns(headOf(raw)).catch(() => null);
  return { ...toMessage({ ...(head ?? emptyMessage), html: '', text: '', attachments: [] }, raw), ...asFile(raw) };
}

const linesInTurn = 1_000;

interface LineParser {
  readonly currentNode: { contentDecoder: LineDecoder | null };
  processLine(line: Uint8Array, isLast: boolean): Promise<void>;
  parse(raw: Uint8Array): Promise<Email>;
}

interface LineDecoder {
  update(line: Uint8Array): void;
  finalize(): Promise<ArrayBuffer>;
}

const isGathering = new WeakSet<LineDecoder>();

/** Lines that are not encoded, in one buffer. The parser keeps each as a part of a blob, and joins hundreds of thousands at a stretch. */
function gatherLines(): LineDecoder {
  let buffer = Buffer.alloc(4_096);
  let size = 0;
  const decoder: LineDecoder = {
    update(line) {
      if (size + line.length + 1 > buffer.length)
        buffer = Buffer.concat([buffer.subarray(0, size)], 2 * (size + line.length + 1));
      buffer.set(line, size);
      buffer[size + line.length] = 0x0a;
      size += line.length + 1;
    },
    finalize: async () => buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + size) as ArrayBuffer,
  };
  isGathering.add(decoder);
  return decoder;
}

/** Decoders of encoded parts collect larger pieces themselves. */
function isPerLine(decoder: LineDecoder): boolean {
  return !isGathering.has(decoder) && !('maxChunkSize' in decoder);
}

/** The parser reads all lines at a stretch, which takes seconds for the largest e-mails: others are answered in between. */
async function parseInTurns(raw: Uint8Array): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  const options = { rfc822Attachments: true, maxNestingDepth: maxNesting, maxHeadersSize: maxHeaderBytes };
  const parser = new PostalMime(options) as unknown as LineParser;
  const processLine = parser.processLine.bind(parser);
  let lines = 0;
  parser.processLine = async (line, isLast) => {
    if (++lines % linesInTurn === 0) await setImmediate();
    const node = parser.currentNode;
    // It is there from the first line of the body on.
    if (node.contentDecoder && isPerLine(node.contentDecoder)) node.contentDecoder = gatherLines();
    return processLine(line, isLast);
  };
  return parser.parse(raw);
}

const emptyMessage: Email = { headers: [], headerLines: [], attachments: [] };

/** Counted before anything is unpacked: every part begins with a line of dashes, and every line costs time. */
async function isWithinBounds(raw: Uint8Array): Promise<boolean> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  let [parts, dashed, short, lines] = [0, 0, 0, 0];
  for (let at = 0, end = 0; at < bytes.length; at = end + 1) {
    if (++lines % linesInTurn === 0) await setImmediate();
    end = bytes.indexOf(0x0a, at);
    if (end < 0) end = bytes.length;
    if (end - at < encodedLine && ++short > maxShortLines) return false;
    if (bytes[at] !== dash || bytes[at + 1] !== dash) continue;
    if (++dashed > maxDashedLines) return false;
    if (/content-type|content-disposition/i.test(bytes.toString('latin1', at, at + 400))) parts++;
    if (parts > maxParts) return false;
  }
  return true;
}

/** Without the headers that would announce parts. */
function headOf(raw: Uint8Array): Buffer {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, maxHeaderBytes / 2));
  const text = bytes.toString('latin1');
  const [head = ''] = text.split(/\r?\n\r?\n/, 1);
  return Buffer.from(
    `${head.replaceAll(/^content-(?:type|transfer-encoding):.*(?:\r?\n[ \t].*)*\r?\n?/gim, '')}\r\n\r\n`,
    'latin1',
  );
}

function asFile(raw: Uint8Array): Pick<ParsedMessage, 'files' | 'isPartial'> {
  return { isPartial: true, files: [originalOf(raw)] };
}

export function originalOf(raw: Uint8Array): SentFile {
  const data = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('base64');
  return { name: 'message.eml', type: 'message/rfc822', data };
}

function toMessage(email: Email, raw: Uint8Array): ParsedMessage {
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? null;
  const from = senderOf(email);
  const found = classify(email, from?.address ?? null);
  const isBounce = found.kind === 'bounce';
  const body = bodyOf(email);
  const isPartial = body === null;
  return {
    messageId: messageIds(header('message-id') ?? '')[0] ?? null,
    references: isBounce ? found.original : referencesOf(header('in-reply-to'), header('references')),
    from,
    recipients: recipientsOf(email),
    people: peopleOf(email, from?.address ?? null),
    subject: oneLine(email.subject ?? '', 500),
    date: dateOf(email.date ?? null),
    body: body ?? noBody,
    files: isPartial ? [originalOf(raw)] : filesOf(email.attachments),
    invitation: invitationIn(email.attachments),
    kind: found.kind,
    isFromList: found.isFromList,
    failed: found.failed,
    isPartial,
  };
}

const noBody: MessageBody = { shown: '', folded: '', pictures: [] };

const isCalendar = ({ mimeType, filename }: Pick<Attachment, 'mimeType' | 'filename'>) =>
  /^(?:text\/calendar|application\/ics)$/i.test(mimeType) || /\.ics$/i.test(filename ?? '');
const maxCalendarFiles = 5;

function invitationIn(attachments: readonly Attachment[]): Invitation | null {
  for (const each of attachments.filter(isCalendar).slice(0, maxCalendarFiles)) {
    const found = readInvitation(stored(bytesOf(each).toString('utf8')));
    if (found) return found;
  }
  return null;
}

/** Invitations come twice in one e-mail, for programs that read the one or the other: the second is left out. */
function filesOf(attachments: readonly Attachment[]): readonly SentFile[] {
  const calendars = new Set<string>();
  return attachments
    .filter((each) => {
      if (!isCalendar(each)) return true;
      const content = bytesOf(each).toString('latin1').replaceAll(/\s+/g, '');
      const isNew = !calendars.has(content);
      calendars.add(content);
      return isNew;
    })
    .map(toFile);
}

/** Null if it is too large to be shown. */
function bodyOf({ html, text }: Email): MessageBody | null {
  // One character more than is read: what is too long stays too long.
  const beginning = (whole: string) => stored(whole.slice(0, longestBody + 1));
  const clean = html === undefined ? null : htmlBody(beginning(html));
  if (clean !== null) return clean;
  if (text !== undefined && text !== '') return textBody(beginning(text));
  return html ? null : noBody;
}

const mostPeople = 50;

function peopleOf({ to, cc, replyTo }: Email, sender: string | null): MailPeople {
  const [answers = null] = personsIn(replyTo);
  return {
    ...{ to: personsIn(to), cc: personsIn(cc) },
    replyTo: answers !== null && answers.address !== sender ? answers : null,
  };
}

function personsIn(addresses: readonly Address[] = []): readonly MailPerson[] {
  const found = new Map<string, MailPerson>();
  for (const one of addresses.flatMap(flat)) {
    const address = oneLine(one.address, 320).toLowerCase();
    if (found.size < mostPeople && isMailAddress(address) && !found.has(address))
      found.set(address, { name: oneLine(one.name, 200), address });
  }
  return [...found.values()];
}

function senderOf({ from, sender, replyTo }: Email): ParsedMessage['from'] {
  for (const one of [from, sender, ...(replyTo ?? [])].flatMap((each) => (each ? flat(each) : []))) {
    const address = oneLine(one.address, 320).toLowerCase();
    if (isMailAddress(address)) return { name: oneLine(one.name, 200) || address, address };
  }
  return null;
}

function flat(address: Address): readonly { readonly name: string; readonly address: string }[] {
  return address.group ?? [{ name: address.name, address: address.address ?? '' }];
}

const recipientHeaders = new Set(['delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to']);

function recipientsOf(email: Email): readonly string[] {
  const listed = [...(email.to ?? []), ...(email.cc ?? []), ...(email.bcc ?? [])].flatMap(flat);
  const delivered = email.headers.filter(({ key }) => recipientHeaders.has(key)).map(({ value }) => value);
  const addresses = [...delivered, ...listed.map(({ address }) => address)];
  return [...new Set(addresses.map((each) => each.replaceAll(/[<>\s]/g, '').toLowerCase()))]
    .filter(isMailAddress)
    .slice(0, 200);
}

function referencesOf(inReplyTo: string | null, references: string | null): readonly string[] {
  const ids = [...messageIds(inReplyTo ?? ''), ...messageIds(references ?? '').toReversed()];
  return [...new Set(ids)].slice(0, maxReferences);
}

/** Clocks of senders are wrong; a date in the future or before e-mail existed is not stored. */
function dateOf(date: string | null): string | null {
  const time = Date.parse(date ?? '');
  return time > Date.UTC(1980, 0) && time < Date.now() + 86_400_000 ? new Date(time).toISOString() : null;
}

function toFile(attachment: Attachment): SentFile {
  const { filename, mimeType } = attachment;
  const type = plainType(mimeType);
  return { name: plainName(stored(filename ?? defaultName(type))), type, data: bytesOf(attachment).toString('base64') };
}

function bytesOf({ content }: Attachment): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer);
}

function defaultName(type: string): string {
  if (type === 'message/rfc822') return 'message.eml';
  if (type === 'text/calendar') return 'invitation.ics';
  const [, extension = ''] = /^image\/(png|jpeg|gif|webp)$/.exec(type) ?? [];
  return extension === '' ? 'file' : `picture.${extension === 'jpeg' ? 'jpg' : extension}`;
}

/** A header value on one line: it becomes a name or a title, and must not start a header of its own. */
function oneLine(value: string, length: number): string {
  return [
    ...stored(value)
      .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, length)
    .join('')
    .trim();
}

/** The characters of windows-1252 that ISO-8859-1 does not have. Node decodes the one as the other. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** PostgreSQL stores neither null bytes nor halves of characters. */
function stored(value: string): string {
  const known = value.replaceAll(/[\u0080-\u009f]/g, (one) => windows[one.charCodeAt(0) - 0x80] as string);
  return Buffer.from(known.replaceAll('\0', ''), 'utf8').toString('utf8');
}

/** All texts of a value: they come out of headers, entities and cuts as well. */
function storable<T>(value: T): T {
  if (typeof value === 'string') return stored(value) as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, storable(member)])) as T;
}
