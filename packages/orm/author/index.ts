export { type Domain, KontorError, type Text, text, UserError, ValidationError, type Words } from '@kontor/protocol';
export { Decimal } from '../decimal.ts';
export { currentCompany, currentUser, now, sequence, today } from '../fields/default-sources.ts';
export type { DefaultContext } from '../fields/spec.ts';
export { answer } from '../model/answer.ts';
export type { ModelDefinition } from '../model/definition.ts';
export { defineModel, fields, inheritModel } from './author.ts';
export type { ActionCall, Command, LoadedRecord, Values } from './by-name.ts';
// A star, not names: interfaces can be merged through it.
export * from './models.ts';
export { sum } from './sum.ts';
export type { TypedEnv as Env } from './typed-env.ts';
export type { RecordOf } from './typed-field.ts';
