export { KontorError, type Text, text, UserError, ValidationError, type Words } from '@kontor/protocol';
export { Decimal } from '../decimal.ts';
export { companyValue, currentCompany, currentUser, now, sequence, today } from '../fields/default-sources.ts';
export type { DefaultContext } from '../fields/spec.ts';
export { answer } from '../model/answer.ts';
export type { ModelDefinition } from '../model/definition.ts';
export { openPath } from '../model/open.ts';
export { defineModel, fields, inheritModel } from './author.ts';
export type { ActionCall } from './behaviour.ts';
export { type Domain, domain } from './domain.ts';
export type { FieldsOf } from './field.ts';
// A star, not names: interfaces can be merged through it.
export * from './models.ts';
export { open } from './open.ts';
export type { Draft, Loaded, RecordOf } from './record.ts';
export { sum } from './sum.ts';
export { anyModel, type TypedEnv as Env } from './typed-env.ts';
export type { Command, CreateValues, WriteValues } from './values.ts';
