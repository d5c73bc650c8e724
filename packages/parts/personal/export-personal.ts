import { crc32 } from 'node:zlib';
import { type Env, toJson } from '@kontor/orm';
import { type FoundRecord, findPersonal, readPersonal, type Subject } from './find-personal.ts';
import { personalFields } from './personal-fields.ts';

/** All that is held of a person, as one file: for programs (JSON) and for people (HTML). */
export async function exportPersonal(env: Env, subject: Subject): Promise<Buffer> {
  // The person in charge gives the person all that there is of them, also what they could not open themselves.
  const server = env.sudo();
  const { found } = await findPersonal(server, subject);
  const records = (await readPersonal(server, found)).map(({ model, id, why, values }) => ({
    ...{ model: model.name, label: model.label, id, why, name: String(values.display_name ?? '') },
    values: Object.fromEntries(valuesOf(model, values)),
  }));
  const content = { subject, made_at: env.now.toISOString(), records };
  return zip([
    { name: 'personal-data.json', bytes: Buffer.from(toJson(content)) },
    { name: 'personal-data.html', bytes: Buffer.from(page(records)) },
  ]);
}

function* valuesOf(model: FoundRecord['model'], values: Readonly<Record<string, unknown>>) {
  for (const { name, label } of personalFields(model)) {
    const value = values[name];
    if (value !== null && value !== undefined && value !== '') yield [name, { label, value }] as const;
  }
}

interface Told {
  readonly label: string;
  readonly id: number;
  readonly name: string;
  readonly values: Readonly<Record<string, { readonly label: string; readonly value: unknown }>>;
}

function page(records: readonly Told[]): string {
  const sections = records.map(({ label, id, name, values }) => {
    const rows = Object.values(values).map(
      (each) => `<tr><th scope="row">${escaped(each.label)}</th><td>${escaped(readable(each.value))}</td></tr>`,
    );
    return `<h2>${escaped(label)} ${id}: ${escaped(name)}</h2><table>${rows.join('')}</table>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Personal data</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th{width:14rem}th,td{text-align:start;vertical-align:top;padding:.3rem .6rem;border-top:1px solid #ddd}</style>
${sections.join('\n')}`;
}

/** Files are long; they are whole in the JSON. */
function readable(value: unknown): string {
  const text = typeof value === 'string' ? value.replaceAll(/<[^>]*>/g, ' ').trim() : toJson(value);
  return text.length > 2_000 ? `${text.slice(0, 2_000)} …` : text;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A ZIP file whose entries are stored as they are: any system opens it without a program of ours. */
function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const head = zipHead(Buffer.from(name), bytes);
    parts.push(Buffer.concat([u32(0x04034b50), head, Buffer.from(name)]), bytes);
    directory.push(
      Buffer.concat([u32(0x02014b50), u16(20), head, u16(0), u16(0), u16(0), u32(0), u32(offset), Buffer.from(name)]),
    );
    offset += 30 + name.length + bytes.length;
  }
  const index = Buffer.concat(directory);
  const count = u16(entries.length);
  const end = Buffer.concat([u32(0x06054b50), u16(0), u16(0), count, count, u32(index.length), u32(offset), u16(0)]);
  return Buffer.concat([...parts, index, end]);
}

const utf8Names = 0x0800;
/** The first day that the format knows. */
const noDay = 0x21;

function zipHead(name: Buffer, bytes: Buffer): Buffer {
  const sizes = [u32(crc32(bytes)), u32(bytes.length), u32(bytes.length)];
  return Buffer.concat([u16(20), u16(utf8Names), u16(0), u16(0), u16(noDay), ...sizes, u16(name.length), u16(0)]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
