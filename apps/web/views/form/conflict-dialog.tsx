import { lazyComponent } from '../../state/lazy.tsx';
import { useStorePart } from '../../state/store.ts';
import type { PickerProps } from './conflict-picker.tsx';
import { useOpenForm } from './form-context.ts';

const { Component: Picker } = lazyComponent<PickerProps>(async () => (await import('./conflict-picker.tsx')).Picker);

/** Opens when two people changed the same field. */
export function ConflictDialog({ onSave }: { onSave(): Promise<boolean> }) {
  const { form } = useOpenForm();
  const conflicts = useStorePart(form, (state) => state.conflicts);
  if (Object.keys(conflicts).length === 0) return null;
  return <Picker conflicts={conflicts} onSave={onSave} />;
}
