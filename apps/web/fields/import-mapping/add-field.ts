import { type ColumnGuess, fieldType } from '@kontor/protocol';
import { addField } from '../../data/add-field.ts';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { whileBusy } from '../../state/idle.ts';
import type { Batch } from './batch.ts';

/** Opens the dialog for a new field with what the values of the column say about it. */
export async function addFieldFor(
  { id, model, targets }: Batch,
  column: string,
  onPublished: (field: string) => Promise<void>,
): Promise<void> {
  try {
    const query = new URLSearchParams({ id: String(id), column });
    const { body } = await whileBusy(request<{ result: ColumnGuess }>(`/web/customise/column?${query}`));
    addField({
      ...{ model, title: '', names: targets.map(({ name }) => name), given: fieldFrom(body.result) },
      onPublished: (field) => void onPublished(field).catch(showError),
    });
  } catch (error) {
    showError(error);
  }
}

function fieldFrom({ header, type, choices = [], relation = '' }: ColumnGuess) {
  return {
    ...{ label: header.trim().slice(0, 100), type },
    ...(fieldType(type).isChoice && { choices }),
    ...(fieldType(type).isToOne && { relation }),
  };
}
