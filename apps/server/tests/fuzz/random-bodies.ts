import fc, { type Arbitrary } from 'fast-check';
import type { KnownField, KnownModel } from './known-models.ts';
import { anything, hostileTexts, mostly, oddNumbers } from './random-values.ts';

type Models = ReadonlyMap<string, KnownModel>;

/** Bodies for `/api/rpc`: mostly calls that are nearly right, since those get furthest; some that are anything at all. */
export function randomBody(models: Models): Arbitrary<string | Uint8Array> {
  const call = nearCall(models).map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 20, arbitrary: call },
    { weight: 2, arbitrary: brokenText(call) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  );
}

const reading = ['search', 'search_read', 'read', 'read_group', 'onchange'];
const changing = ['call', 'create', 'write', 'unlink', 'create_many', 'write_many', 'unlink_many'];

function nearCall(models: Models): Arbitrary<unknown> {
  const perModel = [...models.values()].map((model) => {
    const parts = partsOf(model, models);
    return fc.constantFrom(...reading, ...changing).chain((method) => callOf(model, method, parts));
  });
  const strange = fc.record(
    { model: anything, method: anything, args: fc.array(anything, { maxLength: 3 }), kwargs: anything },
    { requiredKeys: [] },
  );
  const call = fc.oneof({ weight: 15, arbitrary: fc.oneof(...perModel) }, { weight: 1, arbitrary: strange });
  return fc.oneof({ weight: 8, arbitrary: call }, { weight: 1, arbitrary: call.map((params) => ({ params })) });
}

function callOf(model: KnownModel, method: string, parts: Parts): Arbitrary<unknown> {
  const count = fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) });
  const args = fc
    .tuple(argsOf(model, method, parts), count, anything)
    .map(([all, more, extra]) => (more < 0 ? all.slice(0, -1) : more > 0 ? [...all, extra] : all));
  const kwargs = kwargsOf(model, method, parts);
  return fc.record({ model: fc.constant(model.name), method: fc.constant(method), args, kwargs });
}

interface Parts {
  readonly id: Arbitrary<number>;
  readonly ids: Arbitrary<unknown>;
  readonly field: Arbitrary<string>;
  readonly domain: Arbitrary<unknown>;
  readonly projection: Arbitrary<unknown>;
  readonly values: Arbitrary<unknown>;
}

function partsOf(model: KnownModel, models: Models): Parts {
  const id = idOf(model);
  const field = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...model.fields.map(({ name }) => name)) },
    { weight: 1, arbitrary: fc.constantFrom(...oddFields) },
  );
  return {
    id,
    ids: mostly(fc.array(id, { minLength: 1, maxLength: 3 })),
    field,
    domain: mostly(domainOf(model, models, field)),
    projection: mostly(fc.array(field, { maxLength: 5 })),
    values: mostly(valuesOf(model, models, field)),
  };
}

function idOf(model: KnownModel | undefined): Arbitrary<number> {
  const odd = fc.constantFrom(...oddNumbers, 999_999);
  const ids = model?.ids ?? [];
  return ids.length === 0
    ? odd
    : fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: odd });
}

const oddFields = [
  ...['nome', 'id', 'display_name', 'create_date', 'create_uid.password', 'partner_id.country_id.code', 'name:month'],
  ...['line_ids.quantity', 'date_order:month', 'state:year', '-name', 'name, -id', '__proto__', 'constructor', ''],
];
const ordered = ['=', '!=', '<', '<=', '>', '>=', 'in', 'not in'];
const textual = [...ordered, 'like', 'ilike', 'not ilike', '=like'];

