import { accessDenied, type KontorError, type Operation, type Text, type TextParams, text } from '@kontor/protocol';
import type { Model } from '../model/model.ts';

type Refusal = (params: TextParams) => Text;

/** Errors for operations on a model that the user may not do. */
export const modelRefusals: Readonly<Record<Operation, Refusal>> = {
  read: (params) => text('You may not read {model} records.', params),
  write: (params) => text('You may not change {model} records.', params),
  create: (params) => text('You may not create {model} records.', params),
  unlink: (params) => text('You may not delete {model} records.', params),
};

/** Errors of a record rule. */
export const ruleRefusals: Readonly<Record<Operation, Refusal>> = {
  read: (params) => text('A record rule does not let you read this {model}.', params),
  write: (params) => text('A record rule does not let you change this {model}.', params),
  create: (params) => text('A record rule does not let you create this {model}.', params),
  unlink: (params) => text('A record rule does not let you delete this {model}.', params),
};

/** The one error for records that rules hide, so that nothing else can be learnt from it. */
export function deniedByRule(model: Model, operation: Operation, ids: readonly number[]): KontorError {
  return accessDenied(model.name, operation, 'rule', { message: ruleRefusals[operation]({ model: model.label }), ids });
}

/** Errors of a record rule after the operation, because of its result. */
export const outcomeRefusals: Readonly<Record<Operation, Refusal>> = {
  read: (params) => text('The rules do not let you read {model} like this.', params),
  write: (params) => text('The rules do not let you change {model} like this.', params),
  create: (params) => text('The rules do not let you create {model} like this.', params),
  unlink: (params) => text('The rules do not let you delete {model} like this.', params),
};
