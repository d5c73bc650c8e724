import { lazyComponent } from '../../state/lazy.tsx';
import { defineField, type FieldReadProps } from '../define-field.ts';

const { Component } = lazyComponent<FieldReadProps>(async () => (await import('./next-activity.tsx')).NextActivity);

/** Stands on `id`: what it shows is beside the record, not in it. */
export const activityField = defineField({
  name: 'activity',
  types: ['integer'],
  Read: Component,
  Edit: null,
  toText: () => '',
  width: 130,
});
