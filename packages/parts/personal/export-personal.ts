import { type ZipEntry, zipFile } from '@kontor/exchange';
import { type Env, imageType, type Model, type Registry, toJson } from '@kontor/orm';
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
  return zipFile([
    { name: 'personal-data.json', bytes: Buffer.from(toJson(content)) },
    { name: 'personal-data.html', bytes: Buffer.from(personalPage(env.registry, records)) },
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
  readonly model: string;
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

/** For people: rich text without its tags, and any other text as it is. */
export function personalPage(registry: Pick<Registry, 'model'>, records: readonly Told[]): string {
  const sections = records.map(({ model, label, id, name, values }) => {
    const { fields } = registry.model(model);
    const rows = Object.entries(values).map(([field, each]) => {
      const isMarkup = fields.get(field)?.kind.shownAs === 'html';
      return `<tr><th scope="row">${escaped(each.label)}</th><td>${shown(each, isMarkup)}</td></tr>`;
    });
    return `<h2>${escaped(label)} ${id}: ${escaped(name)}</h2><table>${rows.join('')}</table>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Personal data</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th{width:14rem}th,td{text-align:start;vertical-align:top;padding:.3rem .6rem;border-top:1px solid #ddd}</style>
${sections.join('\n')}`;
}

function shown({ value, file }: ToldValue, isMarkup: boolean): string {
  if (file !== undefined) return `<a href="${file.split('/').map(encodeURIComponent).join('/')}">${escaped(file)}</a>`;
  if (typeof value !== 'string') return escaped(toJson(value));
  if (!isMarkup) return escaped(value);
  const text = value.replaceAll(/<[^<>]*>/g, ' ').trim();
  // What is left is escaped already, as rich text is stored.
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