function domainOf(model: KnownModel, models: Models, field: Arbitrary<string>): Arbitrary<unknown[]> {
  const condition = fc.constantFrom(...model.fields).chain((known) => {
    const fits = fitting(known, models, 0);
    const usual = ['char', 'text', 'html', 'selection'].includes(known.type) ? textual : ordered;
    const operator = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...usual) },
      { weight: 1, arbitrary: fc.constantFrom(...textual, 'child_of', 'parent_of', 'not like', '~') },
    );
    return operator.chain((sign) =>
      fc.tuple(
        fc.oneof({ weight: 9, arbitrary: fc.constant(known.name) }, { weight: 1, arbitrary: field }),
        fc.constant(sign),
        mostly(/in$/.test(sign) ? fc.array(fits, { maxLength: 3 }) : fits),
      ),
    );
  });
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(condition, { maxLength: 3 }) as Arbitrary<unknown[]> },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom('|', '&'), condition, condition) as Arbitrary<unknown[]> },
    { weight: 1, arbitrary: fc.tuple(fc.constant('!'), condition) as Arbitrary<unknown[]> },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('|', '!'), fc.constantFrom('&', '!'), condition) as Arbitrary<unknown[]>,
    },
  );
}

/** Values of a record that could be made, with some of them changed, or some alone. */
function valuesOf(model: KnownModel, models: Models, field?: Arbitrary<string>, depth = 0): Arbitrary<object> {
  const settable = model.fields.filter(({ isSettable }) => isSettable);
  if (settable.length === 0) return fc.constant({});
  const entry = fc
    .constantFrom(...settable)
    .chain((known) => fc.tuple(fc.constant(known.name), mostly(fitting(known, models, depth))));
  const entries = fc.array(entry, { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs) as object);
  const whole = entries.map((values) => ({ ...model.seed, ...values }));
  const odd = fc
    .tuple(entries, field ?? fc.constantFrom(...oddFields), anything)
    .map(([values, name, value]) => ({ ...values, [name]: value }));
  return fc.oneof({ weight: 5, arbitrary: whole }, { weight: 3, arbitrary: entries }, { weight: 1, arbitrary: odd });
}

/** What fits into a field, as far as one can say without knowing the record. */
function fitting({ type, relation, choices }: KnownField, models: Models, depth: number): Arbitrary<unknown> {
  const related = models.get(relation ?? '');
  switch (type) {
    case 'integer':
    case 'float':
    case 'decimal':
    case 'monetary':
      return fc.oneof(fc.integer({ min: -5, max: 99 }), fc.constantFrom(...oddNumbers, '1.50'));
    case 'date':
      return fc.constantFrom('2026-11-14', '2024-02-29', '0001-01-01', '9999-12-31', null);
    case 'datetime':
      return fc.constantFrom('2026-11-14T09:30:00Z', '2026-11-14T09:30:00.123+05:30', null);
    case 'boolean':
      return fc.boolean();
    case 'selection':
      return choices.length === 0 ? fc.constant(null) : fc.constantFrom(...choices);
    case 'many2one':
      return fc.oneof(idOf(related), fc.constant(null));
    case 'one2many':
    case 'many2many':
      return fc.array(commandOf(related, models, depth), { maxLength: 3 });
    case 'json':
      return anything;
    case 'binary':
    case 'image':
      return fc.constantFrom('aGVsbG8=', '', null);
    default:
      return fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(...hostileTexts));
  }
}

function commandOf(related: KnownModel | undefined, models: Models, depth: number): Arbitrary<unknown> {
  const id = idOf(related);
  const simple = fc.oneof(
    fc.tuple(fc.constantFrom('delete', 'unlink', 'link'), id) as Arbitrary<unknown>,
    fc.tuple(fc.constant('set'), fc.array(id, { maxLength: 2 })) as Arbitrary<unknown>,
    fc.constant(['clear']),
  );
  if (!related || depth > 1) return mostly(simple);
  const values = valuesOf(related, models, undefined, depth + 1);
  return mostly(
    fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.constant('create'), values) as Arbitrary<unknown> },
      { weight: 2, arbitrary: fc.tuple(fc.constant('update'), id, values) as Arbitrary<unknown> },
      { weight: 2, arbitrary: simple },
    ),
  );
}

