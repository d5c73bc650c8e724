import { useEffect } from 'react';
import { type FormState, lazyComponent, useStorePart, whenIdle } from '../../door/index.ts';
import type { PickerProps } from './conflict-picker.tsx';
import { useOpenForm } from './use-form.ts';

// Preloaded: when there is something to report, the server may be unreachable.
const { Component: NoticeBars, preload } = lazyComponent(async () => (await import('./notice-bars.tsx')).NoticeBars);

export function Notices() {
  const isNeeded = useStorePart(useOpenForm().form, hasUnseen);
  useEffect(() => {
    whenIdle(preload);
  }, []);
  return isNeeded ? <NoticeBars /> : null;
}

function hasUnseen({ isRestored, theirs, errors }: FormState): boolean {
  return isRestored || theirs !== null || Object.keys(errors).length > 0;
}

const { Component: Picker } = lazyComponent<PickerProps>(async () => (await import('./conflict-picker.tsx')).Picker);

/** Opens when two users changed the same field. */
export function ConflictDialog({ onSave }: { onSave(): Promise<boolean> }) {
  const { form } = useOpenForm();
  const conflicts = useStorePart(form, (state) => state.conflicts);
  if (Object.keys(conflicts).length === 0) return null;
  return <Picker conflicts={conflicts} onSave={onSave} />;
}
