import type { Field, Model, Registry } from '@kontor/orm';
import fc from 'fast-check';
import { withKeys } from './depot-calls.ts';
import type { AnyCall } from './two-ways.ts';

interface World {
  readonly registry: Registry;
  /** Records of a model that calls are about, and that relations are set to. */
  idsOf(model: string): readonly number[];
  readonly people: readonly string[];
}

const texts = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("it's", 'ä€😀', 'two\nlines', '', null));

/** Mostly values that the field takes: what is refused is refused in both worlds. */
function sampleOf({ idsOf }: World, { kind, spec, selection }: Field): fc.Arbitrary<unknown> {
  if (kind.isToOne) return fc.constantFrom(...idsOf(spec.relation as string), null, 999_999);
  if (selection) return fc.constantFrom(...selection.keys(), null);
  if (kind.isBoolean) return fc.boolean();
  if (kind.isNumber) return fc.constantFrom(0, 1, 2, 7, '12.50', null);
  if (kind.isDate) return fc.constantFrom('2026-11-20', '2026-12-24', '2026-11-20T09:30:00Z', null);
  if (kind.isList) return fc.constantFrom([], [['clear']]);
  return texts;
}

/** Writes and creates of models with fields that people may set, one to three of them; half of the writes are of those given. */
export function someAppCalls(
  world: World,
  usual: Readonly<Record<string, readonly string[]>>,
  seed: number,
  count: number,
): readonly AnyCall[] {
  const ofModel = (model: Model): fc.Arbitrary<AnyCall> => {
    const open = [...model.fields.values()].filter(
      ({ kind, spec, compute, related, isEditable }) =>
        !kind.isFile && !kind.isOpaque && !spec.readonly && !related && (isEditable || !compute),
    );
    const some = (fields: readonly Field[]) =>
      fc
        .shuffledSubarray([...fields], { minLength: 1, maxLength: 3 })
        .chain((own) => fc.record(Object.fromEntries(own.map((field) => [field.name, sampleOf(world, field)]))));
    const values = fc.oneof(some(open), some(open.filter(({ name }) => usual[model.name]?.includes(name))));
    const needed = [...model.fields.values()].filter(
      ({ required, spec, isEditable, name }) => required && spec.default === undefined && !isEditable && name !== 'id',
    );
    const begun = fc.record(Object.fromEntries(needed.map((field) => [field.name, sampleOf(world, field)])));
    const by = fc.constantFrom(...world.people);
    const ids = fc.constantFrom(...world.idsOf(model.name));
    const write = fc.tuple(by, ids, values, fc.integer({ min: 0, max: 5 })).map(([who, id, given, rest]): AnyCall => {
      // Most records have something there by now.
      const kwargs = rest === 0 ? { base: Object.fromEntries(Object.keys(given).map((name) => [name, null])) } : {};
      return { by: who, model: model.name, method: 'write', args: [[id], given], kwargs };
    });
    const create = fc.tuple(by, begun, values).map(
      ([who, first, given]): AnyCall => ({
        by: who,
        model: model.name,
        method: 'create',
        args: [{ ...first, ...given }],
      }),
    );
    return fc.oneof({ weight: 5, arbitrary: write }, { weight: 1, arbitrary: create });
  };
  const any = fc.oneof(...Object.keys(usual).map((name) => ofModel(world.registry.model(name))));
  return withKeys(fc.sample(any, { seed, numRuns: count }));
}
