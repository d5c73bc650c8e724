import { atField, KontorError, type Text, type Words } from '@kontor/protocol';
import type { Field, Model } from '../model/model.ts';

export type Messages = Record<string, Words[]>;

/** The errors in the values of one record: messages by field, and those of its lines. */
export interface Faults {
  readonly fields: Messages;
  lines?: LineFaults;
}
interface LineFaults extends Faults {
  readonly field: string;
  readonly model: string;
  readonly rows?: readonly BadRow[];
}
/** One of several rows, by index. */
export interface BadRow extends Faults {
  readonly index: number;
}

export function hasFaults({ fields }: Faults): boolean {
  return Object.keys(fields).length > 0;
}

/** One answer for all invalid rows of a call of `count` rows. */
export function faultsError(model: Model, bad: readonly BadRow[], count: number): KontorError {
  const { fields, lines } = bad[0] as BadRow;
  return new KontorError('VALIDATION_ERROR', describe(model, fields), {
    model: model.name,
    fields,
    ...(lines ? { lines } : {}),
    ...(count > 1 ? { rows: bad } : {}),
  });
}

/** Errors of lines are reported at the list of their owner. */
export function addLineFaults(
  faults: Faults,
  field: Field,
  related: Model,
  bad: readonly BadRow[],
  count: number,
): void {
  const { fields, lines } = bad[0] as BadRow;
  faults.fields[field.name] = [describe(related, fields)];
  faults.lines ??= {
    field: field.name,
    model: related.name,
    fields,
    ...(lines ? { lines } : {}),
    ...(count > 1 ? { rows: bad } : {}),
  };
}

/** The same for lines that the database rejected. */
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

function describe(model: Model, fields: Messages): Text {
  const [name, [message]] = Object.entries(fields)[0] as [string, [Words]];
  return atField(model.fields.get(name)?.label ?? name, message);
}
