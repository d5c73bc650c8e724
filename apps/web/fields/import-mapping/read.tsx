import { lazyComponent } from '../../state/lazy.tsx';
import { Skeleton } from '../../ui/parts.tsx';
import type { FieldReadProps } from '../define-field.ts';

const { Component: ImportForm } = lazyComponent<FieldReadProps>(
  async () => (await import('./import-form.tsx')).ImportForm,
  <Skeleton width="60%" />,
);

export function ImportMappingRead(props: FieldReadProps) {
  return props.place === 'form' && props.record.id > 0 ? <ImportForm key={props.record.id} {...props} /> : null;
}
