import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { type KnownNames, viewsSchema } from '../docs/views-schema.ts';
import { clientWidgets } from '../grammar/widgets.ts';

const addons = join(import.meta.dirname, '../../../addons');
interface Brought {
  readonly default: { readonly widgets?: Readonly<Record<string, unknown>> };
}
const opened: { dispose(): void }[] = [];
afterAll(() => {
  for (const each of opened) each.dispose();
});

function validator(known?: KnownNames): XsdValidator {
  const schema = XmlDocument.fromString(viewsSchema(known));
  const made = XsdValidator.fromDoc(schema);
  opened.push(made, schema);
  return made;
}

function problemsOf(schema: XsdValidator, xml: string): readonly string[] {
  const document = XmlDocument.fromString(xml);
  try {
    schema.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error;
    return error.details.map(({ line, message }) => `${line}: ${message.trim()}`);
  } finally {
    document.dispose();
  }
}

describe('PKG-6 the XML schema for editors', () => {
  it('takes every view and data file of the shipped addons', async () => {
    const definitions = await Promise.all(
      readdirSync(addons).map(async (name) => (await import(join(addons, name, 'addon.ts'))) as Brought),
    );
    const widgets = [
      ...clientWidgets.keys(),
      ...definitions.flatMap((each) => Object.keys(each.default.widgets ?? {})),
    ];
    const schema = validator({ widgets });
    const files = readdirSync(addons, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\/(views|data|demo|security)\/[^/]+\.xml$/.test(file) && !file.includes('node_modules'),
    );
    expect(files.length).toBeGreaterThan(30);
    const found = files.map((file) => [file, problemsOf(schema, readFileSync(join(addons, file), 'utf8'))] as const);
    expect(found.filter(([, problems]) => problems.length > 0)).toEqual([]);
  });

  it('refuses a tag, an attribute, a choice, a field and a widget that there are not, with the line', () => {
    const schema = validator({ models: ['library.book'], fields: ['name', 'isbn'] });
    const view = (inside: string) => `<views>\n<list id="a" model="library.book">\n${inside}\n</list></views>`;
    expect(problemsOf(schema, view('<field name="isbn"/>'))).toEqual([]);
    const wrong = [
      '<feild name="isbn"/>',
      '<field nam="isbn"/>',
      '<field name="isnb"/>',
      '<field name="isbn" widget="bagde"/>',
    ];
    for (const inside of wrong) expect(problemsOf(schema, view(inside))[0], inside).toMatch(/^3: /);
    expect(problemsOf(schema, '<views>\n<list id="a" model="library.boook"/></views>')[0]).toMatch(
      /^2: .*library\.boook/,
    );
  });
});
