import { atField, KontorError } from '@kontor/protocol';
import type { Field } from '../model/model.ts';

/** Bad values of a line are told at the list of its owner, with the line's own messages beside. */
export async function inList<T>(field: Field, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof KontorError) || error.code !== 'VALIDATION_ERROR') throw error;
    const told = new KontorError('VALIDATION_ERROR', atField(field.label, error.words), {
      model: field.model,
      fields: { [field.name]: [error.words] },
      lines: { field: field.name, ...error.wordedDetails },
    });
    told.cause = error;
    throw told;
  }
}
