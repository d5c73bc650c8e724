import { assembleRegistry, BadValue, defineModel, type Field, type FieldSpec, fields } from '../index.ts';

const target = defineModel('test.target', { fields: { name: fields.char() } });

/** A field as a registry has it. */
export function fieldOf(spec: FieldSpec): Field {
  const model = defineModel('test.thing', { fields: { it: spec } });
  const registry = assembleRegistry([{ module: 'test', definitions: [target, model] }]);
  return registry.model('test.thing').fields.get('it') as Field;
}

export function cast(spec: FieldSpec, value: unknown): unknown {
  const given = fieldOf(spec);
  return given.kind.cast(value, given);
}

/** What a field says of a value that it does not take. */
export function refusal(spec: FieldSpec, value: unknown): string {
  try {
    cast(spec, value);
  } catch (error) {
    if (error instanceof BadValue) return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(value)} was taken`);
}
