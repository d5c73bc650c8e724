import type { ComponentType } from 'react';
import { lazyComponent } from '../state/lazy.tsx';
import { Skeleton } from '../ui/parts.tsx';
import type { FieldEditProps } from './define-field.ts';

type RareEdits = typeof import('./rare-edits.ts');

/** An editor of the chunk that those share which few screens have. */
export function rareEdit(name: keyof RareEdits): ComponentType<FieldEditProps> {
  const load = async () => (await import('./rare-edits.ts'))[name];
  return lazyComponent<FieldEditProps>(load, <Skeleton width="50%" />).Component;
}
