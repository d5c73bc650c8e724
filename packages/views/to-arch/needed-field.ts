import { accessDenied } from '@kontor/protocol';
import { type ArchScope, needValue, readablePath } from './arch-scope.ts';

/** A field or path that the view cannot do without; throws ACCESS_DENIED, layer `field`, where the viewer may not read it. */
export function neededField(scope: ArchScope, name: unknown): string {
  const path = String(name);
  if (!readablePath(scope, path.split('.'))) {
    const message = `This view needs ${scope.model.name}.${path}, which you may not read.`;
    throw accessDenied(scope.model.name, 'read', 'field', { message, field: path });
  }
  needValue(scope, path.split('.'));
  return path;
}
