import type { Schema } from './field-schema.ts';

type Properties = Readonly<Record<string, Schema>>;
interface Page {
  readonly components: { readonly schemas: Properties };
}
interface Action {
  readonly label: string | null;
  readonly asks: Properties;
  readonly needs: readonly string[];
}

/** The models of an OpenAPI document of ours as TypeScript, for `createClient<Models>()` of `@kontor/rpc`. */
export function typescriptOf(page: unknown): string {
  const { schemas } = (page as Page).components;
  const names = Object.keys(schemas)
    .filter((name) => name.endsWith('-calls'))
    .map((name) => name.slice(0, -'-calls'.length));
  const known = new Set(names);
  return [
    '// Written by `kontor types`. Write it again instead of changing it.',
    "import type { Commands } from '@kontor/rpc';",
    '',
    ...names.flatMap((name) => modelTypes(name, schemas, known)),
    'export type Models = {',
    ...names.map((name) => `  readonly '${name}': ${typeName(name)};`),
    '};',
    '',
  ].join('\n');
}

function modelTypes(name: string, schemas: Properties, known: ReadonlySet<string>): readonly string[] {
  const type = typeName(name);
  const record = propertiesOf(schemas[`${name}-record`]);
  const values = propertiesOf(schemas[`${name}-values`]);
  const needed = (schemas[`${name}-create`]?.required ?? []) as readonly string[];
  const calls = (schemas[`${name}-calls`]?.oneOf ?? []) as readonly Schema[];
  const relations = Object.entries(record).filter(([, field]) => known.has(String(field['x-model'])));
  const entries = Object.entries(values);
  return [
    `/** ${comment(schemas[`${name}-record`]?.title)} */`,
    `export interface ${type}Record {`,
    ...Object.entries(record).flatMap(([field, schema]) => member(field, schema, readType(schema))),
    '}',
    `export interface ${type}Values {`,
    ...entries.flatMap(([field, schema]) => member(`${field}?`, schema, givenType(schema, known))),
    '}',
    `export interface ${type}New extends ${type}Values {`,
    ...needed.map((field) => `  readonly ${field}: ${givenType(values[field] ?? {}, known)};`),
    '}',
    `export interface ${type} {`,
    `  readonly record: ${type}Record;`,
    `  readonly values: ${type}Values;`,
    `  readonly create: ${type}New;`,
    `  readonly relations: {`,
    ...relations.map(([field, schema]) => `    readonly ${field}: '${String(schema['x-model'])}';`),
    '  };',
    '  readonly actions: {',
    ...actionsOf(calls).map(([action, asked]) => `    readonly ${action}: ${askedType(asked)};`),
    '  };',
    `  readonly methods: ${calls.map((call) => `'${methodOf(call)}'`).join(' | ') || 'never'};`,
    '}',
    '',
  ];
}

/** `sale.order.line` → `SaleOrderLine`. */
function typeName(model: string): string {
  return model.replaceAll(/(?:^|[._])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function member(name: string, schema: Schema, type: string): readonly string[] {
  return [`  /** ${comment(schema.title)} */`, `  readonly ${name}: ${type};`];
}

function comment(title: unknown): string {
  return String(title ?? '')
    .replaceAll('*/', '* /')
    .replaceAll(/\s+/g, ' ');
}

function readType(schema: Schema): string {
  if (typesOf(schema).includes('array')) return 'readonly number[]';
  return plainType(schema);
}

function givenType(schema: Schema, known: ReadonlySet<string>): string {
  if (!typesOf(schema).includes('array')) return plainType(schema);
  const target = String(schema['x-model']);
  return `Commands<${known.has(target) ? `${typeName(target)}Values` : 'Readonly<Record<string, unknown>>'}>`;
}

const plainTypes: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
};

function plainType(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ') || 'never';
  const types = typesOf(schema).map((type) => plainTypes[type] ?? 'unknown');
  return types.length === 0 ? 'unknown' : types.join(' | ');
}

function typesOf({ type }: Schema): readonly string[] {
  return Array.isArray(type) ? (type as readonly string[]) : type === undefined ? [] : [String(type)];
}

function propertiesOf(schema: Schema | undefined): Properties {
  return (schema?.properties ?? {}) as Properties;
}

function methodOf(call: Schema): string {
  return String(propertiesOf(call).method?.const);
}

function actionsOf(calls: readonly Schema[]): readonly (readonly [string, Action])[] {
  const call = calls.find((each) => methodOf(each) === 'call');
  return Object.entries((call?.['x-actions'] ?? {}) as Readonly<Record<string, Action>>);
}

/** Answers are texts, whatever their meaning. */
function askedType({ asks, needs }: Action): string {
  const asked = Object.entries(asks);
  if (asked.length === 0) return 'Readonly<Record<never, string>>';
  const members = asked.map(
    ([name, schema]) => `readonly ${name}${needs.includes(name) ? '' : '?'}: ${plainType(schema)}`,
  );
  return `{ ${members.join('; ')} }`;
}
