import { crc32 } from 'node:zlib';
import { type Env, imageType, type Model, toJson } from '@kontor/orm';
import { findPersonal, readPersonal, type Subject, withFiles } from './find-personal.ts';
import { fileFields, personalFields } from './personal-fields.ts';

/** All data about a person, as one file: for programs (JSON), for people (HTML), and the files themselves. */
export async function exportPersonal(env: Env, subject: Subject, theirs: readonly Subject[]): Promise<Buffer> {
  // The export contains all data about the person, including what they could not open themselves.
  const server = env.sudo();
  const { found } = withFiles(await findPersonal(server, subject), theirs);
  const files: ZipEntry[] = [];
  const records = (await readPersonal(server, found)).map(({ model, id, why, values }) => ({
    ...{ model: model.name, label: model.label, id, why, name: String(values.display_name ?? '') },
    values: Object.fromEntries(valuesOf(model, id, values, files)),
  }));
  const content = { subject, made_at: env.now.toISOString(), records };
  return zip([
    { name: 'personal-data.json', bytes: Buffer.from(toJson(content)) },
    { name: 'personal-data.html', bytes: Buffer.from(page(records)) },
    ...files,
  ]);
}

/** A file is put into `files` and represented by its path there. */
function* valuesOf(model: Model, id: number, values: Readonly<Record<string, unknown>>, files: ZipEntry[]) {
  for (const { name, label, kind } of personalFields(model)) {
    const value = values[name];
    if (value === null || value === undefined || value === '') continue;
    if (!kind.isFile) {
      yield [name, { label, value }] as const;
      continue;
    }
    const bytes = Buffer.from(String(value), 'base64');
    const given = fileFields(model)?.data.name === name ? String(values.name) : `${name}${extension(bytes)}`;
    const file = `files/${model.name}-${id}-${given.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_')}`;
    files.push({ name: file, bytes });
    yield [name, { label, value: file, file }] as const;
  }
}

function extension(bytes: Buffer): string {
  const type = imageType(bytes);
  return type === null ? '' : `.${type.replace('image/', '')}`;
}

interface Told {
  readonly label: string;
  readonly id: number;
  readonly name: string;
  readonly values: Readonly<Record<string, ToldValue>>;
}

interface ToldValue {
  readonly label: string;
  readonly value: unknown;
  readonly file?: string;
}

function page(records: readonly Told[]): string {
  const sections = records.map(({ label, id, name, values }) => {
    const rows = Object.values(values).map(
      (each) => `<tr><th scope="row">${escaped(each.label)}</th><td>${shown(each)}</td></tr>`,
    );
    return `<h2>${escaped(label)} ${id}: ${escaped(name)}</h2><table>${rows.join('')}</table>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Personal data</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th{width:14rem}th,td{text-align:start;vertical-align:top;padding:.3rem .6rem;border-top:1px solid #ddd}</style>
${sections.join('\n')}`;
}

function shown({ value, file }: ToldValue): string {
  if (file !== undefined) return `<a href="${file.split('/').map(encodeURIComponent).join('/')}">${escaped(file)}</a>`;
  const text = typeof value === 'string' ? value.replaceAll(/<[^>]*>/g, ' ').trim() : toJson(value);
  return escaped(text);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A ZIP file with uncompressed entries: any system can open it. */
function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name: text, bytes } of entries) {
    const name = Buffer.from(text);
    const head = zipHead(name, bytes);
    parts.push(Buffer.concat([u32(0x04034b50), head, name]), bytes);
    directory.push(Buffer.concat([u32(0x02014b50), u16(20), head, u16(0), u16(0), u16(0), u32(0), u32(offset), name]));
    offset += 30 + name.length + bytes.length;
  }
  const index = Buffer.concat(directory);
  const count = u16(entries.length);
  const end = Buffer.concat([u32(0x06054b50), u16(0), u16(0), count, count, u32(index.length), u32(offset), u16(0)]);
  return Buffer.concat([...parts, index, end]);
}

const utf8Names = 0x0800;
/** The earliest date of the format. */
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