function argsOf(model: KnownModel, method: string, parts: Parts): Arbitrary<unknown[]> {
  const { id, ids, field, domain, projection, values } = parts;
  switch (method) {
    case 'search':
      return fc.tuple(domain);
    case 'search_read':
      return fc.tuple(domain, projection);
    case 'read':
      return fc.tuple(ids, projection);
    case 'read_group':
      return fc.tuple(groupSpec(field, domain));
    case 'call':
      return fc.tuple(mostly(id), actionName(model), answersOf(model));
    case 'create':
      return fc.tuple(values);
    case 'create_many':
      return fc.tuple(fc.array(values, { maxLength: 3 }));
    case 'unlink':
    case 'unlink_many':
      return fc.tuple(ids);
    case 'onchange':
      return fc.tuple(values, mostly(fc.oneof(field, fc.array(field, { maxLength: 2 }))));
    default:
      return fc.tuple(ids, values);
  }
}

function actionName({ actions }: KnownModel): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...actions.keys()) as Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.constantFrom('action_nothing', ...hostileTexts.slice(0, 8)) },
  );
}

function answersOf({ actions, ids }: KnownModel): Arbitrary<unknown> {
  const names = [...new Set([...[...actions.values()].flat(), 'active_ids', 'field', 'values', 'feedback', 'note'])];
  const value = fc.constantFrom<unknown>(
    '1,2',
    ids.join(),
    String(ids[0] ?? 1),
    'x',
    '1.5',
    ...hostileTexts,
    ...oddNumbers,
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }) as Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: anything },
  );
}

function groupSpec(field: Arbitrary<string>, domain: Arbitrary<unknown>): Arbitrary<unknown> {
  const measure = fc.record({
    name: fc.constantFrom('total', 'n', ...hostileTexts.slice(0, 6)),
    field,
    measure: fc.constantFrom('sum', 'count', 'avg', 'min', 'max', 'count_distinct', 'median'),
  });
  const spec = {
    domain,
    groupby: mostly(fc.array(field, { maxLength: 2 })),
    fields: mostly(fc.array(measure, { maxLength: 2 })),
  };
  const page = {
    order: fc.oneof(field, fc.constantFrom('__count', '-__count')),
    limit: mostly(fc.constantFrom(5, 0)),
    offset: mostly(fc.constantFrom(0, 3)),
  };
  return mostly(fc.record({ ...spec, ...page }, { requiredKeys: ['domain', 'groupby', 'fields'] }));
}

/** What changes anything is a dry run, but in the shop: the others need their records, and the caller their rights. */
function kwargsOf(model: KnownModel, method: string, { field, values }: Parts): Arbitrary<unknown> {
  const page = {
    limit: mostly(fc.constantFrom(0, 3, 500, 501)),
    offset: mostly(fc.constantFrom(0, 1, 2 ** 53 - 1)),
    order: field,
  };
  const own: Record<string, Record<string, Arbitrary<unknown>>> = {
    search: page,
    search_read: page,
    write: { base: values },
    onchange: {
      id: mostly(fc.constantFrom(1, ...model.ids)),
      action: actionName(model),
      active_ids: mostly(fc.constant(model.ids)),
    },
  };
  const some = fc.record(own[method] ?? {}, { requiredKeys: [] }) as Arbitrary<object>;
  if (changing.includes(method)) {
    const dryRun = model.name.startsWith('shop.') ? fc.boolean() : fc.constant(true);
    return fc.tuple(some, dryRun).map(([more, dry_run]) => ({ ...more, dry_run }));
  }
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) as Arbitrary<unknown> },
    { weight: 5, arbitrary: some },
    { weight: 1, arbitrary: anything },
  );
}

/** Valid text with a piece taken out or put in. */
function brokenText(text: Arbitrary<string>): Arbitrary<string> {
  const pieces = ['"', '{', '}', '[', ',', ':', '\\', '\\u0000', '\\ud800', '1e999', 'NaN', '\0', '\n', '"a":1,'];
  return fc
    .tuple(text, fc.nat({ max: 999 }), fc.nat({ max: 8 }), fc.constantFrom(...pieces))
    .map(([whole, where, length, put]) => {
      const at = Math.floor((where / 1_000) * whole.length);
      return whole.slice(0, at) + put + whole.slice(at + length);
    });
}
